// One watched address, or network of them, as the detector sees it: its recent rates and its normal, in total and by traffic class, and the incidents that go on.
import { futureSeconds } from '../aggregate/folder.ts'
import type { CounterColumns } from '../aggregate/sealed-slot.ts'
import { total } from '../vectors/compile.ts'
import { Baseline, type BaselineRows, learnEverySeconds, type Teaches } from './baseline.ts'
import { HeldBack } from './held-back.ts'
import type { Incident } from './incident.ts'
import type { PriorOf } from './prior.ts'
import type { RatePages } from './rate-pages.ts'
import { RateRing, ringSeconds } from './rates.ts'
import type { SavedTarget } from './saved-baselines.ts'
import { Season, type SeasonRows } from './season.ts'
import { mostPackets, noteChange, type RowRange, releaseRing, type Series, weightOf } from './series.ts'

/** Where targets have what there is much of, in common columns. */
export interface TargetMemory {
  rates: RatePages
  baselines: BaselineRows
  seasons: SeasonRows
}

/** Records end no further ahead: a target that was heard of later was so before the clock was set back. */
const aheadSeconds = futureSeconds + 1
/** A class first seen late has a history of zeros, but not an endless one. */
const zerosMax = 120

/** So long the traffic of an address without an attack is kept second by second; what is older, in longer steps. Seconds. */
const exactSeconds = 90
/** After a longer one what was normal before it may be of another time of day. Seconds. */
const gapSecondsMax = 3_600

/** Between what was saved and the start. Unix time, seconds. */
export interface Gap {
  savedSecond: number
  nowSecond: number
  learnSeconds: number
}

/** Fewer flows a second are what rounding leaves of records that are over. */
export const flowsMin = 1e-6
/** Classes of a target at a time. Hosts have some ten; who sends of everything must not fill the memory. */
const classesMax = 64
/** What a class had so long ago keeps its place. Seconds. */
const weighedSeconds = 60
/** A class of less than this is none that a target has. Packets a second. */
const levelMin = 1
/** Of so many values at least it is said what is normal. */
const valuesMin = 4

export class Target {
  protected readonly memory: TargetMemory
  readonly #season: Season
  /** Stands in until there is a normal of its own. */
  readonly #priorOf: PriorOf
  /** The first of them, of a network. That of an area changes as networks join it. */
  address: number
  /** Prefix length, in bits: 32, or less for a network, which is what all its addresses get together. Likewise. */
  length: number
  /** When it was first heard of, Unix time, seconds. */
  sinceSecond: number
  readonly heldBack = new HeldBack()
  /** When it last had traffic, Unix time, seconds. */
  lastHeardSecond: number
  /** Attacks until then are over: records that come still later make no new ones of them. Unix time, seconds. */
  overThrough = 0
  /** Since when it has learnt without a gap, and the first second whose rates it has, Unix time, seconds. */
  #learnsSince: number
  #ratesSince: number
  /** Whether it had learnt what is normal before a gap: that stands in, too, while it learns anew. */
  #hadLearnt = false
  /** Whether that is long enough to compare its traffic with what is normal for it. */
  learnt = false
  /** Attacks of known vectors were there until then: they teach nothing. Unix time, seconds. */
  attackedThrough = 0
  readonly total: Series
  /** By class, with `total`. */
  readonly series = new Map<number, Series>()
  incidents: Incident[] = []
  /** Networks side by side that are attacked alike, a /24 among them: see area.ts. */
  areas: Target[] = []
  /** The /24s that an area consists of, by address; every other target has none. */
  wholes: readonly Target[] = []
  /** No class whose place may be taken is lighter, as far as was found out since it was last judged: all need not be weighed for each that comes. */
  #leastWeight = 0

  constructor(origin: TargetOrigin, second: number) {
    this.memory = origin.memory
    this.#season = new Season(origin.memory.seasons)
    this.#priorOf = origin.priorOf
    this.address = origin.address
    this.length = origin.length
    this.sinceSecond = second
    this.lastHeardSecond = second
    this.#learnsSince = second
    this.#ratesSince = second
    this.total = this.#createSeries(total, 0)
  }

  /** Applies the differences of some rows of one class; false when there was no place for all: it, or a lighter one, has none. What all classes get is for `raiseTotal`. */
  raise(trafficClass: number, counters: CounterColumns, rows: RowRange): boolean {
    const hasPlace = this.series.has(trafficClass) || this.hasPlace
    if (!hasPlace && !this.#makePlace(mostPackets(counters, rows))) return false
    this.#raiseSeries(this.seriesOf(trafficClass, counters.second[rows.from]), counters, rows)
    return hasPlace
  }

  raiseTotal(counters: CounterColumns, rows: RowRange): void {
    this.lastHeardSecond = Math.max(this.lastHeardSecond, counters.second[rows.from])
    this.#raiseSeries(this.total, counters, rows)
  }

  get isNetwork(): boolean {
    return this.length < 32
  }

  get learnsSince(): number {
    return this.#learnsSince
  }

  /** Before so many it has not learnt enough values, however long it is known. */
  get secondsToLearn(): number {
    return (valuesMin - this.total.baseline.count) * learnEverySeconds
  }

  /** Hours of the week whose usual traffic is known. */
  get seasonHours(): number {
    return this.#season.hours
  }

  /** Whether an attack on it goes on. */
  get inIncident(): boolean {
    return this.incidents.some(({ isOver }) => !isOver)
  }

  /** Whether seconds changed since it was last judged. */
  get isChanged(): boolean {
    return this.total.changedFrom < this.total.changedTo
  }

  /** Forgets which seconds changed: they have been judged. */
  judged(): void {
    this.#leastWeight = 0
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
    const back = nowSecond - Math.max(this.lastHeardSecond, this.sinceSecond)
    this.sinceSecond += back
    this.#learnsSince += back
    this.#ratesSince = nowSecond
    this.lastHeardSecond = nowSecond
    this.overThrough = 0
    this.attackedThrough = 0
    for (const series of this.series.values()) releaseRing(series)
    this.judged()
  }

  /** Nothing was heard for so long, of nobody: the service stood still, or the clock was set forward. It has learnt nothing meanwhile. */
  missed(seconds: number, nowSecond: number): void {
    this.sinceSecond = Math.min(this.sinceSecond + seconds, nowSecond)
    this.#learnsSince = Math.min(this.#learnsSince + seconds, nowSecond)
  }

  /** Gives back what only traffic needs. */
  release(nowSecond: number): void {
    if (this.inIncident) return
    // The sums of an attack are exact to its last second, and late records may still raise them.
    const attacks = [...this.incidents, ...this.areas.flatMap(({ incidents }) => incidents)]
    const isExact = attacks.some(({ isSettled }) => !isSettled)
    for (const series of this.series.values()) {
      if (series.ring !== null && series.ring.last < nowSecond - ringSeconds) releaseRing(series)
      if (!isExact) series.ring?.coarsen(nowSecond - exactSeconds)
      // Made anew, it would begin with a history of zeros, which is what it has.
      const { recent, usual } = series.baseline
      if (series.ring !== null || series === this.total || Math.max(recent, usual) >= levelMin) continue
      this.#drop(series)
    }
  }

  /** Gives all of its memory back; it is not to be used any more. */
  forget(): void {
    for (const { baseline } of this.series.values()) baseline.release()
    this.#season.release()
  }

  /** True when there has been no traffic since. */
  isForgotten(sinceSecond: number): boolean {
    if (this.incidents.length + this.areas.length > 0) return false
    return this.total.ring === null && this.lastHeardSecond < sinceSecond
  }

  /** Whether it was attacked in that second or since, by a known vector. */
  isAttackedSince(second: number): boolean {
    return (
      second <= this.attackedThrough ||
      this.areas.some((area) => area.isAttackedSince(second)) ||
      this.incidents.some((incident) => !incident.isOver && !incident.mayBeNormal(second))
    )
  }

  /** Learns the seconds `from` to `to` (exclusive), which no late record changes any more. */
  learn(from: number, to: number, attacked: boolean): void {
    if (from < this.#ratesSince) return
    const seconds = to - from
    // Nothing is known yet that an attack could be compared with: it is as if these seconds had not been.
    if (attacked && !this.learnt) {
      this.#learnsSince += seconds
      return
    }
    const teaches = this.#teaches(attacked)
    for (const series of this.series.values()) {
      const { ring, baseline } = series
      const window = ring?.sum(from, to)
      const packets = window?.packets ?? 0
      const sampling = window !== undefined && window.observed > 0 ? window.packets / window.observed : 1
      const noise = Math.sqrt((sampling * Math.max(baseline.mean, 1)) / seconds)
      const rate = packets / seconds
      if (series === this.total) this.#season.learn(from, teaches === 'nothing' ? Math.min(rate, baseline.mean) : rate)
      baseline.learn(rate, noise, teaches)
      if (window !== undefined && packets > 0 && !attacked && !this.inIncident)
        baseline.learnLength(window.bytes / packets)
    }
  }

  /** Says anew what is normal by now: its own, once that has been learnt for so long, else that of others. */
  settle(nowSecond: number, learnSeconds: number): void {
    this.learnt = nowSecond - this.#learnsSince >= learnSeconds && this.secondsToLearn <= 0
    const seasonal = this.#season.levelAt(nowSecond)
    const { usual } = this.total.baseline
    for (const { trafficClass, baseline } of this.series.values()) {
      const share = usual > 0 ? Math.min(1, baseline.usual / usual) : 0
      const own = this.learnt || this.#hadLearnt ? Math.max(baseline.recent, seasonal * share) : 0
      baseline.level = this.learnt ? own : Math.max(own, this.#priorOf(trafficClass))
    }
  }

  save(): SavedTarget {
    const classes = [...this.series.values()].map(({ trafficClass, baseline }) => ({
      trafficClass,
      numbers: baseline.save(),
    }))
    const { address, length, sinceSecond, lastHeardSecond } = this
    return {
      ...{ address, length, sinceSecond, heardSecond: lastHeardSecond },
      ...{ learnsSince: this.#learnsSince, hadLearnt: this.#hadLearnt, season: this.#season.save(), classes },
    }
  }

  /** To be called before anything else. After a long gap the average and its spread are learnt anew; the peak and the season stay. */
  restore(saved: SavedTarget, { savedSecond, nowSecond, learnSeconds }: Gap): void {
    const seconds = nowSecond - savedSecond
    const isLong = seconds > gapSecondsMax
    // Of a clock that was set back nobody knows how long the gap was: what was is moved to before now.
    const back = Math.min(0, seconds)
    this.sinceSecond = saved.sinceSecond + back
    this.lastHeardSecond = saved.heardSecond + back
    this.#learnsSince = isLong ? nowSecond : saved.learnsSince + seconds
    this.#hadLearnt = saved.hadLearnt || savedSecond - saved.learnsSince >= learnSeconds
    this.#season.restore(saved.season)
    for (const { trafficClass, numbers } of saved.classes) {
      if (!this.series.has(trafficClass) && !this.hasPlace) continue
      const { baseline } = this.seriesOf(trafficClass, nowSecond)
      baseline.restore(numbers)
      if (isLong) baseline.relearn()
    }
    this.settle(nowSecond, learnSeconds)
  }

  #teaches(attacked: boolean): Teaches {
    if (attacked) return 'nothing'
    return this.inIncident ? 'whole' : 'clipped'
  }

  protected get hasPlace(): boolean {
    return this.series.size <= classesMax
  }

  /** Takes the place of the lightest class, if that has less than so many packets a second and is in no attack: few packets keep no flood out. */
  #makePlace(rate: number): boolean {
    if (rate <= this.#leastWeight) return false
    let lightest: Series | null = null
    this.#leastWeight = Number.POSITIVE_INFINITY
    for (const series of this.series.values()) {
      if (series === this.total || this.#isAttackedBy(series)) continue
      const weight = weightOf(series, this.lastHeardSecond - weighedSeconds)
      if (weight >= this.#leastWeight) continue
      this.#leastWeight = weight
      lightest = series
    }
    if (lightest === null || this.#leastWeight >= rate) return false
    this.#drop(lightest)
    return true
  }

  #isAttackedBy({ trafficClass }: Series): boolean {
    return this.incidents.some((incident) => !incident.isOver && incident.follows(trafficClass))
  }

  #drop(series: Series): void {
    releaseRing(series)
    series.baseline.release()
    this.series.delete(series.trafficClass)
  }

  /** The series of a class, made when absent. */
  protected seriesOf(trafficClass: number, second: number): Series {
    const found = this.series.get(trafficClass)
    if (found !== undefined) return found
    const zeros = Math.min(zerosMax, Math.floor((second - this.sinceSecond) / learnEverySeconds))
    return this.#createSeries(trafficClass, Math.max(0, zeros))
  }

  #createSeries(trafficClass: number, zeros: number): Series {
    const series: Series = {
      trafficClass,
      baseline: new Baseline(this.memory.baselines, zeros),
      ring: null,
      changedFrom: Number.POSITIVE_INFINITY,
      changedTo: Number.NEGATIVE_INFINITY,
    }
    if (!this.learnt) series.baseline.level = this.#priorOf(trafficClass)
    this.series.set(trafficClass, series)
    return series
  }

  /** Adds the rates that the rows sum up to, second by second. */
  #raiseSeries(series: Series, counters: CounterColumns, rows: RowRange): void {
    const ring = series.ring ?? new RateRing(this.memory.rates, counters.second[rows.to - 1])
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
    noteChange(series, counters.second[rows.from], counters.second[rows.to - 1])
  }
}

export interface TargetOrigin {
  memory: TargetMemory
  /** The first of them, of a network. */
  address: number
  /** Of its prefix, in bits; 32: it is no network. */
  length: number
  priorOf: PriorOf
}
