// One watched address, or network of them, as the detector sees it: its recent rates and its normal, in total and by traffic class, and the incidents that go on.
import type { CounterColumns } from '../aggregate/sealed-slot.ts'
import { total } from '../vectors/compile.ts'
import {
  type Baseline,
  createBaseline,
  learn,
  learnEverySeconds,
  learnLength,
  level,
  type Teaches,
} from './baseline.ts'
import type { Incident } from './incident.ts'
import type { RatePages } from './rate-pages.ts'
import { RateRing, ringSeconds } from './rates.ts'

export interface Series {
  readonly trafficClass: number
  readonly baseline: Baseline
  /** Null while there has been no traffic for as long as a ring reaches. */
  ring: RateRing | null
  /** The seconds that changed since they were last judged; `changedTo` is not among them. */
  changedFrom: number
  changedTo: number
}

/** Records end a few seconds ahead at most: a target that was heard of further ahead was so before the clock was set back. */
const aheadSeconds = 60
/** A class first seen late has a history of zeros, but not an endless one. */
const zerosMax = 120

/** So long the traffic of an address without an attack is kept second by second; what is older, in longer steps. Seconds. */
const exactSeconds = 90

/** Fewer flows a second are what rounding leaves of records that are over. */
export const flowsMin = 1e-6
/** Classes of a target at a time. Hosts have some ten; who sends of everything must not fill the memory. */
const classesMax = 64
/** A class of less than this is none that a target has. Packets a second. */
const levelMin = 1

export class Target {
  readonly #memory: RatePages
  /** The first of them, of a network. */
  readonly address: number
  /** Whether it is a network: what all its addresses get together. */
  readonly isNetwork: boolean
  /** When it was first heard of, Unix time, seconds. */
  sinceSecond: number
  /** When it last had traffic, Unix time, seconds. */
  lastHeardSecond: number
  /** Attacks until then are over: records that come still later make no new ones of them. Unix time, seconds. */
  overThrough = 0
  readonly total: Series
  /** By class, with `total`. */
  readonly series = new Map<number, Series>()
  incidents: Incident[] = []

  constructor(memory: RatePages, address: number, isNetwork: boolean, second: number) {
    this.#memory = memory
    this.address = address
    this.isNetwork = isNetwork
    this.sinceSecond = second
    this.lastHeardSecond = second
    this.total = createSeries(total, 0)
    this.series.set(total, this.total)
  }

  /** The series of a class, made when absent; null when it has too many. */
  seriesOf(trafficClass: number, second: number): Series | null {
    const found = this.series.get(trafficClass)
    if (found !== undefined) return found
    if (this.series.size > classesMax) return null
    const zeros = Math.min(zerosMax, Math.floor((second - this.sinceSecond) / learnEverySeconds))
    const series = createSeries(trafficClass, Math.max(0, zeros))
    this.series.set(trafficClass, series)
    return series
  }

  /** Applies the differences of some rows of one class; false when there is no place for it. What all classes get is for `raiseTotal`. */
  raise(trafficClass: number, counters: CounterColumns, rows: RowRange): boolean {
    const series = this.seriesOf(trafficClass, counters.second[rows.from])
    if (series !== null) this.#raiseSeries(series, counters, rows)
    return series !== null
  }

  raiseTotal(counters: CounterColumns, rows: RowRange): void {
    this.lastHeardSecond = Math.max(this.lastHeardSecond, counters.second[rows.from])
    this.#raiseSeries(this.total, counters, rows)
  }

  /** True when there has been a normal to learn for long enough. */
  isLearnt(second: number, learnSeconds: number): boolean {
    return second - this.sinceSecond >= learnSeconds
  }

  /** Whether an attack on it goes on. */
  get inIncident(): boolean {
    return this.incidents.some(({ isOver }) => !isOver)
  }

  /** Forgets which seconds changed: they have been judged. */
  judged(): void {
    for (const series of this.series.values()) {
      series.changedFrom = Number.POSITIVE_INFINITY
      series.changedTo = Number.NEGATIVE_INFINITY
    }
  }

  /** True when the clock has been set back since it was heard of. */
  isAheadOf(nowSecond: number): boolean {
    return Math.max(this.lastHeardSecond, this.sinceSecond) > nowSecond + aheadSeconds
  }

  /** Forgets its traffic, whose seconds are still to come, and keeps what is normal. */
  startOver(nowSecond: number): void {
    this.sinceSecond += nowSecond - Math.max(this.lastHeardSecond, this.sinceSecond)
    this.lastHeardSecond = nowSecond
    this.overThrough = 0
    for (const series of this.series.values()) releaseRing(series)
    this.judged()
  }

  /** Gives back what only traffic needs. */
  release(nowSecond: number): void {
    if (this.inIncident) return
    for (const series of this.series.values()) {
      if (series.ring !== null && series.ring.last < nowSecond - ringSeconds) releaseRing(series)
      series.ring?.coarsen(nowSecond - exactSeconds)
      // Made anew, it would begin with a history of zeros, which is what it has.
      const isNothing = series.ring === null && series !== this.total && level(series.baseline) < levelMin
      if (isNothing) this.series.delete(series.trafficClass)
    }
  }

  /** True when there has been no traffic since. */
  isForgotten(sinceSecond: number): boolean {
    return this.incidents.length === 0 && this.total.ring === null && this.lastHeardSecond < sinceSecond
  }

  /** Learns the seconds `from` to `to` (exclusive), which no late record changes any more. */
  learn(from: number, to: number): void {
    if (from < this.sinceSecond) return
    const teaches = this.#teaches()
    for (const { ring, baseline } of this.series.values()) {
      const window = ring?.sum(from, to)
      const seconds = to - from
      const packets = window?.packets ?? 0
      const sampling = window !== undefined && window.observed > 0 ? window.packets / window.observed : 1
      const noise = Math.sqrt((sampling * Math.max(baseline.mean, 1)) / seconds)
      learn(baseline, packets / seconds, noise, teaches)
      if (window !== undefined && packets > 0 && !this.inIncident) learnLength(baseline, window.bytes / packets)
    }
  }

  #teaches(): Teaches {
    if (!this.inIncident) return 'clipped'
    return this.incidents.every(({ label, isOver }) => label === null || isOver) ? 'whole' : 'nothing'
  }

  /** Adds the rates that the rows sum up to, second by second. */
  #raiseSeries(series: Series, counters: CounterColumns, rows: RowRange): void {
    const ring = series.ring ?? new RateRing(this.#memory, counters.second[rows.to - 1])
    series.ring = ring
    let packets = 0
    let bytes = 0
    let flows = 0
    let observed = 0
    for (let row = rows.from; row < rows.to - 1; row++) {
      packets += counters.packets[row]
      bytes += counters.bytes[row]
      flows += counters.flows[row]
      observed += counters.observed[row]
      if (flows < flowsMin) continue
      const second = counters.second[row]
      ring.raise(second, counters.second[row + 1], packets, bytes, flows, observed)
      ring.note(second, counters.sources[row], counters.ports[row])
    }
    series.changedFrom = Math.min(series.changedFrom, counters.second[rows.from])
    series.changedTo = Math.max(series.changedTo, counters.second[rows.to - 1])
  }
}

function releaseRing(series: Series): void {
  series.ring?.release()
  series.ring = null
}

function createSeries(trafficClass: number, zeros: number): Series {
  return {
    trafficClass,
    baseline: createBaseline(zeros),
    ring: null,
    changedFrom: Number.POSITIVE_INFINITY,
    changedTo: Number.NEGATIVE_INFINITY,
  }
}

/** Some rows of a slot: `to` is not among them. */
export interface RowRange {
  from: number
  to: number
}
