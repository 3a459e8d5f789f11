// The import of passive DNS: reads its lines, and hands on what they say of names of sites. One at a time, and nothing of it counts before it
// is read to its end.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { importBytesMax } from '../../contract/limits.ts'
import { AppError } from '../../errors.ts'
import type { SavedObservation } from '../bindings/bindings.ts'
import { type ReadLine, readCof } from './cof.ts'
import { Flattening } from './flatten.ts'
import { lineBytesMax, linesOf } from './lines.ts'

export interface ImportReport {
  lines: number
  /** Pairs of a name and an address that were taken. */
  observations: number
  /** Lines that say nothing of where a host's name leads. */
  otherTypes: number
  /** Lines about names that are of no site; what a name of a site leads to counts all the same. */
  otherNames: number
  /** What there was no room for. */
  omitted: number
  broken: number
  /** The first broken lines, by number from 1. */
  errors: { line: number; reason: string }[]
}

/** See `Names`. */
interface Taking {
  isOfSite(name: string): boolean
  /** Gives what was taken. */
  include(observations: readonly SavedObservation[]): SavedObservation[]
}

export interface ImportsOptions {
  names: Taking
  clock: Clock
  graceSeconds: number
  /** Keeps what was taken for the long run. */
  save: (observations: SavedObservation[]) => Promise<void>
}

const errorsMax = 10
const tooLong: ReadLine = { kind: 'broken', reason: `It is longer than ${lineBytesMax} octets` }
/** Lines between two pauses that let other work run. */
const atOnce = 1_000

export class Imports {
  /** Sums over all imports since the start. */
  readonly counts = { imports: 0, lines: 0, observations: 0, otherTypes: 0, otherNames: 0, omitted: 0, broken: 0 }
  readonly #options: ImportsOptions
  #isRunning = false

  constructor(options: ImportsOptions) {
    this.#options = options
  }

  /** Rejects with AppError TOO_LARGE, or TOO_MANY_REQUESTS while another import goes on. */
  async run(chunks: AsyncIterable<Uint8Array>): Promise<ImportReport> {
    if (this.#isRunning) throw new AppError('TOO_MANY_REQUESTS', 'another import goes on')
    this.#isRunning = true
    try {
      const report = await this.#run(chunks)
      const { errors: _, ...counts } = report
      this.counts.imports++
      for (const [key, count] of entriesOf(counts)) this.counts[key] += count
      return report
    } finally {
      this.#isRunning = false
    }
  }

  async #run(chunks: AsyncIterable<Uint8Array>): Promise<ImportReport> {
    const { names, clock, graceSeconds } = this.#options
    const nowMs = clock.now()
    const flattening = new Flattening({
      source: 'import',
      wants: (name) => names.isOfSite(name),
      graceMs: graceSeconds * 1_000,
    })
    const report: ImportReport = {
      ...{ lines: 0, observations: 0, otherTypes: 0, otherNames: 0, omitted: 0, broken: 0 },
      errors: [],
    }
    const read = (line: string): ReadLine | null => (line.trim() === '' ? null : readCof(line))
    const take = (outcome: ReadLine | null) => {
      if (outcome?.kind === 'other') report.otherTypes++
      if (outcome?.kind === 'broken') {
        report.broken++
        if (report.errors.length < errorsMax) report.errors.push({ line: report.lines, reason: outcome.reason })
      }
      if (outcome?.kind !== 'record') return
      const { record } = outcome
      // Clocks elsewhere may be ahead.
      record.lastMs = Math.min(record.lastMs, nowMs)
      record.firstMs = Math.min(record.firstMs, record.lastMs)
      if (!flattening.add(record)) report.otherNames++
    }
    for await (const lines of linesOf(bounded(chunks))) {
      for (const line of lines) {
        report.lines++
        take(line === null ? tooLong : read(line))
      }
      await nextTurn()
    }
    report.observations = await this.#take(flattening.observations())
    report.omitted = flattening.omitted
    return report
  }

  async #take(observations: Iterable<SavedObservation>): Promise<number> {
    const { names, save } = this.#options
    let taken = 0
    let chunk: SavedObservation[] = []
    const hand = async () => {
      const kept = names.include(chunk)
      chunk = []
      taken += kept.length
      await save(kept)
      await nextTurn()
    }
    for (const each of observations) {
      chunk.push(each)
      if (chunk.length >= atOnce) await hand()
    }
    if (chunk.length > 0) await hand()
    return taken
  }
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > importBytesMax) throw new AppError('TOO_LARGE', `an import has at most ${importBytesMax} octets`)
    yield chunk
  }
}

/** `Object.entries` forgets the names of the keys. */
function entriesOf<Key extends string>(counts: Record<Key, number>): [Key, number][] {
  return Object.entries(counts) as [Key, number][]
}
