// Finds what a file declares at its top level, to compare it with what others declare. It relies on the formatter: only a declaration begins
// in the first column.
import { lineOf, type Source } from './source.ts'

export interface Declaration {
  name: string
  exported: boolean
  line: number
  /** Its code without comments, on one line, without `export`. */
  text: string
}

const heads = /^(?<exported>export )?(?:async )?(?:function\*?|const|interface|type|class) (?<name>[\w$]+)/gm

export function findDeclarations({ code, strings }: Pick<Source, 'code' | 'strings'>): Declaration[] {
  return [...code.matchAll(heads)].map((match) => {
    const from = match.index + (match.groups?.exported ?? '').length
    // Every line of it but the first is indented, or closes what the first opened.
    const length = /\n(?![ \t\n)}\]])/.exec(code.slice(from))?.index ?? code.length - from
    const text = code
      .slice(from, from + length)
      .replaceAll(/"(\d+)"/g, (_, number) => JSON.stringify(strings[Number(number)]?.text ?? ''))
      .replaceAll(/\s+/g, ' ')
      .trim()
    const { exported, name = '' } = match.groups ?? {}
    return { name, exported: exported !== undefined, line: lineOf(code, match.index), text }
  })
}
