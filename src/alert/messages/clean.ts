// Text from elsewhere as it may stand in a message: names, labels and the like come from the network, and whoever sends them may want to end a line, turn
// the direction of what follows, or fill the screen.

/**
 * Control characters, separators of lines, halves of pairs, what turns the direction of text (Unicode Standard Annex 9), what is invisible and ends or hides
 * something (zero-width space, byte order mark, tags).
 */
const unwanted =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** One line that shows what it is. `max`: UTF-16 units, with the mark of what was cut. */
export function cleanText(text: string, max: number): string {
  // Nothing after the cut matters; a name may be of any length.
  return cutText(text.slice(0, 4 * max).replaceAll(unwanted, '\ufffd'), max)
}

/** Whole characters as people see them: no accent, flag or joined emoji is cut through. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  for (const { index, segment } of new Intl.Segmenter('en').segment(text.slice(0, max + 1))) {
    if (index + segment.length > max - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end)}…`
}

/** What is short enough of lines, whole ones first. */
export function cutLines(lines: readonly string[], max: number): string {
  let text = ''
  for (const line of lines) {
    const longer = text === '' ? line : `${text}\n${line}`
    if (longer.length > max) return text === '' ? cutText(line, max) : text
    text = longer
  }
  return text
}
