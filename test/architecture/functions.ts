// Finds the functions of a file and how long each is. It relies on the formatter: a body's brace ends the line of its head.
import { lineOf, type Source } from './source.ts'

export interface FoundFunction {
  /** Empty when the function has no name of its own. */
  name: string
  line: number
  lines: number
}

const statements = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'return', 'function', 'await', 'super'])
const closing: Record<string, string> = { '(': ')', '{': '}', '[': ']' }

/** The place of the other bracket, for each bracket of the code; -1 elsewhere. */
function matchBrackets(code: string): Int32Array {
  const matches = new Int32Array(code.length).fill(-1)
  const open: number[] = []
  for (let i = 0; i < code.length; i++) {
    if (code[i] in closing) open.push(i)
    else if (code[i] === ')' || code[i] === '}' || code[i] === ']') {
      const from = open.findLastIndex((at) => closing[code[at]] === code[i])
      if (from === -1) continue
      const [at] = open.splice(from)
      matches[at] = i
      matches[i] = at
    }
  }
  return matches
}

/** Where the body begins whose parameters end at `close`; -1 when no body follows. */
function bodyAfter(code: string, close: number): number {
  const end = code.indexOf('\n', close)
  const rest = code.slice(close + 1, end === -1 ? code.length : end).trimEnd()
  return /^\s*(?::.*)?\{$/.test(rest) ? close + 1 + rest.length - 1 : -1
}

/** Declarations, function expressions and methods: their name and the place where they begin. */
const named =
  /\bfunction\b\s*\*?\s*(?<name>[\w$]*)|^[ \t]+(?:(?:async|static|override|get|set)\s+)*\*?(?<method>#?[\w$]+)(?=[(<])/gm

export function findFunctions({ code }: Pick<Source, 'code'>): FoundFunction[] {
  const matches = matchBrackets(code)
  const found: FoundFunction[] = []
  const add = (name: string, from: number, end: number) => {
    const line = lineOf(code, from)
    found.push({ name, line, lines: lineOf(code, end) - line + 1 })
  }
  for (const match of code.matchAll(named)) {
    const name = match.groups?.name ?? match.groups?.method ?? ''
    if (match.groups?.method !== undefined && statements.has(name)) continue
    const parameters = code.indexOf('(', match.index + match[0].length)
    if (parameters === -1 || matches[parameters] === -1) continue
    const body = bodyAfter(code, matches[parameters])
    const start = match.index + (match[0].length - match[0].trimStart().length)
    if (body !== -1 && matches[body] !== -1) add(name, start, matches[body])
  }
  for (const { index, 0: arrow } of code.matchAll(/=>\s*(?=[{(])/g)) {
    const end = matches[index + arrow.length]
    if (end === -1) continue
    const lineStart = code.lastIndexOf('\n', index) + 1
    const head = code.slice(lineStart, index)
    const parameters = /^\s*\)/.test(head) ? matches[lineStart + head.indexOf(')')] : -1
    const first = parameters === -1 ? lineStart : code.lastIndexOf('\n', parameters) + 1
    const name = /\b(?:const|let)\s+(\w+)|(\w+)\s*[:=]/.exec(code.slice(first, index))
    add(name?.[1] ?? name?.[2] ?? '', first, end)
  }
  return found.sort((a, b) => a.line - b.line)
}
