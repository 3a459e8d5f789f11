// The results of the matrix as tables of docs/detect.md.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Attack } from './attacks.ts'
import type { Benign } from './benign.ts'
import type { Found } from './run.ts'

/** A size of attacks, and the exporter that reports them. */
export interface Size {
  packetsPerSecond: number
  samplingRate: number
  lastsSeconds: number
}

export interface Cell {
  attack: Attack
  size: Size
  /** The host, and the sources. */
  name: string
  /** Whether its sources are made up, or it has the signature of reflectors. */
  isPlain: boolean
  found: readonly Found[]
}

export interface BenignCell {
  kind: Benign
  samplingRate: number
  found: readonly Found[]
}

const document = new URL('../../docs/detect.md', import.meta.url)

export function isNamed({ attack, found }: Cell): boolean {
  const label = found[0]?.label ?? null
  return label !== null && attack.labels.includes(label)
}

export function isRight(cell: Cell): boolean {
  return isNamed(cell) && cell.found.length === 1
}

export const isTyped = ({ found }: BenignCell) => found.some(({ label }) => label !== null)

export const nameOf = ({ packetsPerSecond, samplingRate }: Size) =>
  `${packetsPerSecond.toLocaleString('en')}/s, 1:${samplingRate.toLocaleString('en')}`

/** `4 · 1 s`: how many of the cells are right, and the median of their delays; else how many are found, and named, and one event. */
function summary(cells: readonly Cell[]): string {
  const seen = cells.filter(({ found }) => found.length > 0)
  if (seen.length === 0) return `none of ${cells.length}`
  const delays = seen.map(({ found }) => found[0].delaySeconds).sort((a, b) => a - b)
  const delay = `${delays[Math.floor(delays.length / 2)]} s`
  const right = cells.filter(isRight).length
  if (right === cells.length) return `${right} · ${delay}`
  const named = cells.filter(isNamed).length
  const one = seen.filter(({ found }) => found.length === 1).length
  return `${seen.length}, ${named} named, ${one} one · ${delay}`
}

export function attackTable(sizes: readonly Size[], cells: readonly Cell[]): string {
  const rows = [...Map.groupBy(cells, ({ attack }) => attack)].map(([attack, own]) => [
    attack.name,
    ...sizes.map((size) => summary(own.filter((cell) => cell.size === size))),
  ])
  const plain = cells.filter(({ isPlain }) => isPlain)
  return lines([
    ['attack', ...sizes.map(nameOf)],
    sizes.map(() => '---').concat('---'),
    ...rows,
    totals('all: found, named, one event', sizes, cells),
    totals('made-up sources, or reflectors: likewise', sizes, plain),
  ])
}

function totals(name: string, sizes: readonly Size[], cells: readonly Cell[]): string[] {
  return [
    name,
    ...sizes.map((size) => {
      const own = cells.filter((cell) => cell.size === size)
      const part = (count: number) => `${((100 * count) / own.length).toFixed(1)} %`
      const found = own.filter((cell) => cell.found.length > 0)
      return [found.length, own.filter(isNamed).length, found.filter((cell) => cell.found.length === 1).length]
        .map(part)
        .join(', ')
    }),
  ]
}

export function benignTable(cells: readonly BenignCell[]): string {
  const text = ({ found }: BenignCell) => {
    if (found.length === 0) return 'none'
    return found.map(({ label }) => (label === null ? 'without a label' : `\`${label}\``)).join(', ')
  }
  const rows = [...Map.groupBy(cells, ({ kind }) => kind)].map(([{ name, times }, own]) => [
    times === undefined ? name : `${name}, ${times} times as much as usual`,
    ...own.map(text),
  ])
  const sampling = [...new Set(cells.map(({ samplingRate }) => `events at 1:${samplingRate.toLocaleString('en')}`))]
  return lines([['traffic', ...sampling], ['---', ...sampling.map(() => '---')], ...rows])
}

function lines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Replaces the tables in docs/detect.md, by their names. */
export function write(tables: ReadonlyMap<string, string>): void {
  let text = readFileSync(document, 'utf8')
  for (const [name, table] of tables) {
    const begin = `<!-- ${name}: written by \`node bench/matrix.ts --write\` -->`
    const from = text.indexOf(begin)
    const to = text.indexOf(`<!-- end of ${name} -->`)
    if (from === -1 || to < from) throw new Error(`docs/detect.md has lost its marks of the ${name}`)
    text = `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`
  }
  writeFileSync(document, text)
}
