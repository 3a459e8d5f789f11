// One attack on one address or network, from when it was judged until it can't come back any more. It may have several episodes, each from a
// beginning to an end that was reported. Its vectors are attack-vectors.ts.

import { addressLength } from '../../net/network.ts'
import { total } from '../../vectors/compile.ts'
import type { Absences } from '../absences.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { ListGate, type Now } from '../evidence/list-gate.ts'
import { beginOf, firstActive, lastActive } from '../judge/activity.ts'
import type { Candidate } from '../judge/candidates.ts'
import type { Alarm } from '../judge/judge.ts'
import { incidents as lines } from '../lines/incidents.ts'
import { judgement } from '../lines/judgement.ts'
import type { RateRing } from '../rates/rates.ts'
import { type AttackTraffic, type NormalNumbers, normalsOf, type RingOf } from './attack-traffic.ts'
import { type AttackVector, AttackVectors, type Companion, type TrafficKind } from './attack-vectors.ts'
import { CourseLog } from './course.ts'
import { Episodes } from './episodes.ts'
import { incidentId } from './incident-id.ts'
import {
  type Continuation,
  type IncidentState,
  noVictims,
  type ResumedIncident,
  type Victims,
  type Why,
} from './incident-report.ts'

export interface IncidentOrigin {
  address: number
  /** Prefix length of the network that is attacked, bits; 32: the address alone. */
  length: number
  trafficClass: number
  label: string | null
  besides: readonly string[]
  alarm: Alarm
  evidence: Evidence
  /** Earliest second of its beginning, Unix time. */
  earliest: number
  /** How long exporters have held back the records that show it, seconds. */
  heldSeconds: number
  /** Whether hosts may have such traffic, while normal was not known for this one. */
  isProvisional: boolean
}

export class Incident {
  id: string
  readonly address: number
  /** Prefix length of the network that is attacked, bits; 32: a single address. */
  #length: number
  /** The lists of the whole attack. */
  readonly evidence: Evidence
  /** The lists of the latest episode; null: there is one episode. */
  evidenceOfEpisode: Evidence | null = null
  /** Unix time, seconds. */
  readonly startSecond: number
  readonly course: CourseLog
  /** When its end was reported, Unix milliseconds; null: it goes on. */
  overSinceMs: number | null = null
  /** Longest time without news after which there was more: exporters hold records back, and attacks come in pulses. Seconds. */
  waitedSeconds = 0
  /** When the service was started again, Unix milliseconds: silence before it does not count as quiet. */
  resumedMs = 0
  /** Who was hit when it was last active. */
  hit: Victims = noVictims
  lastReportMs = 0
  /** Whether there is anything new since the last report in full. */
  changed = true
  /** Whether it has become quiet, or active again, since the last report. */
  turned = false
  /** Whether nothing of it was seen for longer than its exporters are known to hold records back. */
  #isQuiet = false
  readonly #vectors: AttackVectors
  readonly #episodes: Episodes
  readonly #gate: ListGate
  #deviation = 0
  /** What was normal for all traffic when it began. */
  #normals: NormalNumbers
  #why: Why[] = []
  readonly #isProvisional: boolean

  constructor(origin: IncidentOrigin, rates: AttackTraffic) {
    const { address, length, alarm, evidence, earliest, heldSeconds } = origin
    this.address = address
    this.#length = length
    this.evidence = evidence
    this.startSecond = beginOf(rates.ofClass, alarm.window.from, earliest, judgement.quietPart * alarm.line)
    this.#vectors = new AttackVectors(this.startSecond, origin)
    this.course = new CourseLog(this.startSecond, rates)
    this.#episodes = new Episodes(this.startSecond)
    this.#gate = new ListGate(this.startSecond)
    this.id = incidentId(this.startSecond, origin)
    this.#isProvisional = origin.isProvisional
    this.#normals = rates.normals
    this.#waited(heldSeconds)
    this.note(alarm)
  }

  /** Traffic class of the vector that names it. */
  get trafficClass(): number {
    return this.#vectors.trafficClass
  }

  get label(): string | null {
    return this.#vectors.label
  }

  /** Whether the traffic of a second may become normal: no vector explains it, or normal was not known when it began. */
  mayBeNormal(second: number): boolean {
    return this.label === null || (this.#isProvisional && second - this.startSecond > lines.provisionalSeconds)
  }

  /** Keeps the strongest judgement so far: it says why. */
  note(alarm: Alarm): void {
    if (alarm.deviation <= this.#deviation) return
    this.#deviation = alarm.deviation
    this.#why = [alarm.why]
    this.changed = true
  }

  /** Continues an attack from before a restart of the service; `vectors` are by class. */
  resume(was: ResumedIncident, vectors: ReadonlyMap<number, AttackVector>, nowMs: number): void {
    this.id = was.incident
    this.#episodes.resume(was, Math.floor(nowMs / 1000))
    this.#gate.resume()
    this.overSinceMs = was.endedMs
    this.resumedMs = nowMs
    this.lastReportMs = nowMs
    this.changed = false
    this.waitedSeconds = was.followed.waitedSeconds
    this.hit = { victims: was.victims, networks: was.networks }
    this.#vectors.resume(vectors)
    this.#deviation = was.deviation
    this.#normals = normalsOf(was)
    this.#why = was.why
    this.course.resume(was.details.course, was.endMs / 1000, Math.floor(nowMs / 1000))
  }

  /** What a restart needs to continue it. `keyOf` gives the key of a traffic class (vectors/class-keys.ts). */
  followed(keyOf: (trafficClass: number) => number): Continuation {
    const parts = Array.from(this.#vectors.byClass, ([trafficClass, { label, quietBelow }]) => {
      return { trafficClass, label, quietBelow }
    })
    parts.sort((a, b) => Number(b.trafficClass === this.trafficClass) - Number(a.trafficClass === this.trafficClass))
    return {
      ...(this.#length < addressLength && { networkLength: this.#length }),
      waitedSeconds: this.waitedSeconds,
      isProvisional: this.#isProvisional,
      parts: parts.map(({ trafficClass, ...part }) => ({ key: keyOf(trafficClass), ...part })),
    }
  }

  /** Marks the numbers of the exporters in its lists with 1. */
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
    return this.#episodes.hasGrown(traffic, this.#vectors.byClass)
  }

  /** The last second in which it was active. Unix time, seconds. */
  get lastSecond(): number {
    return this.#episodes.lastSecond
  }

  /** Begins another episode, with lists of its own: the attack came back, as the alarm shows. */
  reopen(
    { trafficClass, alarm }: Candidate,
    traffic: AttackTraffic,
    { evidence, now, absences }: { evidence: Evidence; now: Now; absences: Absences },
  ): void {
    const startSecond = beginOf(
      traffic.ofClass,
      alarm.window.from,
      this.lastSecond + 1,
      judgement.quietPart * alarm.line,
    )
    // From now on it is known to pause for as long.
    this.#waited(startSecond - this.lastSecond - absences.within(this.lastSecond, startSecond))
    this.#gate.wake(startSecond, this.lastSecond, now)
    this.course.reopen()
    this.#episodes.begin(startSecond, traffic, this.#vectors.byClass)
    this.evidenceOfEpisode?.release()
    this.evidenceOfEpisode = evidence
    this.overSinceMs = null
    this.#vectors.reopen(trafficClass, alarm)
    this.changed = true
  }

  /** Whether nothing that comes later can change what it amounts to: it is over, and late records of it are out of reach. */
  get isSettled(): boolean {
    return this.isOver && this.#episodes.isSettled
  }

  /** The part of a record that goes into its lists now, 0 to 1. */
  takes(second: number, lasted: number): number {
    return this.#gate.takes(second, lasted, this)
  }

  /** The part of a record of the last moments that is missing in its lists. */
  misses(second: number, lasted: number, slot: number): number {
    return this.#gate.misses(second, lasted, slot)
  }

  /** Whether traffic is of one of its vectors, or accompanies one. */
  isOf(described: TrafficKind): boolean {
    return this.#vectors.includes(described)
  }

  /** Whether it is followed by this traffic class, too. */
  follows(trafficClass: number): boolean {
    return this.#vectors.has(trafficClass)
  }

  /** Moves it to a wider network: what shows the attack there replaces its vectors. `before` is the traffic of the network that it was on. */
  widen(length: number, candidate: Candidate, before: AttackTraffic, now: AttackTraffic): void {
    this.#episodes.keepActive(before, this.#vectors.byClass)
    this.#length = length
    this.#normals = now.normals
    this.#vectors.replace(candidate)
    // What was judged before was less than the attack, however far it deviated.
    this.#deviation = 0
    this.note(candidate.alarm)
  }

  /** Whether what stands out began together with it. */
  beganWith({ alarm }: Candidate, ring: RateRing | null, earliest: number): boolean {
    const began = beginOf(ring, alarm.window.from, earliest, judgement.quietPart * alarm.line)
    return Math.abs(began - this.startSecond) <= lines.togetherSeconds
  }

  /** Names traffic of unknown kind by the vector that it turns out to be. */
  name(candidate: Candidate, ringOf: RingOf, nowSecond: number): void {
    if (this.#vectors.name(candidate)) this.#chooseMain(ringOf, nowSecond)
  }

  /** Adds what it accompanies. */
  addCompanion(companion: Companion, ringOf: RingOf, nowSecond: number): void {
    if (this.#vectors.addCompanion(companion)) this.#chooseMain(ringOf, nowSecond)
  }

  /** Adds another vector. */
  join(candidate: Candidate, ringOf: RingOf, nowSecond: number): void {
    this.#vectors.add(candidate)
    this.note(candidate.alarm)
    this.#chooseMain(ringOf, nowSecond)
  }

  #chooseMain(ringOf: RingOf, nowSecond: number): void {
    const chosen = this.#vectors.chooseMain(ringOf, nowSecond)
    if (chosen === null) return
    if (chosen.why !== null) this.#why = [chosen.why]
    this.changed = true
  }

  /** Follows the traffic by a pass. True when it was quiet and is active again: its lists miss records of the last moments. */
  follow(traffic: AttackTraffic, now: Now, absences: Absences): boolean {
    const { ringOf, normal } = traffic
    const nowSecond = now.second
    const before = this.lastSecond
    this.course.follow(traffic, nowSecond)
    // Without a label it is over, too, when it has become normal: visitors who stay.
    if (this.mayBeNormal(nowSecond)) this.#vectors.raiseQuiet(judgement.quietRatio * normal)
    for (const [trafficClass, { quietBelow }] of this.#vectors.byClass) {
      this.#episodes.lastSecond = lastActive(ringOf(trafficClass), this.lastSecond, nowSecond, quietBelow)
    }
    this.#chooseMain(ringOf, nowSecond)
    // At its beginning its first records say how long an exporter holds them back.
    if (this.lastSecond > before && before > this.startSecond) {
      this.#waited(nowSecond - before - 1 - absences.within(before + 1, nowSecond))
    }
    this.#episodes.settle(traffic, this.#vectors.byClass, nowSecond)
    if (this.lastSecond === before) this.#gate.rest(before, now)
    else this.changed = true
    const unseen = absences.within(this.lastSecond + 1, nowSecond)
    const isQuiet = nowSecond - this.lastSecond - unseen > this.waitedSeconds + lines.quietAfterSeconds
    this.turned ||= isQuiet !== this.#isQuiet
    this.#isQuiet = isQuiet
    return this.lastSecond > before && this.#gate.wake(this.#firstActive(ringOf, before + 1), before, now)
  }

  #firstActive(ringOf: RingOf, from: number): number {
    const firsts = Array.from(this.#vectors.byClass, ([trafficClass, { quietBelow }]) =>
      firstActive(ringOf(trafficClass), from, this.lastSecond, quietBelow),
    )
    return Math.min(...firsts)
  }

  /** Adds up what late records can't change any more; of an incident that is over this is all that is left to do. */
  settle(traffic: AttackTraffic, nowSecond: number): void {
    this.#episodes.settle(traffic, this.#vectors.byClass, nowSecond)
    if (this.isOver) this.course.followOver(traffic, nowSecond, this.lastSecond + 1)
    else this.course.follow(traffic, nowSecond)
  }

  /** What it amounts to so far. */
  state(traffic: AttackTraffic): Omit<IncidentState, 'victims' | 'networks' | 'followed'> {
    return {
      incident: this.id,
      address: this.address,
      label: this.label,
      startMs: this.startSecond * 1000,
      endMs: (this.lastSecond + 1) * 1000,
      ...this.#episodes.state(traffic, this.#vectors.byClass),
      isQuiet: this.#isQuiet && !this.isOver,
      deviation: this.#deviation,
      ...this.#normals,
      why: this.#why,
    }
  }

  #waited(seconds: number): void {
    this.waitedSeconds = Math.min(lines.waitSecondsMax, Math.max(this.waitedSeconds, seconds))
  }
}

/** Whether a candidate is the attack of an incident. All traffic together is no vector: it belongs to whatever goes on. */
export function isSameAttack(incident: Incident, candidate: TrafficKind): boolean {
  return incident.isOf(candidate) || (candidate.trafficClass === total && !incident.isOver)
}
