// Reads a TypeScript file far enough to check rules on it: comments away, strings set apart, imports listed. No compiler: a scan of
// the text is fast and has no version to follow.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

export interface Import {
  /** As written: `../net/ipv4.ts`, `node:fs`, `fastify`. */
  specifier: string
  /** Erased before the program runs. */
  typeOnly: boolean
  /** What is imported, as written between the keywords. */
  names: string
  line: number
}

export interface Comment {
  text: string
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
  /** Their text without its marks. Line comments on lines one after the other are one comment. */
  comments: Comment[]
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

/** The text of a block comment, without its stars. */
function plainBlock(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .replaceAll(/^[ \t]*\*?[ \t]*/gm, '')
    .trim()
}

/** The line of a place in a text, from 1. */
export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

const breaksOf = (text: string) => text.replace(/[^\n]/g, '')

/** Splits the text in code, strings and comments. The inside of `${…}` is code. */
function scan(text: string): Pick<Source, 'code' | 'strings' | 'comments'> {
  const strings: Source['strings'] = []
  const comments: Comment[] = []
  /** The line of the last line comment, which a line comment below it goes on. */
  let commentLine = -1
  // One entry for each `${` that is open: how many braces are open inside it.
  const templates: number[] = []
  let code = ''
  let line = 1
  let i = 0

  const addLineComment = (content: string) => {
    const last = comments.at(-1)
    if (last !== undefined && commentLine === line - 1) last.text += `\n${content}`
    else comments.push({ text: content, line })
    commentLine = line
  }
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
      const from = i + 2
      while (i < text.length && text[i] !== '\n') i++
      addLineComment(text.slice(from, i).trim())
    } else if (c === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i + 2)
      const comment = text.slice(i, end === -1 ? text.length : end + 2)
      comments.push({ text: plainBlock(comment), line })
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
  return { code, strings, comments }
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

function readSource(root: string, path: string): Source {
  return parseSource(path, readFileSync(`${root}/${path}`, 'utf8'))
}

/** Files of the repository: those that git has or would take; without git, those on disk. */
function repositoryFiles(root: string): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return listed.split('\0').filter((path) => path !== '' && existsSync(`${root}/${path}`))
  } catch {
    const skipped = /(?:^|\/)(?:node_modules|\.git)(?:\/|$)/
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !skipped.test(path) && statSync(`${root}/${path}`).isFile())
  }
}

const isText = (path: string) =>
  /\.(?:tsx?|json|ya?ml|md|sh|sql|css|html)$|^\.ci\/run$/.test(path) && path !== 'package-lock.json'

/** All of the repository that people write, and what is generated of it. */
export function readSources(root: string): Source[] {
  return repositoryFiles(root)
    .filter(isText)
    .map((path) => readSource(root, path))
}
