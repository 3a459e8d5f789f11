// Reads the console's style sheets and components far enough to tell which classes each defines and uses, so that the look of a component
// can be shown to depend on its own imports alone, whatever page was open before.
import { resolveFrom } from './layers.ts'
import type { Source } from './source.ts'

export interface Sheet {
  path: string
  /** Selectors of the sheet. In `.a.b > .c` the `classes` are a, b, c; `first` are those of its first element, a and b. */
  selectors: { text: string; classes: string[]; first: string[]; line: number }[]
}

export interface StyleBreach {
  path: string
  line: number
  text: string
}

const keepBreaks = (text: string) => text.replaceAll(/[^\n]/g, ' ')

/** Selectors of a style sheet, those within `@media` and the like included; steps of `@keyframes` are none. */
export function readSheet(path: string, text: string): Sheet {
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\//g, keepBreaks).replaceAll(/"[^"]*"|'[^']*'/g, keepBreaks)
  const selectors: Sheet['selectors'] = []
  /** The heads of the blocks that are open. */
  const open: string[] = []
  let from = 0
  for (const { 0: mark, index } of plain.matchAll(/[{};]/g)) {
    if (mark === '{') {
      const head = plain.slice(from, index)
      const isStep = open.some((outer) => outer.startsWith('@keyframes'))
      if (!head.trim().startsWith('@') && !isStep) {
        let at = from
        for (const part of partsOf(head)) {
          const line = plain.slice(0, at + part.search(/\S|$/)).split('\n').length
          const selector = part.trim().replaceAll(/\s+/g, ' ')
          const first = classNames(selector.split(/[ >+~]/, 1)[0])
          selectors.push({ text: selector, classes: classNames(selector), first, line })
          at += part.length + 1
        }
      }
      open.push(head.trim())
    } else if (mark === '}') open.pop()
    from = index + 1
  }
  return { path, selectors }
}

function classNames(selector: string): string[] {
  return [...selector.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name]) => name)
}

/** A list of selectors, at its commas outside of parentheses. */
function partsOf(head: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i < head.length; i++) {
    if (head[i] === '(') depth++
    else if (head[i] === ')') depth--
    else if (head[i] === ',' && depth === 0) {
      parts.push(head.slice(from, i))
      from = i + 1
    }
  }
  return [...parts, head.slice(from)]
}

export function classesOf(sheets: readonly Sheet[]): Set<string> {
  return new Set(sheets.flatMap(({ selectors }) => selectors.flatMap(({ classes }) => classes)))
}

export interface UsedClass {
  name: string
  line: number
}

/** The classes that a component writes down: words of the texts in `className=…`, but not of what is compared there. */
export function usedClasses({ code, strings }: Source): UsedClass[] {
  const used: UsedClass[] = []
  for (const { 0: start, index } of code.matchAll(/\b\w*[cC]lassName\s*=\s*(?=["{])/g)) {
    const value = valueAt(code, index + start.length).replaceAll(/[=!]==\s*"\d+"|\[\s*"\d+"\s*\]/g, '')
    for (const [, number] of value.matchAll(/"(\d+)"/g)) {
      const { text, line } = strings[Number(number)]
      for (const name of text.split(/\s+/)) if (/^[a-z][\w-]*$/i.test(name)) used.push({ name, line })
    }
  }
  return used
}

/** A text, or what is between braces. */
function valueAt(code: string, start: number): string {
  if (code[start] === '"') return code.slice(start, code.indexOf('"', start + 1) + 1)
  let depth = 0
  for (let i = start; i < code.length; i++) {
    if (code[i] === '{') depth++
    else if (code[i] === '}' && --depth === 0) return code.slice(start, i + 1)
  }
  return code.slice(start)
}

/** Style sheets that a file imports by itself. */
function sheetsOf({ path, imports }: Source): string[] {
  return imports
    .filter(({ specifier }) => specifier.endsWith('.css'))
    .map(({ specifier }) => resolveFrom(path, specifier))
}

/**
 * Where the look of a component depends on more than what it imports. `entry` is the file that the page begins with: the style sheets that it
 * imports are there for all. Any other is for those that import it, and says nothing about elements that are not its own.
 */
export function styleBreaches(sources: readonly Source[], sheets: readonly Sheet[], entry: string): StyleBreach[] {
  const ofEntry = new Set(sources.filter(({ path }) => path === entry).flatMap(sheetsOf))
  const common = classesOf(sheets.filter(({ path }) => ofEntry.has(path)))
  const all = classesOf(sheets)
  const byPath = new Map(sheets.map((sheet) => [sheet.path, sheet]))
  const missing = sources.flatMap((source) => {
    const own = classesOf(sheetsOf(source).flatMap((path) => byPath.get(path) ?? []))
    return usedClasses(source)
      .filter(({ name }) => !common.has(name) && !own.has(name))
      .map(({ name, line }): StyleBreach => {
        const text = all.has(name)
          ? `.${name} is in no style sheet that this file imports`
          : `.${name} is in no style sheet`
        return { path: source.path, line, text }
      })
  })
  const leaking = sheets
    .filter(({ path }) => !ofEntry.has(path))
    .flatMap(({ path, selectors }) => {
      const others = new Set(
        sheets.filter((sheet) => sheet.path !== path).flatMap((sheet) => sheet.selectors.flatMap(({ first }) => first)),
      )
      return selectors
        .filter(({ classes }) => classes.every((name) => others.has(name)))
        .map(({ text, line }): StyleBreach => ({ path, line, text: `${text} has no class that is this file's alone` }))
    })
  const reaching = sources.flatMap((source) => {
    const own = new Set([...ofEntry, ...sheetsOf(source)])
    const used = new Set(usedClasses(source).map(({ name }) => name))
    return sheets
      .filter(({ path }) => !own.has(path))
      .flatMap(({ path, selectors }) =>
        selectors
          .filter(({ classes }) => classes.some((name) => used.has(name) && !common.has(name)))
          .filter(({ classes }) => classes.every((name) => used.has(name) || common.has(name)))
          .map(
            ({ text, line }): StyleBreach => ({ path, line, text: `${text} is about classes of ${source.path}, too` }),
          ),
      )
  })
  return [...missing, ...leaking, ...reaching]
}
