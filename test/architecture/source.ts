// Reads a TypeScript file far enough to check rules on it: comments away, strings set apart, imports listed. No compiler: a scan of
// the text is fast and has no version to follow.
import { readFileSync } from 'node:fs'

export interface Import {
  /** As written: `../net/ipv4.ts`, `node:fs`, `fastify`. */
  specifier: string
  /** Erased before the program runs. */
  typeOnly: boolean
  /** What is imported, as written between the keywords. */
  names: string
  line: number
}

export interface Source {
  /** Path from the root of the repository, with `/`. */
  path: string
  text: string
  lines: number
  /** The text with comments blanked and every string replaced by `"n"`, an index into `strings`; line breaks stay. */
  code: string
  strings: { text: string; line: number }[]
  imports: Import[]
}

const regexMayFollow = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|await|yield))\s*$/

/** Ends of literals, found from the index of their first character. */
function endOfQuoted(text: string, from: number): number {
  const quote = text[from]
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote || text[i] === '\n') return i + 1
  }
  return text.length
}

function endOfRegex(text: string, from: number): number {
  let inClass = false
  for (let i = from + 1; i < text.length; i++) {
    const c = text[i]
    if (c === '\\') i++
    else if (c === '[') inClass = true
    else if (c === ']') inClass = false
    else if (c === '\n') return from + 1
    else if (c === '/' && !inClass) return i + 1
  }
  return text.length
}

const breaksOf = (text: string) => text.replace(/[^\n]/g, '')

/** Splits the text in code and strings. The inside of `${…}` is code. */
function scan(text: string): Pick<Source, 'code' | 'strings'> {
  const strings: Source['strings'] = []
  // One entry for each `${` that is open: how many braces are open inside it.
  const templates: number[] = []
  let code = ''
  let line = 1
  let i = 0

  const addString = (content: string) => {
    code += `"${strings.length}"${breaksOf(content)}`
    strings.push({ text: content, line })
    line += breaksOf(content).length
  }
  /** Reads template text up to its end or to the next `${`. */
  const template = (from: number) => {
    let end = from
    while (end < text.length && text[end] !== '`' && !(text[end] === '$' && text[end + 1] === '{')) {
      end += text[end] === '\\' ? 2 : 1
    }
    addString(text.slice(from, end))
    if (text[end] === '$') {
      templates.push(0)
      code += ' '
      return end + 2
    }
    return end + 1
  }

  while (i < text.length) {
    const c = text[i]
    const open = templates.length - 1
    if (c === '/' && text[i + 1] === '/') {
      while (i < text.length && text[i] !== '\n') i++
    } else if (c === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i + 2)
      const comment = text.slice(i, end === -1 ? text.length : end + 2)
      code += ` ${breaksOf(comment)}`
      line += breaksOf(comment).length
      i += comment.length
    } else if (c === "'" || c === '"') {
      const end = endOfQuoted(text, i)
      addString(text.slice(i + 1, end - 1))
      i = end
    } else if (c === '`') {
      i = template(i + 1)
    } else if (c === '/' && regexMayFollow.test(code.slice(-40))) {
      const end = endOfRegex(text, i)
      code += end === i + 1 ? '/' : '/(?:)/'
      i = end
    } else if (c === '}' && open >= 0 && templates[open] === 0) {
      templates.pop()
      code += ' '
      i = template(i + 1)
    } else {
      if (open >= 0 && c === '{') templates[open] = (templates[open] ?? 0) + 1
      if (open >= 0 && c === '}') templates[open] = (templates[open] ?? 0) - 1
      if (c === '\n') line++
      code += c
      i++
    }
  }
  return { code, strings }
}

const importForms = [
  /\b(?:import|export)\s+(?<type>type\s+)?(?<names>[\w$]+|\*(?:\s+as\s+[\w$]+)?|(?:[\w$]+\s*,\s*)?\{[^}]*\})\s*from\s*"(?<index>\d+)"/g,
  /\bimport\s*"(?<index>\d+)"/g,
  /\bimport\s*\(\s*"(?<index>\d+)"/g,
  /\bnew\s+URL\s*\(\s*"(?<index>\d+)"\s*,\s*import\.meta\.url/g,
]

const onlyTypes = (names: string) =>
  names.startsWith('{') &&
  names
    .slice(1, -1)
    .split(',')
    .filter((name) => name.trim() !== '')
    .every((name) => name.trim().startsWith('type '))

function importsOf({ code, strings }: Pick<Source, 'code' | 'strings'>): Import[] {
  return importForms.flatMap((form) =>
    [...code.matchAll(form)].flatMap(({ groups }) => {
      const string = strings[Number(groups?.index)]
      if (!string) return []
      const typeOnly = groups?.type !== undefined || onlyTypes(groups?.names ?? '')
      return [{ specifier: string.text, typeOnly, names: groups?.names ?? '', line: string.line }]
    }),
  )
}

export function parseSource(path: string, text: string): Source {
  const scanned = scan(text)
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return { path, text, lines, ...scanned, imports: importsOf(scanned) }
}

export function readSource(root: string, path: string): Source {
  return parseSource(path, readFileSync(`${root}/${path}`, 'utf8'))
}
