// Which attacks are found, how soon, and under which name: every vector by size, sampling, host and sources; and which traffic that is no attack makes an
// event. It goes through folder and detector in virtual time, the same in every run with the same seed. What is not right is printed, and then the sums.
// Run: node bench/matrix.ts [--only PATTERN] [--part attacks|benign] [--seed N] [--write]
import { parseArgs } from 'node:util'
import type { SavedBaselines } from '../src/detect/normal/saved-baselines.ts'
import { attacks, everywhere, fewSources, madeUp, type Sources } from './matrix/attacks.ts'
import { benign } from './matrix/benign.ts'
import type { HostName } from './matrix/hosts.ts'
import { type Exporter, type Found, learnBenign, learnHost, runAttack, runBenign } from './matrix/run.ts'
import {
  attackTable,
  type BenignCell,
  benignTable,
  type Cell,
  isRight,
  isTyped,
  nameOf,
  type Size,
  write,
} from './matrix/table.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const only = new RegExp(values.only)

const sizes: readonly Size[] = [
  { packetsPerSecond: 500, samplingRate: 1, lastsSeconds: 90 },
  { packetsPerSecond: 5_000, samplingRate: 1, lastsSeconds: 90 },
  { packetsPerSecond: 50_000, samplingRate: 1, lastsSeconds: 30 },
  { packetsPerSecond: 50_000, samplingRate: 1_000, lastsSeconds: 90 },
  { packetsPerSecond: 500_000, samplingRate: 1_000, lastsSeconds: 90 },
]

const learnt = new Map<string, SavedBaselines[]>()

function normalOf(host: HostName, exporter: Exporter): SavedBaselines[] {
  const key = `${host} ${exporter.samplingRate}`
  const normal = learnt.get(key) ?? learnHost(host, exporter)
  learnt.set(key, normal)
  return normal
}

const textOf = (found: readonly Found[]) =>
  found.length === 0 ? 'nothing' : found.map(({ label, delaySeconds }) => `${label} after ${delaySeconds} s`).join(', ')

function attackCells(): Cell[] {
  const cells: Cell[] = []
  for (const attack of attacks.filter(({ name }) => only.test(name))) {
    for (const size of sizes) {
      const exporter = { samplingRate: size.samplingRate, seed }
      for (const host of ['idle', attack.busy ?? 'web'] as const) {
        const few = attack.few ?? 300
        const senders: [string, Sources][] = [
          attack.many === undefined
            ? attack.real
              ? ['sources everywhere', everywhere]
              : ['made-up sources', madeUp]
            : [`${attack.many} sources`, fewSources(attack.many)],
          [`${few} sources`, fewSources(few)],
        ]
        for (const [sourcesName, sources] of senders) {
          const found = runAttack({ attack, host, sources, exporter, ...size }, normalOf(host, exporter))
          const isPlain = attack.plain === true && (attack.real === true || sources === madeUp)
          const cell = { attack, size, name: `${host}, ${sourcesName}`, isPlain, found }
          cells.push(cell)
          if (!isRight(cell)) console.log(`${attack.name}, ${nameOf(size)}, ${cell.name}: ${textOf(found)}`)
        }
      }
    }
  }
  return cells
}

function benignCells(): BenignCell[] {
  const cells: BenignCell[] = []
  for (const kind of benign.filter(({ name }) => only.test(name))) {
    for (const samplingRate of [1, 1_000]) {
      const exporter = { samplingRate, seed }
      const cell = { kind, samplingRate, found: runBenign(kind, exporter, learnBenign(kind, exporter)) }
      cells.push(cell)
      if (isTyped(cell)) console.log(`no attack: ${kind.name}, 1:${samplingRate}: ${textOf(cell.found)}`)
    }
  }
  return cells
}

const tables = new Map<string, string>()
if (values.part !== 'benign') tables.set('attacks', attackTable(sizes, attackCells()))
if (values.part !== 'attacks') tables.set('benign', benignTable(benignCells()))
for (const table of tables.values()) console.log(table)
if (values.write) write(tables)
