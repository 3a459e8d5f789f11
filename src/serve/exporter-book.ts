// The exporters that are known: the latest report of each of their streams, in memory while data comes and from the store after a restart.
// Bounded: those that sent nothing useful make room first, then those that have been silent longest.

import type { Clock } from '../clock.ts'
import { type ExporterHealth, exportersOf } from '../collect/health/exporter.ts'
import { mergeReceptions, type Reception } from '../collect/health/reception.ts'
import { type StreamReport, streamKey } from '../collect/health/report.ts'
import { createStreamCounters } from '../decode/counters.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { PeriodicTask } from '../task.ts'

const saveEveryMs = 60_000
/** Age up to which a list is used again; a report ends it earlier. */
const listGoodMs = 1_000
const streamsMaxDefault = 4_096
/** Silence after which an exporter is forgotten. */
const forgetAfterMs = 30 * 86_400_000
const forgetStreamAfterMs = 86_400_000

interface ExporterBookOptions {
  store: Pick<Store, 'saveStreamReports' | 'loadStreamReports' | 'deleteStreamReports'>
  clock: Clock
  log: Logger
  streamsMax?: number
}

export class ExporterBook {
  readonly #options: ExporterBookOptions
  readonly #streamsMax: number
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  /** By address, then by key. */
  readonly #exporters = new Map<string, Map<string, StreamReport>>()
  readonly #receptions = new Map<string, Reception>()
  /** What the store does not have yet, and what it still has, by key. */
  #unsaved = new Map<string, StreamReport>()
  #gone = new Map<string, StreamReport>()
  /** The last list: a scrape asks several times. */
  #listed: { atMs: number; exporters: ExporterHealth[] } | null = null
  #size = 0
  /** Streams forgotten to make room. */
  evicted = 0

  constructor(options: ExporterBookOptions) {
    this.#options = options
    this.#streamsMax = options.streamsMax ?? streamsMaxDefault
    this.#task = new PeriodicTask({
      name: 'exporters',
      periodMs: saveEveryMs,
      run: () => this.#save(),
      failure: 'the state of exporters could not be written',
      clock: options.clock,
      log: options.log,
    })
    this.tasks = [this.#task]
  }

  /** Remembers what the store has. A store that can't be read is no reason not to start. */
  async start(): Promise<void> {
    try {
      for (const report of await this.#options.store.loadStreamReports()) {
        // What is counted today may not have been when it was saved.
        this.#put({ ...report, counters: { ...createStreamCounters(), ...report.counters } })
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'the exporters of earlier runs could not be read')
    }
    this.#makeRoom()
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
    await this.save()
  }

  /** A collector's report: the streams that changed. */
  take(collector: string, streams: readonly StreamReport[], reception: Reception): void {
    this.#receptions.set(collector, reception)
    for (const stream of streams) {
      const report = this.#continued(stream)
      this.#put(report)
      this.#unsaved.set(streamKey(report), report)
    }
    if (this.#size > this.#streamsMax) this.#makeRoom()
  }

  list(): ExporterHealth[] {
    const nowMs = this.#options.clock.now()
    if (this.#listed === null || nowMs < this.#listed.atMs || nowMs - this.#listed.atMs >= listGoodMs) {
      this.#listed = { atMs: nowMs, exporters: exportersOf(this.#reports(), nowMs) }
    }
    return this.#listed.exporters
  }

  find(address: string): ExporterHealth | null {
    const streams = this.#exporters.get(address)
    return streams === undefined ? null : exportersOf(streams.values(), this.#options.clock.now())[0]
  }

  reception(): Reception {
    return mergeReceptions(this.#receptions.values())
  }

  /** Writes what has changed. When the store fails it is written next time. */
  save(): Promise<void> {
    return this.#task.run()
  }

  async #save(): Promise<void> {
    const { store, clock } = this.#options
    this.#forgetOld(clock.now())
    const [unsaved, gone] = [this.#unsaved, this.#gone]
    this.#unsaved = new Map()
    this.#gone = new Map()
    try {
      await store.deleteStreamReports([...gone.values()])
      await store.saveStreamReports([...unsaved.values()])
    } catch (error) {
      this.#unsaved = new Map([...unsaved, ...this.#unsaved])
      this.#gone = new Map([...gone, ...this.#gone])
      for (const key of this.#gone.keys()) this.#unsaved.delete(key)
      throw error
    }
  }

  #forgetOld(nowMs: number): void {
    for (const streams of [...this.#exporters.values()]) {
      const reports = [...streams.values()]
      const lastMs = Math.max(...reports.map((report) => report.lastMs))
      // While an exporter goes on, a stream that does not is one that it has no more.
      const afterMs = nowMs - lastMs < forgetStreamAfterMs ? forgetStreamAfterMs : forgetAfterMs
      for (const report of reports) if (nowMs - report.lastMs > afterMs) this.#remove(report)
    }
  }

  /** The report with the past of its stream: the first datagram and the templates. */
  #continued(report: StreamReport): StreamReport {
    const known = this.#exporters.get(report.address)?.get(streamKey(report))
    if (known !== undefined) return withPast(report, known)
    // An exporter that starts again sends from another port: its past goes on.
    const earlier = [...(this.#exporters.get(report.address)?.values() ?? [])].filter(
      ({ domain, lastMs }) => domain === report.domain && lastMs < report.firstMs,
    )
    for (const each of earlier) this.#remove(each)
    return earlier.reduce(withPast, report)
  }

  #put(report: StreamReport): void {
    const key = streamKey(report)
    const streams = this.#exporters.get(report.address) ?? new Map<string, StreamReport>()
    if (!streams.has(key)) this.#size++
    streams.set(key, report)
    this.#exporters.set(report.address, streams)
    this.#gone.delete(key)
    this.#listed = null
  }

  #remove(report: StreamReport): void {
    const key = streamKey(report)
    const streams = this.#exporters.get(report.address)
    if (streams?.delete(key)) this.#size--
    if (streams?.size === 0) this.#exporters.delete(report.address)
    this.#unsaved.delete(key)
    this.#gone.set(key, report)
    this.#listed = null
  }

  /** A sixteenth at once, so that a flood of new ones costs little each. */
  #makeRoom(): void {
    if (this.#size <= this.#streamsMax) return
    const least = [...this.#reports()].sort(
      (a, b) => Number(a.counters.records > 0) - Number(b.counters.records > 0) || a.lastMs - b.lastMs,
    )
    const count = this.#size - this.#streamsMax + (this.#streamsMax >> 4)
    for (const report of least.slice(0, count)) this.#remove(report)
    this.evicted += count
  }

  *#reports(): Iterable<StreamReport> {
    for (const streams of this.#exporters.values()) yield* streams.values()
  }
}

function withPast(report: StreamReport, past: StreamReport): StreamReport {
  const templates = report.templates.map((template) => {
    const same = past.templates.find(
      ({ id, options, fields }) => id === template.id && options === template.options && fields === template.fields,
    )
    return same === undefined ? template : { ...template, firstMs: Math.min(same.firstMs, template.firstMs) }
  })
  return { ...report, firstMs: Math.min(past.firstMs, report.firstMs), templates }
}
