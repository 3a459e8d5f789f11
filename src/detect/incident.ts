// One attack on one address, by the vectors that began together, from when it was judged until it has been quiet for long enough: what it amounts to
// so far.
// Its sums are exact though records arrive late: seconds that may still change are counted anew for each report.
import { total } from '../vectors/compile.ts'
import { beginOf, lastActive, spanSeconds } from './activity.ts'
import { type Candidate, explainingShare } from './candidates.ts'
import { CourseLog } from './course.ts'
import type { Evidence } from './evidence.ts'
import type { Followed, IncidentState, ResumedIncident, VectorShare, Victims, Why } from './incident-report.ts'
import { noVictims } from './incident-report.ts'
import { type Alarm, quietBelow, quietRatio } from './judge.ts'
import { wholeLength } from './networks.ts'
import { type RateRing, ringSeconds } from './rates.ts'
import type { Target } from './target.ts'

/** Seconds older than this do not change any more. */
const settledSeconds = ringSeconds - 40

/** Longer than any exporter holds records back by default, no more is waited for news. Seconds. */
const waitMax = 120

/** What was there before normal was known, and may be ordinary, is taken for normal when it stays for so long. Seconds. */
const provisionalSeconds = 7_200

export interface IncidentOrigin {
  address: number
  /** Of the prefix that is attacked, in bits; less than 32: it is the network of the address. */
  length: number
  trafficClass: number
  label: string | null
  besides: readonly string[]
  alarm: Alarm
  evidence: Evidence
  /** It began no earlier, Unix time, seconds. */
  earliest: number
  /** How far back the records reach that show it, seconds. */
  heldSeconds: number
  /** Whether hosts may have such traffic, and nobody knew whether this one has. */
  isProvisional: boolean
}

/** The rates of a class of the target; null: there is no traffic. */
export type RingOf = (trafficClass: number) => RateRing | null

/** The target's rates: of the incident's heaviest class, and of all traffic, which it amounts to. */
export interface IncidentRates {
  ofClass: RateRing | null
  ofTotal: RateRing | null
  /** What is normal for the class by now, packets a second. */
  normal: number
  /** And for all traffic; null while not learnt. */
  normalOfTotal: number | null
}

/** One of the vectors that it is made of. */
export interface Part {
  label: string | null
  /** See `Vector.besides`. */
  besides: readonly string[]
  /** Packets a second of its class below which it is quiet. */
  quietBelow: number
  /** Null: it is not known after a restart. */
  why: Why | null
}

/** More than there are traffic classes. */
const lengthKind = 0x0100_0000
const networkKind = 0x8000_0000

/** Vectors that begin within so long of each other are one attack. Seconds. */
const togetherSeconds = 15
/** So long after its beginning the heaviest of its vectors gives it its label. Seconds. */
const youngSeconds = 60
/** A vector that has less than such a part of the packets of what is of unknown kind does not name it. */
const namingShare = 0.1

export class Incident {
  id: string
  /** Of its heaviest vector. */
  trafficClass: number
  label: string | null
  readonly address: number
  #length: number
  readonly evidence: Evidence
  readonly startSecond: number
  readonly course: CourseLog
  /** The last second in which it was active. */
  lastSecond: number
  /** Quiet for so long that it was told to be over, since when; null: it goes on. Unix time, milliseconds. */
  overSinceMs: number | null = null
  /** The longest that nothing was known of it before there was more: exporters hold records back, and attacks come in pulses. Seconds. */
  waitedSeconds = 0
  /** It is not over before it has been quiet since then: nothing was heard before. Unix time, milliseconds. */
  resumedMs = 0
  /** What was seen of it last while it went on. */
  consistsOf: Victims & { vectors: VectorShare[] } = { vectors: [], ...noVictims }
  lastReportMs = 0
  /** Whether there is anything new since the last report. */
  changed = true
  #settled = { through: 0, packets: 0, bytes: 0, flows: 0 }
  #peak = { packetsPerSecond: 0, bytesPerSecond: 0, flowsPerSecond: 0, atMs: 0 }
  #deviation = 0
  /** What was normal for all traffic when it began. */
  #normalOfTotal: number | null
  #why: Why[] = []
  readonly #isProvisional: boolean
  /** By traffic class. */
  readonly #parts = new Map<number, Part>()

  constructor(origin: IncidentOrigin, rates: IncidentRates) {
    const { address, length, trafficClass, label, besides, alarm, evidence, earliest, heldSeconds } = origin
    this.address = address
    this.#length = length
    this.trafficClass = trafficClass
    this.label = label
    this.evidence = evidence
    this.#parts.set(trafficClass, { label, besides, quietBelow: quietBelow(alarm), why: alarm.why })
    this.startSecond = beginOf(rates.ofClass, alarm.window.from, earliest, alarm.line / 2)
    this.lastSecond = this.startSecond
    this.course = new CourseLog(this.startSecond, rates)
    this.#settled.through = this.startSecond
    // An address may be attacked for itself, and stand for its networks.
    const kind = length < 32 ? trafficClass + networkKind + (length - wholeLength) * lengthKind : trafficClass
    this.id = [this.startSecond, address, kind].map((part) => part.toString(16).padStart(8, '0')).join('')
    this.#isProvisional = origin.isProvisional
    this.#normalOfTotal = rates.normalOfTotal
    this.#waited(heldSeconds)
    this.note(alarm)
  }

  /** Whether the traffic of a second may become normal: no vector explains it, or nobody knew better when it began. */
  mayBeNormal(second: number): boolean {
    return this.label === null || (this.#isProvisional && second - this.startSecond > provisionalSeconds)
  }

  /** The strongest judgement so far stays: it says why. */
  note(alarm: Alarm): void {
    if (alarm.deviation <= this.#deviation) return
    this.#deviation = alarm.deviation
    this.#why = [alarm.why]
    this.changed = true
  }

  /** Goes on with one that began with the same origin, before the service was started again. `parts`: its vectors, by class. */
  resume(was: ResumedIncident, parts: ReadonlyMap<number, Part>, nowMs: number): void {
    const seconds = (was.endMs - was.startMs) / 1000
    this.id = was.incident
    this.lastSecond = was.endMs / 1000 - 1
    this.overSinceMs = was.endedMs
    this.resumedMs = nowMs
    this.lastReportMs = nowMs
    this.changed = false
    this.waitedSeconds = was.followed.waitedSeconds
    this.consistsOf = { vectors: was.vectors, victims: was.victims, networks: was.networks }
    this.#parts.clear()
    for (const [trafficClass, part] of parts) this.#parts.set(trafficClass, part)
    this.#settled = {
      through: was.endMs / 1000,
      packets: was.packetsPerSecond * seconds,
      bytes: was.bytesPerSecond * seconds,
      flows: was.flowsPerSecond * seconds,
    }
    this.#peak = { ...was.peak }
    this.#deviation = was.deviation
    this.#normalOfTotal = was.normalPacketsPerSecond
    this.#why = was.why
    this.course.resume(was.details.course, was.endMs / 1000)
  }

  /** `keyOf`: of a traffic class, see vectors/class-keys.ts. */
  followed(keyOf: (trafficClass: number) => number): Followed {
    const parts = [...this.#parts].map(([trafficClass, { label, quietBelow }]) => ({ trafficClass, label, quietBelow }))
    parts.sort((a, b) => Number(b.trafficClass === this.trafficClass) - Number(a.trafficClass === this.trafficClass))
    return {
      ...(this.#length < 32 && { networkLength: this.#length }),
      waitedSeconds: this.waitedSeconds,
      isProvisional: this.#isProvisional,
      parts: parts.map(({ trafficClass, ...part }) => ({ key: keyOf(trafficClass), ...part })),
    }
  }

  get isOver(): boolean {
    return this.overSinceMs !== null
  }

  /** It goes on after all; `alarm`: what shows it. */
  reopen({ trafficClass, alarm }: Candidate): void {
    this.overSinceMs = null
    const part = this.#parts.get(trafficClass)
    if (part !== undefined) part.quietBelow = quietBelow(alarm)
    // From now on it is known to pause for so long.
    this.#waited(alarm.window.from - this.lastSecond)
    this.lastSecond = Math.max(this.lastSecond, alarm.window.from)
    this.changed = true
  }

  /** Whether traffic is of one of its vectors. The same label may come from two ports; what accompanies an attack is part of it. */
  isOf({ trafficClass, label, besides }: SaidOfAttack): boolean {
    if (this.#parts.has(trafficClass)) return true
    const labels = [...this.#parts.values()].flatMap((part) => part.label ?? [])
    return labels.some((own) => own === label || besides.some((attack) => own.startsWith(attack)))
  }

  /** It turns out to be on a network that holds the one that it was on. What else that one gets has its own lines there. */
  widen(length: number, { trafficClass, label, besides, alarm }: Candidate, { normalOfTotal }: IncidentRates): void {
    this.#length = length
    this.#normalOfTotal = normalOfTotal
    this.trafficClass = trafficClass
    this.label = label
    this.#parts.clear()
    this.#parts.set(trafficClass, { label, besides, quietBelow: quietBelow(alarm), why: alarm.why })
    this.note(alarm)
    this.changed = true
  }

  /** Whether it is followed by this traffic class, too. */
  follows(trafficClass: number): boolean {
    return this.#parts.has(trafficClass)
  }

  /** Whether what stands out began together with it. */
  beganWith({ alarm }: Candidate, ring: RateRing | null, earliest: number): boolean {
    const began = beginOf(ring, alarm.window.from, earliest, alarm.line / 2)
    return Math.abs(began - this.startSecond) <= togetherSeconds
  }

  /** What was traffic of unknown kind shows which vector it is. */
  name({ trafficClass, label, alarm }: Candidate, ringOf: RingOf, nowSecond: number): void {
    const part = this.#parts.get(trafficClass)
    if (label === null || part === undefined || part.label !== null) return
    this.#parts.set(trafficClass, { ...part, label, why: alarm.why })
    this.#chooseMain(ringOf, nowSecond)
  }

  /** It accompanies traffic that is too little to be judged by itself, and has its name. */
  accompany({ trafficClass, label, normal }: Accompanied, ringOf: RingOf, nowSecond: number): void {
    const own = this.#parts.get(this.trafficClass)
    if (own === undefined || this.#parts.has(trafficClass)) return
    const quiet = Math.max(own.quietBelow, quietRatio * normal)
    this.#parts.set(trafficClass, { label, besides: [], quietBelow: quiet, why: own.why })
    this.#chooseMain(ringOf, nowSecond)
  }

  /** Another vector of it. */
  join({ trafficClass, label, besides, alarm }: Candidate, ringOf: RingOf, nowSecond: number): void {
    this.#parts.set(trafficClass, { label, besides, quietBelow: quietBelow(alarm), why: alarm.why })
    this.note(alarm)
    this.#chooseMain(ringOf, nowSecond)
  }

  /**
   * While it is young the heaviest of its vectors gives it its label; what only accompanies another one does not, nor what is little beside traffic of
   * unknown kind. Later only an attack without a label gets one, from a vector that explains it, and one that turns out to accompany another vector,
   * from that.
   */
  #chooseMain(ringOf: RingOf, nowSecond: number): void {
    if (this.#parts.size === 1 && this.label !== null) return
    const labels = [...this.#parts.values()].map(({ label }) => label)
    const accompanies = ({ besides }: Part) =>
      besides.some((attack) => labels.some((label) => label?.startsWith(attack)))
    const packetsOf = (trafficClass: number) => ringOf(trafficClass)?.packetsIn(this.startSecond, nowSecond + 1) ?? 0
    const own = this.#parts.get(this.trafficClass)
    const isYoung = nowSecond - this.startSecond <= youngSeconds
    if (!isYoung && this.label !== null && (own === undefined || !accompanies(own))) return
    let most = !isYoung && this.label === null ? explainingShare * packetsOf(total) : -1
    let main = this.trafficClass
    for (const [trafficClass, { label }] of isYoung ? this.#parts : []) {
      const packets = namingShare * packetsOf(trafficClass)
      if (label !== null || packets <= most) continue
      most = packets
      main = trafficClass
    }
    for (const [trafficClass, part] of this.#parts) {
      if (part.label === null || accompanies(part)) continue
      const packets = packetsOf(trafficClass)
      if (packets <= most) continue
      most = packets
      main = trafficClass
    }
    const part = this.#parts.get(main)
    if (part === undefined || (main === this.trafficClass && part.label === this.label)) return
    this.trafficClass = main
    this.label = part.label
    if (part.why !== null) this.#why = [part.why]
    this.changed = true
  }

  /** Follows the traffic: how far the incident has come. */
  follow(rates: IncidentRates, ringOf: RingOf, nowSecond: number): void {
    const { ofTotal, normal } = rates
    const before = this.lastSecond
    this.course.follow(rates, nowSecond)
    for (const [trafficClass, part] of this.#parts) {
      // Without a label it is over, too, when it has become normal: visitors who stay.
      if (this.mayBeNormal(nowSecond)) part.quietBelow = Math.max(part.quietBelow, quietRatio * normal)
      this.lastSecond = lastActive(ringOf(trafficClass), this.lastSecond, nowSecond, part.quietBelow)
    }
    if (this.lastSecond > before) this.changed = true
    this.#chooseMain(ringOf, nowSecond)
    // At its beginning it is its first records that say how long an exporter holds them back.
    if (this.lastSecond > before && before > this.startSecond) this.#waited(nowSecond - before - 1)
    this.settle(ofTotal, nowSecond)
  }

  /** Counts in what late records don't change any more. */
  settle(ofTotal: RateRing | null, nowSecond: number): void {
    const settled = nowSecond - settledSeconds
    if (ofTotal === null || settled <= this.#settled.through) return
    const upTo = Math.min(settled, this.lastSecond + 1)
    if (upTo <= this.#settled.through) return
    this.#countIn(this.#settled, ofTotal, upTo)
    this.#notePeak(ofTotal, this.#settled.through, upTo)
    this.#settled.through = upTo
  }

  /** What it amounts to so far. */
  state(rates: IncidentRates): Omit<IncidentState, 'victims' | 'networks' | 'vectors' | 'followed'> {
    const end = this.lastSecond + 1
    const sums = { ...this.#settled }
    if (rates.ofTotal !== null) {
      this.#countIn(sums, rates.ofTotal, end)
      this.#notePeak(rates.ofTotal, this.#settled.through, end)
    }
    const seconds = end - this.startSecond
    return {
      incident: this.id,
      address: this.address,
      label: this.label,
      startMs: this.startSecond * 1000,
      endMs: end * 1000,
      bytesPerSecond: sums.bytes / seconds,
      packetsPerSecond: sums.packets / seconds,
      flowsPerSecond: sums.flows / seconds,
      peak: { ...this.#peak },
      deviation: this.#deviation,
      normalPacketsPerSecond: this.#normalOfTotal,
      why: this.#why,
    }
  }

  #waited(seconds: number): void {
    this.waitedSeconds = Math.min(waitMax, Math.max(this.waitedSeconds, seconds))
  }

  #countIn(sums: { through: number; packets: number; bytes: number; flows: number }, ring: RateRing, to: number): void {
    const window = ring.sum(sums.through, to)
    sums.packets += window.packets
    sums.bytes += window.bytes
    sums.flows += window.flows
  }

  #notePeak(ring: RateRing, from: number, to: number): void {
    for (let second = from; second < to; second++) {
      const window = ring.sum(second, Math.min(second + spanSeconds, to))
      const packetsPerSecond = window.packets / (window.to - window.from)
      if (packetsPerSecond <= this.#peak.packetsPerSecond) continue
      const seconds = window.to - window.from
      this.#peak = {
        packetsPerSecond,
        bytesPerSecond: window.bytes / seconds,
        flowsPerSecond: window.flows / seconds,
        atMs: second * 1000,
      }
    }
  }
}

/** Before anything is heard. */
export const noRates: IncidentRates = { ofClass: null, ofTotal: null, normal: 0, normalOfTotal: null }

/** What an incident accompanies. */
export interface Accompanied {
  trafficClass: number
  label: string
  /** What is normal for it, packets a second. */
  normal: number
}

type SaidOfAttack = Pick<Candidate, 'trafficClass' | 'label' | 'besides'>

/** All traffic together is no vector, and part of what goes on. */
export function isSameAttack(incident: Incident, candidate: SaidOfAttack): boolean {
  return incident.isOf(candidate) || (candidate.trafficClass === total && !incident.isOver)
}

export function ringsOf(target: Target): RingOf {
  return (trafficClass) => target.series.get(trafficClass)?.ring ?? null
}

export function ratesOf(target: Target, trafficClass: number): IncidentRates {
  const series = target.series.get(trafficClass)
  const normal = series === undefined ? 0 : series.baseline.level
  const normalOfTotal = target.learnt ? target.total.baseline.level : null
  return { ofClass: series?.ring ?? null, ofTotal: target.total.ring, normal, normalOfTotal }
}
