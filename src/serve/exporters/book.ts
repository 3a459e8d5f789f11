// The exporters that are known: the latest report of each of their streams, in memory while data comes and from the store after a restart.
// Bounded: the address with most of them makes room, and a stream that has worked for minutes gives way to no newcomer. Newcomers are saved
// while there are few.

import type { Clock } from '../../clock.ts'
import { type ExporterHealth, exportersOf } from '../../collect/health/exporter.ts'
import { happeningsOf } from '../../collect/health/notice.ts'
import { mergeReceptions, type Reception } from '../../collect/health/reception.ts'
import {
  hasWorked,
  octetsOfReport,
  type StreamName,
  type StreamReport,
  streamKey,
} from '../../collect/health/report.ts'
import { FairTable, type Place } from '../../fair-table.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'
import type { ExporterNotices } from './notices.ts'

const saveEveryMs = 60_000
/** Age up to which a list is used again; a report ends it earlier. */
const listGoodMs = 1_000
/** What the reports may take: some five thousand of exporters in good order, whose rates and templates are few. */
const octetsMaxDefault = 8 << 20
/** Newcomers are saved while the reports take less than this part of the room: a flood of them is not written. */
const savedPart = 1 / 8
/** Silence after which an exporter is forgotten. */
const forgetAfterMs = 30 * 86_400_000
const forgetStreamAfterMs = 86_400_000
/** An installation knows its exporters when one has been heard for as long. */
const learntMs = 3_600_000
/** A refusal is news again after as long. */
const refusedAgainMs = 3_600_000

interface ExporterBookOptions {
  store: Pick<Store, 'saveStreamReports' | 'loadStreamReports' | 'deleteStreamReports'>
  clock: Clock
  log: Logger
  notices: Pick<ExporterNotices, 'note'>
  octetsMax?: number
}

interface Known {
  report: StreamReport
  place: Place<StreamReport>
  /** The store has one of it, or is to have. */
  isSaved: boolean
}

export class ExporterBook {
  readonly #options: ExporterBookOptions
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  /** By address, then by key. */
  readonly #exporters = new Map<string, Map<string, Known>>()
  readonly #places: FairTable<StreamReport>
  readonly #savedOctets: number
  readonly #receptions = new Map<string, Reception>()
  /** What the store does not have yet, and what it still has, by key. */
  #unsaved = new Map<string, StreamReport>()
  #gone = new Map<string, StreamName>()
  /** When datagrams of exporters that had worked were refused last. */
  readonly #refusedMs = new Map<string, number>()
  /** Whether the exporters of the installation are known, so that another one is news. */
  #isLearnt = false
  /** The last list: a scrape asks several times. */
  #listed: { atMs: number; exporters: ExporterHealth[] } | null = null

  constructor(options: ExporterBookOptions) {
    this.#options = options
    const max = options.octetsMax ?? octetsMaxDefault
    this.#savedOctets = max * savedPart
    this.#places = new FairTable({
      ...{ max, provenMax: Math.floor((max * 3) / 4), idleMs: forgetStreamAfterMs },
      onGiveWay: (report) => this.#remove(report),
    })
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
      for (const report of await this.#options.store.loadStreamReports()) this.#put(report, true)
    } catch (error) {
      this.#options.log.error({ err: error }, 'the exporters of earlier runs could not be read')
    }
    this.#learn()
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
    await this.save()
  }

  /** A collector's report: the streams that changed. */
  take(collector: string, streams: readonly StreamReport[], reception: Reception): void {
    this.#receptions.set(collector, reception)
    this.#noteRefused(reception)
    for (const stream of streams) {
      const isNewSender = this.#isLearnt && !this.#hasBrought(stream.address)
      const before = this.#exporters.get(stream.address)?.get(streamKey(stream))?.report ?? null
      const { report, earlier } = this.#continued(stream)
      for (const happening of happeningsOf(report, { report: before, earlier, isNewSender })) {
        this.#options.notices.note(happening, report.address, hasWorked(report))
      }
      const isSaved = hasWorked(report) || this.#places.size < this.#savedOctets
      if (this.#put(report, isSaved) && isSaved) this.#unsaved.set(streamKey(report), report)
    }
  }

  /** Streams forgotten to make room. */
  get evicted(): number {
    return this.#places.crowding().gaveWay
  }

  list(): ExporterHealth[] {
    const nowMs = this.#options.clock.now()
    if (this.#listed === null || nowMs < this.#listed.atMs || nowMs - this.#listed.atMs >= listGoodMs) {
      this.#listed = { atMs: nowMs, exporters: exportersOf(this.reports(), nowMs, this.#refusedMs) }
    }
    return this.#listed.exporters
  }

  /** One exporter after the other, each as it is when it is its turn: whoever takes their time holds up nobody. */
  *each(): Iterable<ExporterHealth> {
    for (const address of this.#exporters.keys()) {
      const exporter = this.find(address)
      if (exporter !== null) yield exporter
    }
  }

  find(address: string): ExporterHealth | null {
    const streams = this.#exporters.get(address)
    if (streams === undefined) return null
    return exportersOf(
      [...streams.values()].map(({ report }) => report),
      this.#options.clock.now(),
      this.#refusedMs,
    )[0]
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
    this.#learn()
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
      const reports = [...streams.values()].map(({ report }) => report)
      const lastMs = Math.max(...reports.map((report) => report.lastMs))
      // While an exporter goes on, a stream that does not is one that it has no more.
      const afterMs = nowMs - lastMs < forgetStreamAfterMs ? forgetStreamAfterMs : forgetAfterMs
      for (const report of reports) if (nowMs - report.lastMs > afterMs) this.#remove(report)
    }
  }

  #learn(): void {
    const beforeMs = this.#options.clock.now() - learntMs
    this.#isLearnt = [...this.reports()].some((report) => hasWorked(report) && report.firstMs <= beforeMs)
  }

  #hasBrought(address: string): boolean {
    for (const { report } of this.#exporters.get(address)?.values() ?? []) if (report.counters.records > 0) return true
    return false
  }

  #noteRefused({ refusedSenders }: Reception): void {
    for (const { address, workedBefore, lastMs } of refusedSenders) {
      if (!workedBefore) continue
      const beforeMs = this.#refusedMs.get(address) ?? Number.NEGATIVE_INFINITY
      if (lastMs <= beforeMs) continue
      this.#refusedMs.set(address, lastMs)
      this.#listed = null
      if (lastMs - beforeMs < refusedAgainMs) continue
      const text = 'it is not on the list of who may send, and had brought flows before'
      this.#options.notices.note({ kind: 'refused', text, details: {} }, address, true)
    }
  }

  /** The report with the past of its stream: the first datagram and the templates. */
  #continued(report: StreamReport): { report: StreamReport; earlier: StreamReport | null } {
    const known = this.#exporters.get(report.address)?.get(streamKey(report))
    if (known !== undefined) return { report: withPast(report, known.report), earlier: null }
    // An exporter that starts again sends from another port: its past goes on.
    const earlier = [...(this.#exporters.get(report.address)?.values() ?? [])]
      .map((each) => each.report)
      .filter(({ domain, lastMs }) => domain === report.domain && lastMs < report.firstMs)
    for (const each of earlier) this.#remove(each)
    return { report: earlier.reduce(withPast, report), earlier: earlier.at(-1) ?? null }
  }

  /** False: there is no room for it. */
  #put(report: StreamReport, toSave: boolean): boolean {
    const key = streamKey(report)
    const { address: holder, lastMs: nowMs } = report
    const before = this.#exporters.get(holder)?.get(key)
    const isSaved = toSave || before?.isSaved === true
    if (before !== undefined) this.#places.leave(before.place)
    this.#listed = null
    const place = this.#places.take(report, { holder, nowMs, weight: octetsOfReport(report) })
    if (place === null) {
      this.#remove(report)
      return false
    }
    this.#places.touch(place, nowMs)
    if (hasWorked(report)) this.#places.prove(place, nowMs)
    const streams = this.#exporters.get(holder) ?? new Map<string, Known>()
    this.#exporters.set(holder, streams.set(key, { report, place, isSaved }))
    this.#gone.delete(key)
    return true
  }

  #remove({ address, protocol, port, domain }: StreamName): void {
    const name = { address, protocol, port, domain }
    const key = streamKey(name)
    const streams = this.#exporters.get(address)
    const known = streams?.get(key)
    if (known !== undefined) this.#places.leave(known.place)
    streams?.delete(key)
    if (streams?.size === 0) {
      this.#exporters.delete(address)
      this.#refusedMs.delete(address)
    }
    this.#unsaved.delete(key)
    if (known?.isSaved) this.#gone.set(key, name)
    this.#listed = null
  }

  /** The latest of all streams. */
  *reports(): Iterable<StreamReport> {
    for (const streams of this.#exporters.values()) for (const { report } of streams.values()) yield report
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
