// The tables of the thresholds of detection, and of the vectors with their floors.

import type { Line, Lines } from '../src/detect/lines/line.ts'
import { lines } from '../src/detect/lines.ts'
import { protocolName, UDP } from '../src/net/protocols.ts'
import { matchText } from '../src/vectors/match-text.ts'
import { type Vector, vectors } from '../src/vectors/vectors.ts'

/** The tables by the name of their part of docs/detect.md. */
export const lineTables: ReadonlyMap<string, string> = new Map([
  ...Object.entries(lines).map(([name, rows]) => [name, renderLines(rows)] as const),
  ['vectors', renderVectors()],
])

function renderLines(rows: Lines): string {
  const table = Object.entries(rows).map(
    ([name, { value, unit, decides, reason }]) => `| \`${name}\` | ${textOf(value)} ${unit} | ${decides} | ${reason} |`,
  )
  return ['| threshold | value | what it decides | why |', '|---|---|---|---|', ...table].join('\n')
}

function textOf(value: Line['value']): string {
  if (typeof value !== 'number') return value.map(textOf).join(', ')
  return value < 0.02 ? `1/${numberText(Math.round(1 / value))}` : numberText(value)
}

function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 })
}

/** Vectors that are judged by the same numbers are one line. */
function renderVectors(): string {
  const kindOf = ({ label, raise, signature: { sourcesMin } }: Vector) =>
    JSON.stringify([label.replace(/-.*/, ''), raise, sourcesMin])
  const table = Array.from(Map.groupBy(vectors, kindOf).values(), (alike) => {
    const { raise, signature } = alike[0]
    const floors = [raise.packetsPerSecond, raise.unlearntPacketsPerSecond, raise.partialPacketsPerSecond]
    const label = alike[0].label + (new Set(alike.map(({ label }) => label)).size > 1 ? ', …' : '')
    const cells = [
      `\`${label}\``,
      packetsOf(alike),
      String(signature.sourcesMin),
      floors.map(numberText).join(' / '),
      `${raise.ratio}`,
      `${raise.seconds}`,
    ]
    return `| ${cells.join(' | ')} |`
  })
  const head = '| label | packets | sources | floors, packets/s | times normal | seconds |'
  return [head, '|---|---|---|---|---|---|', ...table].join('\n')
}

/** Which packets the vectors are of; those that differ by service or protocol alone are listed by it. */
function packetsOf(alike: readonly Vector[]): string {
  if (alike.every(({ match }) => match.protocol === UDP && match.srcPort !== undefined)) {
    return `UDP from ports ${alike.map(({ label, match }) => `${match.srcPort} (${label.split('-')[1]})`).join(', ')}`
  }
  if (alike.length > 100) return 'any other protocol'
  if (alike.every(({ label }) => label.startsWith('ip@'))) {
    return alike.map(({ match }) => protocolName(match.protocol)).join(', ')
  }
  return alike.map(({ match }) => matchText(match)).join('; ')
}
