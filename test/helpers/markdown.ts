// Reads what tests need from Markdown: fenced blocks, and the commands that stand in them.

export interface Block {
  /** The first word after the fence. */
  language: string
  /** The words after it. */
  marks: string[]
  text: string
}

export function fencedBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [language = '', ...marks] = (match[1] ?? '').trim().split(/\s+/)
    return { language, marks, text: match[2] ?? '' }
  })
}

export interface NamedCommand {
  /** The command and, of commands that have them, its subcommand. */
  words: string[]
  /** Long options. */
  options: string[]
}

const groups = new Set([
  'exporter',
  'user',
  'token',
  'audit',
  'site',
  'names',
  'event',
  'alert',
  'alert channel',
  'alert address',
  'alert rule',
  'alert silence',
])

/** Each call of `floodgauge` in a piece of shell. */
export function commandsIn(shell: string): NamedCommand[] {
  const lines = shell.replace(/\\\n/g, ' ').replace(/^\s*#.*$/gm, '')
  return [...lines.matchAll(/\bfloodgauge[ \t]+([a-z][a-z-]*)([^|;&)\n]*)/g)].map((match) => {
    const [, command = '', rest = ''] = match
    const words = rest.trim().split(/\s+/)
    const path = [command]
    while (groups.has(path.join(' ')) && /^[a-z-]+$/.test(words[path.length - 1] ?? ''))
      path.push(words[path.length - 1])
    const options = words.map((word) => /^(--[a-z][a-z-]*)/.exec(word)?.[1]).filter((option) => option !== undefined)
    return { words: path, options }
  })
}
