// Text from elsewhere (a server's answer, a file, an error) made safe for a terminal.

/** C0 and C1 controls, and the invisible characters that reorder or hide text (bidirectional marks, zero width, line separators). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Shows control and invisible characters as `\xNN` or `\uNNNN`, so that text can neither move the cursor nor forge a line. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** The same of whole output, whose line breaks are meant. As `\uNNNN` also where it is JSON: there this is the same text. */
export function safeLines(text: string): string {
  return text.replace(unsafe, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A value of JSON in which every text is printable. */
export function printableValue(value: unknown): unknown {
  if (typeof value === 'string') return printable(value)
  if (Array.isArray(value)) return value.map(printableValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [printable(name), printableValue(each)]))
}
