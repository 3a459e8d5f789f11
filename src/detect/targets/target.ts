// One watched address or network: its recent rates and its normal, in total and by traffic class, and its incidents.
import { futureSeconds } from '../../aggregate/folder.ts'
import type { CounterColumns } from '../../aggregate/sealed-slot.ts'
import { addressLength } from '../../net/network.ts'
import { total } from '../../vectors/compile.ts'
import type { Incident } from '../incidents/incident.ts'
import { normal as lines } from '../lines/normal.ts'
import { Baseline, type Teaches } from '../normal/baseline.ts'
import { boundOf, learnBounded } from '../normal/bounds.ts'
import type { PriorOf } from '../normal/prior.ts'
import type { SavedTarget } from '../normal/saved-baselines.ts'
import { Season } from '../normal/season.ts'
import { ExporterDelay } from '../rates/exporter-delay.ts'
import { ringSeconds } from '../rates/rates.ts'
import {
  mostPackets,
  noteChange,
  type RowRange,
  raiseSeries,
  releaseRing,
  type Series,
  weightOf,
} from '../rates/series.ts'
import { NearLines } from './near-lines.ts'
import type { TargetMemory, TargetOrigin } from './target-origin.ts'

/** Records end no further ahead of the clock, seconds: later traffic came before the clock was set back. */
const aheadSeconds = futureSeconds + 1
const { learnEverySeconds, zerosMax, exactSeconds, gapSecondsMax, freeSeconds } = lines
const { classesMax, weighedSeconds, levelMin, valuesMin } = lines

/** The gap between what was saved and the start. Unix time, seconds. */
export interface Gap {
  savedSecond: number
  nowSecond: number
  learnSeconds: number
}

export class Target {
  protected readonly memory: TargetMemory
  readonly #season: Season
  /** Normal of others, which stands in until it has its own. */
  readonly #priorOf: PriorOf
  /** IPv4 address, the first one of a network. That of an area changes as networks join it. */
  address: number
  /** Prefix length, bits: 32, or less for a network. That of an area changes likewise. */
  length: number
  /** First traffic, Unix time, seconds. */
  sinceSecond: number
  /** Delay of the exporters that report its traffic. */
  readonly exporterDelay = new ExporterDelay()
  /** Last traffic, Unix time, seconds. */
  lastHeardSecond: number
  /** Last second of attacks that are over: later records of it make no new ones. Unix time, seconds. */
  overThrough = 0
  /** Beginning of learning without a gap, and of its rates, Unix time, seconds. */
  #learnsSince: number
  #ratesSince: number
  /** Whether normal was learnt before a gap: it stands in while it is learnt again. */
  #hadLearnt = false
  /** Whether it has learnt long enough to compare its traffic with normal. */
  learnt = false
  /** Last second of attacks of known vectors, which teach nothing. Unix time, seconds. */
  attackedThrough = 0
  readonly total: Series
  /** Series by class, `total` among them. */
  readonly series = new Map<number, Series>()
  readonly nearLines = new NearLines()
  /** Whether it is in `KnownTargets.changed`. Of addresses alone: networks are judged whenever something of them changed. */
  isToBeJudged = false
  incidents: Incident[] = []
  /** Areas that this /24 is part of: see incidents/area.ts. */
  areas: Target[] = []
  /** The /24s of an area by address; other targets have none. */
  wholes: readonly Target[] = []
  /** The class whose ring is that of all traffic; null: none. */
  #only: Series | null = null
  /** Lower bound of the weight of classes whose place may be taken, since the last pass: it saves weighing all for each class that comes. */
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

  /**
   * Applies rows of a class that are all its traffic in their seconds; gives the same as `raise`. As long as all traffic is of one class, both have one ring.
   */
  raiseAlone(trafficClass: number, counters: CounterColumns, rows: RowRange): boolean {
    const isOneRing = this.total.ring === (this.series.get(trafficClass)?.ring ?? null)
    if (!isOneRing) this.#part()
    const hasPlace = this.#raiseClass(trafficClass, counters, rows)
    const series = this.series.get(trafficClass)
    if (!isOneRing || series === undefined) {
      this.raiseTotal(counters, rows)
      return hasPlace
    }
    this.total.ring = series.ring
    this.#only = series
    this.#heard(counters, rows)
    noteChange(this.total, counters.second[rows.from], counters.second[rows.to - 1])
    return hasPlace
  }

  /** Applies rows of differences of one class. False when there was no place for all classes: this one, or a lighter one, has none. */
  raise(trafficClass: number, counters: CounterColumns, rows: RowRange): boolean {
    this.#part()
    return this.#raiseClass(trafficClass, counters, rows)
  }

  raiseTotal(counters: CounterColumns, rows: RowRange): void {
    this.#part()
    this.#heard(counters, rows)
    raiseSeries(this.total, this.memory.rates, counters, rows)
  }

  #heard({ second }: CounterColumns, { from }: RowRange): void {
    this.lastHeardSecond = Math.max(this.lastHeardSecond, second[from])
  }

  #raiseClass(trafficClass: number, counters: CounterColumns, rows: RowRange): boolean {
    const hasPlace = this.series.has(trafficClass) || this.hasPlace
    if (!hasPlace && !this.#makePlace(mostPackets(counters, rows))) return false
    raiseSeries(this.seriesOf(trafficClass, counters.second[rows.from]), this.memory.rates, counters, rows)
    return hasPlace
  }

  get isNetwork(): boolean {
    return this.length < addressLength
  }

  get learnsSince(): number {
    return this.#learnsSince
  }

  /** Seconds until it has learnt enough values, however long it is known. */
  get secondsToLearn(): number {
    return (valuesMin - this.total.baseline.count) * learnEverySeconds
  }

  /** Number of hours of the week with known usual traffic. */
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

  /** Ends a pass: forgets which seconds changed. */
  judged(): void {
    this.isToBeJudged = false
    this.#leastWeight = 0
    for (const series of this.series.values()) {
      series.changedFrom = Number.POSITIVE_INFINITY
      series.changedTo = Number.NEGATIVE_INFINITY
    }
  }

  /** Whether the clock has been set back since its last traffic. */
  isAheadOf(nowSecond: number): boolean {
    return Math.max(this.lastHeardSecond, this.sinceSecond) > nowSecond + aheadSeconds
  }

  /** Forgets its traffic, whose seconds are still to come, and keeps its normal. */
  startOver(nowSecond: number): void {
    const back = nowSecond - Math.max(this.lastHeardSecond, this.sinceSecond)
    this.sinceSecond += back
    this.#learnsSince += back
    this.#ratesSince = nowSecond
    this.lastHeardSecond = nowSecond
    this.overThrough = 0
    this.attackedThrough = 0
    for (const series of this.series.values()) this.#releaseRing(series)
    this.judged()
  }

  /** Leaves out seconds without any traffic at all: the service stood still, or the clock was set forward. */
  missed(seconds: number, nowSecond: number): void {
    this.sinceSecond = Math.min(this.sinceSecond + seconds, nowSecond)
    this.#learnsSince = Math.min(this.#learnsSince + seconds, nowSecond)
  }

  /** Gives back memory that only traffic needs. */
  release(nowSecond: number): void {
    if (this.inIncident) return
    // The sums of an attack are exact to its last second, and late records may still raise them.
    const attacks = [...this.incidents, ...this.areas.flatMap(({ incidents }) => incidents)]
    const isExact = attacks.some(({ isSettled }) => !isSettled)
    for (const series of this.series.values()) {
      if (series.ring !== null && series.ring.last < nowSecond - ringSeconds) this.#releaseRing(series)
      if (!isExact) series.ring?.coarsen(nowSecond - exactSeconds)
      // A new series would begin with a history of zeros, which is what it has.
      const { recent, usual } = series.baseline
      if (series.ring !== null || series === this.total || Math.max(recent, usual) >= levelMin) continue
      this.#drop(series)
    }
  }

  /** Gives all of its memory back; it must not be used any more. */
  forget(): void {
    for (const series of this.series.values()) {
      series.baseline.release()
      this.#releaseRing(series)
    }
    this.#season.release()
  }

  /** Whether there has been no traffic since a second. */
  isForgotten(sinceSecond: number): boolean {
    if (this.incidents.length + this.areas.length > 0) return false
    return this.total.ring === null && this.lastHeardSecond < sinceSecond
  }

  /** Whether it was attacked by a known vector in a second or since. */
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
    // There is no normal yet that an attack could be compared with: these seconds are left out.
    if (attacked && !this.learnt) {
      this.#learnsSince += seconds
      return
    }
    const teaches = this.#teaches(attacked)
    const circumstances = { isNew: this.#isNewAt(from), all: this.series, from, to }
    for (const series of this.series.values()) {
      const { ring, baseline } = series
      const window = ring?.sum(from, to)
      const packets = window?.packets ?? 0
      const sampling = window !== undefined && window.observed > 0 ? window.packets / window.observed : 1
      const noise = Math.sqrt((sampling * Math.max(baseline.mean, 1)) / seconds)
      const rate = packets / seconds
      if (series === this.total) this.#season.learn(from, teaches === 'nothing' ? Math.min(rate, baseline.mean) : rate)
      learnBounded(series, { rate, noise, teaches }, circumstances)
      if (window !== undefined && packets > 0 && !attacked && !this.inIncident)
        baseline.learnLength(window.bytes / packets)
    }
  }

  /** Settles what is normal now: its own once learnt, else that of others. */
  settle(nowSecond: number, learnSeconds: number): void {
    this.learnt = nowSecond - this.#learnsSince >= learnSeconds && this.secondsToLearn <= 0
    const seasonal = this.#season.levelAt(nowSecond)
    const { usual } = this.total.baseline
    const isNew = this.#isNewAt(nowSecond)
    for (const { trafficClass, baseline } of this.series.values()) {
      const share = usual > 0 ? Math.min(1, baseline.usual / usual) : 0
      const most = isNew ? Number.POSITIVE_INFINITY : baseline.mostOf(boundOf(trafficClass))
      const ofHour = Math.min(seasonal * share, most)
      const own = this.learnt || this.#hadLearnt ? Math.max(baseline.recent, ofHour) : 0
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

  /** Restores what was saved. After a long gap the average and its spread are learnt again; peak and season stay. The caller does this before anything else. */
  restore(saved: SavedTarget, { savedSecond, nowSecond, learnSeconds }: Gap): void {
    const seconds = nowSecond - savedSecond
    const isLong = seconds > gapSecondsMax
    // The gap is unknown when the clock was set back: the saved times are moved to before now.
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

  /** Whether it is known for too short a time to be bounded. */
  #isNewAt(second: number): boolean {
    return second - this.sinceSecond < freeSeconds
  }

  #teaches(attacked: boolean): Teaches {
    if (attacked) return 'nothing'
    return this.inIncident ? 'whole' : 'clipped'
  }

  protected get hasPlace(): boolean {
    return this.series.size <= classesMax
  }

  /** Frees the place of the lightest class, if it has less than `rate` packets a second and is in no attack: few packets keep no flood out. */
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
    this.#releaseRing(series)
    series.baseline.release()
    this.series.delete(series.trafficClass)
  }

  /** Gives all traffic a ring of its own: there is traffic of another class. */
  #part(): void {
    if (this.#only === null) return
    this.#only = null
    this.total.ring = this.total.ring?.copy() ?? null
  }

  #releaseRing(series: Series): void {
    const isShared = this.#only !== null && (series === this.total || series === this.#only)
    if (!isShared) {
      releaseRing(series)
      return
    }
    // The other has it now for itself.
    series.ring = null
    this.#only = null
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
}
