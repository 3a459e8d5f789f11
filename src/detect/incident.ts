// One attack on one address or network, by the vectors that began together: from when it was judged until it will not come back any more. It may have
// several episodes, each from a beginning to an end that was reported.
import { total } from '../vectors/compile.ts'
import { beginOf, firstActive, lastActive } from './activity.ts'
import type { AttackTraffic, RingOf } from './attack-traffic.ts'
import { type Candidate, explainingShare } from './candidates.ts'
import { CourseLog } from './course.ts'
import { Episodes } from './episodes.ts'
import type { Evidence } from './evidence.ts'
import {
  type Followed,
  type IncidentState,
  noVictims,
  type ResumedIncident,
  type Victims,
  type Why,
} from './incident-report.ts'
import { type Alarm, quietBelow, quietRatio } from './judge.ts'
import { ListGate, type Now, quietAfterSeconds } from './list-gate.ts'
import { wholeLength } from './networks.ts'
import type { RateRing } from './rates.ts'

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
  /** Its lists, and those of its latest episode; null: it has one episode. */
  readonly evidence: Evidence
  evidenceOfEpisode: Evidence | null = null
  readonly startSecond: number
  readonly course: CourseLog
  /** Quiet for so long that it was told to be over, since when; null: it goes on. Unix time, milliseconds. */
  overSinceMs: number | null = null
  /** The longest that nothing was known of it before there was more: exporters hold records back, and attacks come in pulses. Seconds. */
  waitedSeconds = 0
  /** It is not over before it has been quiet since then: nothing was heard before. Unix time, milliseconds. */
  resumedMs = 0
  /** Who was seen to be hit last while it went on. */
  hit: Victims = noVictims
  lastReportMs = 0
  /** Whether there is anything new since the last report in full. */
  changed = true
  /** Nothing of it was seen for longer than its exporters are known to hold records back. */
  #isQuiet = false
  /** Whether it has become quiet, or active again, since the last report. */
  turned = false
  readonly #episodes: Episodes
  readonly #gate: ListGate
  #deviation = 0
  /** What was normal for all traffic when it began. */
  #normalOfTotal: number | null
  #why: Why[] = []
  readonly #isProvisional: boolean
  /** By traffic class. */
  readonly #parts = new Map<number, Part>()

  constructor(origin: IncidentOrigin, rates: AttackTraffic) {
    const { address, length, trafficClass, label, besides, alarm, evidence, earliest, heldSeconds } = origin
    this.address = address
    this.#length = length
    this.trafficClass = trafficClass
    this.label = label
    this.evidence = evidence
    this.#parts.set(trafficClass, { label, besides, quietBelow: quietBelow(alarm), why: alarm.why })
    this.startSecond = beginOf(rates.ofClass, alarm.window.from, earliest, alarm.line / 2)
    this.course = new CourseLog(this.startSecond, rates)
    this.#episodes = new Episodes(this.startSecond)
    this.#gate = new ListGate(this.startSecond)
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
    this.id = was.incident
    this.#episodes.resume(was)
    this.#gate.resume()
    this.overSinceMs = was.endedMs
    this.resumedMs = nowMs
    this.lastReportMs = nowMs
    this.changed = false
    this.waitedSeconds = was.followed.waitedSeconds
    this.hit = { victims: was.victims, networks: was.networks }
    this.#parts.clear()
    for (const [trafficClass, part] of parts) this.#parts.set(trafficClass, part)
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

  /** Sets the places of the exporters that its lists have to 1. */
  markExporters(used: Uint8Array): void {
    this.evidence.markExporters(used)
    this.evidenceOfEpisode?.markExporters(used)
  }

  /** Gives the memory of its lists back. */
  release(): void {
    this.evidence.release()
    this.evidenceOfEpisode?.release()
  }

  get isOver(): boolean {
    return this.overSinceMs !== null
  }

  /** Where its latest episode began. Unix time, seconds. */
  get episodeStart(): number {
    return this.#episodes.startSecond
  }

  /** Whether late records have added to it since it was last reported. */
  hasGrown(traffic: AttackTraffic): boolean {
    return this.#episodes.hasGrown(traffic, this.#parts)
  }

  /** The last second in which it was active. Unix time, seconds. */
  get lastSecond(): number {
    return this.#episodes.lastSecond
  }

  /** It came back; `alarm`: what shows it. What it was until its end stays as it is: another episode begins, with lists of its own. */
  reopen(
    { trafficClass, alarm }: Candidate,
    traffic: AttackTraffic,
    { evidence, now }: { evidence: Evidence; now: Now },
  ): void {
    const startSecond = beginOf(traffic.ofClass, alarm.window.from, this.lastSecond + 1, alarm.line / 2)
    // From now on it is known to pause for so long.
    this.#waited(startSecond - this.lastSecond)
    this.#gate.wake(startSecond, this.lastSecond, now)
    this.course.reopen()
    this.#episodes.begin(startSecond, traffic, this.#parts)
    this.evidenceOfEpisode?.release()
    this.evidenceOfEpisode = evidence
    this.overSinceMs = null
    const part = this.#parts.get(trafficClass)
    if (part !== undefined) part.quietBelow = quietBelow(alarm)
    this.changed = true
  }

  /** Whether nothing that comes later can change what it amounts to: it is over, and late records of it are out of reach. */
  get isSettled(): boolean {
    return this.isOver && this.#episodes.isSettled
  }

  /** Whether a record that ends in that second goes into its lists now. */
  takes(endSecond: number): boolean {
    return this.#gate.takes(endSecond, this.lastSecond)
  }

  /** Whether a record of the last moments is missing in its lists. */
  misses(endSecond: number, slot: number): boolean {
    return this.#gate.misses(endSecond, slot)
  }

  /** Whether traffic is of one of its vectors. The same label may come from two ports; what accompanies an attack is part of it. */
  isOf({ trafficClass, label, besides }: SaidOfAttack): boolean {
    if (this.#parts.has(trafficClass)) return true
    const labels = [...this.#parts.values()].flatMap((part) => part.label ?? [])
    return labels.some((own) => own === label || besides.some((attack) => own.startsWith(attack)))
  }

  /** It turns out to be on a network that holds the one that it was on. What else that one gets has its own lines there. */
  widen(length: number, { trafficClass, label, besides, alarm }: Candidate, { normalOfTotal }: AttackTraffic): void {
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

  /** Follows the traffic: how far the incident has come. True: it was quiet and is no more, so that its lists miss records of the last moments. */
  follow(traffic: AttackTraffic, now: Now): boolean {
    const { ringOf, normal } = traffic
    const nowSecond = now.second
    const before = this.lastSecond
    this.course.follow(traffic, nowSecond)
    for (const [trafficClass, part] of this.#parts) {
      // Without a label it is over, too, when it has become normal: visitors who stay.
      if (this.mayBeNormal(nowSecond)) part.quietBelow = Math.max(part.quietBelow, quietRatio * normal)
      this.#episodes.lastSecond = lastActive(ringOf(trafficClass), this.lastSecond, nowSecond, part.quietBelow)
    }
    this.#chooseMain(ringOf, nowSecond)
    // At its beginning it is its first records that say how long an exporter holds them back.
    if (this.lastSecond > before && before > this.startSecond) this.#waited(nowSecond - before - 1)
    this.#episodes.settle(traffic, this.#parts, nowSecond)
    if (this.lastSecond === before) this.#gate.rest(before, now)
    else this.changed = true
    const isQuiet = nowSecond - this.lastSecond > this.waitedSeconds + quietAfterSeconds
    this.turned ||= isQuiet !== this.#isQuiet
    this.#isQuiet = isQuiet
    return this.lastSecond > before && this.#gate.wake(this.#firstActive(ringOf, before + 1), before, now)
  }

  #firstActive(ringOf: RingOf, from: number): number {
    const firsts = Array.from(this.#parts, ([trafficClass, { quietBelow }]) =>
      firstActive(ringOf(trafficClass), from, this.lastSecond, quietBelow),
    )
    return Math.min(...firsts)
  }

  /** Counts in what late records of an incident that is over have changed, until they can't any more. */
  settle(traffic: AttackTraffic, nowSecond: number): void {
    this.#episodes.settle(traffic, this.#parts, nowSecond)
    this.course.followOver(traffic, nowSecond, this.lastSecond + 1)
  }

  /** What it amounts to so far. */
  state(traffic: AttackTraffic): Omit<IncidentState, 'victims' | 'networks' | 'followed'> {
    return {
      incident: this.id,
      address: this.address,
      label: this.label,
      startMs: this.startSecond * 1000,
      endMs: (this.lastSecond + 1) * 1000,
      ...this.#episodes.state(traffic, this.#parts),
      isQuiet: this.#isQuiet && !this.isOver,
      deviation: this.#deviation,
      normalPacketsPerSecond: this.#normalOfTotal,
      why: this.#why,
    }
  }

  #waited(seconds: number): void {
    this.waitedSeconds = Math.min(waitMax, Math.max(this.waitedSeconds, seconds))
  }
}

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
