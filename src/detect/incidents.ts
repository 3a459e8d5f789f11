// The attacks that go on: opened by what the judge found, followed second by second, told of, ended when they have been quiet for long enough, and
// opened again when they come back soon.
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import { ClassKeys } from '../vectors/class-keys.ts'
import { type Classes, total } from '../vectors/compile.ts'
import { vectors } from '../vectors/vectors.ts'
import { nameByAccompanied } from './accompanied.ts'
import { type Attack, AttackLists } from './attack-lists.ts'
import { noTraffic, ringsOf, trafficOf } from './attack-traffic.ts'
import type { Candidate } from './candidates.ts'
import { attackPartsOf, isAttackedAlone, type Span } from './carpet.ts'
import { Incident, isSameAttack } from './incident.ts'
import type { IncidentDetails, IncidentReport, IncidentState, ResumedIncident } from './incident-report.ts'
import type { Now } from './list-gate.ts'
import { ReportTurns } from './report-turns.ts'
import { originOf, partsOf } from './resumed.ts'
import type { DetectSettings } from './settings.ts'
import type { Target } from './target.ts'
import { areaOf, normalOf } from './target-facts.ts'
import { victimsOf } from './victims.ts'

interface IncidentsOptions {
  settings: DetectSettings
  classes: Classes
  /** The targets of a network that are judged. */
  hostsOf: (network: Target) => Target[]
  /** Those that have traffic in common with a network: its targets that are judged, the networks in it, and those that it is in. */
  relatedTo: (network: Target) => Target[]
  isJudged: (address: number) => boolean
}

export class Incidents {
  readonly counted = { incidents: 0, incidentsRefused: 0, reopened: 0, reportsInFull: 0, reportsOfRates: 0 }
  readonly #settings: DetectSettings
  readonly #classes: Classes
  readonly #keys = new ClassKeys(vectors)
  readonly #hostsOf: (network: Target) => Target[]
  readonly #relatedTo: (network: Target) => Target[]
  readonly attacked = new Set<Target>()
  readonly #lists: AttackLists
  readonly #turns = new ReportTurns()
  /** Incidents, and those of them that are over and may be opened again. */
  #known = 0
  #over = 0
  /** Of the pass that goes on. */
  #opened: Attack[] = []
  /** Those whose lists miss records of the last moments, since they came back or were quiet. */
  #resumed: Attack[] = []
  #reports: IncidentReport[] = []
  /** Of attacks that can't be followed on after a restart. */
  #untold: IncidentReport[] = []
  #nowMs = 0

  constructor({ settings, classes, hostsOf, relatedTo, isJudged }: IncidentsOptions) {
    this.#settings = settings
    this.#classes = classes
    this.#hostsOf = hostsOf
    this.#relatedTo = relatedTo
    this.#lists = new AttackLists({ isJudged, attacked: this.attacked })
  }

  /** Incidents that go on. */
  get open(): number {
    return this.#known - this.#over
  }

  /** Incidents that go on, or may. */
  get unclosed(): number {
    return this.#known
  }

  /** What found no place in the lists. */
  get refused(): AttackLists['refused'] {
    return this.#lists.refused
  }

  accept(slot: SealedSlot): void {
    this.#lists.accept(slot)
  }

  /** An attack on a target goes on, from before the service was started. */
  resume(target: Target | null, was: ResumedIncident, nowMs: number): void {
    const parts = partsOf(was, this.#keys, this.#classes)
    const [main] = parts.keys()
    if (target === null || main === undefined || this.#known >= this.#settings.incidentsMax) {
      // Nobody can follow it: it was over when it was last seen.
      this.#untold.push({ ...was, phase: 'closed' })
      return
    }
    const incident = new Incident(originOf(was, main, this.#lists.resume(was.details.statistics)), noTraffic)
    incident.resume(was, parts, nowMs)
    if (was.details.ofEpisode !== null) incident.evidenceOfEpisode = this.#lists.resume(was.details.ofEpisode)
    target.incidents.push(incident)
    this.attacked.add(target)
    this.#known++
    this.#lists.add({ incident, target })
    if (!incident.isOver) {
      this.#turns.opened(incident, false, nowMs)
      return
    }
    this.#over++
    target.overThrough = Math.max(target.overThrough, incident.lastSecond)
    target.attackedThrough = Math.max(target.attackedThrough, incident.lastSecond)
  }

  /** When there are too many, that which has been over for longest is not opened again any more. False: all go on. */
  #makeRoom(): boolean {
    if (this.#known < this.#settings.incidentsMax) return true
    if (this.#over === 0) return false
    let [first, of]: [Incident | null, Target | null] = [null, null]
    for (const target of this.attacked) {
      for (const incident of target.incidents) {
        if (incident.overSinceMs === null || incident.overSinceMs >= (first?.overSinceMs ?? Number.POSITIVE_INFINITY))
          continue
        first = incident
        of = target
      }
    }
    if (first === null || of === null) return false
    this.#close(first, of)
    return true
  }

  get #nowSecond(): number {
    return Math.floor(this.#nowMs / 1000)
  }

  get #now(): Now {
    return { second: this.#nowSecond, slot: this.#lists.latestSlot }
  }

  beginPass(nowMs: number): void {
    this.#nowMs = nowMs
    this.#opened = []
    this.#resumed = []
    this.#reports = this.#untold
    this.#untold = []
    this.#turns.begin(nowMs, this.#settings.updateSeconds)
  }

  /** The candidates are those of one target, the heaviest first. */
  take(target: Target, candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const known = target.incidents.find((incident) => isSameAttack(incident, candidate))
      if (known !== undefined) {
        known.note(candidate.alarm)
        if (known.isOver) this.#reopen(known, candidate, target)
        const { trafficClass } = candidate
        if (known.follows(trafficClass)) known.name(candidate, ringsOf(target), this.#nowSecond)
        else if (trafficClass !== total) known.join(candidate, ringsOf(target), this.#nowSecond)
        continue
      }
      const begun = this.#begunWith(target, candidate)
      if (begun !== undefined) begun.join(candidate, ringsOf(target), this.#nowSecond)
      else if (!target.inIncident || candidate.isNewVector) this.#open(target, candidate)
    }
  }

  /** What is to be told of this pass. */
  endPass(): IncidentReport[] {
    for (const target of this.attacked) this.#follow(target)
    this.#lists.complete(this.#opened, this.#resumed)
    for (const { incident, target } of this.#opened) {
      const inFull = this.#turns.mayTell
      this.#report(incident, 'opened', target, inFull)
      this.#turns.opened(incident, inFull, this.#nowMs)
    }
    for (const target of this.attacked) this.#reportOn(target)
    return this.#reports
  }

  /** The clock was set back: an attack that goes on is told of as another one. */
  startOver(nowSecond: number): void {
    for (const target of this.attacked) {
      if (!target.isAheadOf(nowSecond)) continue
      this.#closeAt(target)
      target.startOver(nowSecond)
    }
  }

  closeAll(): void {
    for (const target of this.attacked) this.#closeAt(target)
  }

  #closeAt(target: Target): void {
    for (const incident of target.incidents) this.#close(incident, target)
    this.attacked.delete(target)
  }

  #open(target: Target, candidate: Candidate): void {
    if (target.isNetwork && this.#widen(target, candidate)) return
    const { trafficClass, alarm } = candidate
    if (!this.#makeRoom()) {
      this.counted.incidentsRefused++
      return
    }
    const evidence = this.#lists.create()
    // Of one address before, the sums of its network say nothing of when the others began.
    const isBeside = target.isNetwork && this.#hostsOf(target).some((host) => isAttackedAlone(host, target, candidate))
    const earliest = Math.max(target.overThrough + 1, isBeside ? alarm.window.from : 0)
    const traffic = trafficOf(target, trafficClass, this.#classes)
    const nowSecond = this.#nowSecond
    const heldSeconds = nowSecond - (target.series.get(trafficClass)?.changedFrom ?? nowSecond) - 1
    const isProvisional = alarm.why.normal === null && this.#classes.vectors[trafficClass]?.unasked !== true
    const origin = { ...candidate, length: target.length, evidence, earliest, heldSeconds, isProvisional }
    const incident = new Incident(origin, traffic)
    target.incidents.push(incident)
    this.attacked.add(target)
    this.#known++
    this.counted.incidents++
    incident.follow(traffic, this.#now)
    this.#opened.push({ incident, target })
    if (target.isNetwork) this.#absorb(incident, target, alarm.window)
  }

  /** What goes on at a network in this one goes on as an attack on this one. False: nothing does. */
  #widen(network: Target, candidate: Candidate): boolean {
    for (const part of this.#relatedTo(network)) {
      const incident = part.incidents.find((own) => !own.isOver && isSameAttack(own, candidate))
      if (!part.isNetwork || incident === undefined) continue
      part.incidents = part.incidents.filter((own) => own !== incident)
      this.#lists.remove({ incident, target: part })
      network.incidents.push(incident)
      this.#lists.add({ incident, target: network })
      this.attacked.add(network)
      incident.widen(network.length, candidate, trafficOf(network, candidate.trafficClass, this.#classes))
      this.#absorb(incident, network, candidate.alarm.window)
      return true
    }
    return false
  }

  /** What goes on at single addresses and other networks, and is part of an attack on a network, is not followed by itself any more. */
  #absorb(attack: Incident, network: Target, span: Span, parts = this.#relatedTo(network)): void {
    for (const related of parts) {
      for (const own of attackPartsOf(attack, network, related, span)) this.#close(own, related)
    }
  }

  /** An attack on an area reaches another /24: `span` shows it. What is there belongs to it. */
  joined(area: Target, whole: Target, span: Span): void {
    for (const incident of area.incidents) {
      if (incident.isOver) continue
      this.#lists.add({ incident, target: whole })
      this.#resumed.push({ incident, target: whole })
      this.#absorb(incident, area, span, [whole, ...this.#relatedTo(whole).filter((each) => each !== area)])
    }
  }

  /** The attack that goes on, and that it began together with; what is of unknown kind is one, whenever its parts began. */
  #begunWith(target: Target, candidate: Candidate): Incident | undefined {
    const ring = ringsOf(target)(candidate.trafficClass)
    const earliest = target.overThrough + 1
    return target.incidents.find(
      (incident) =>
        !incident.isOver &&
        ((candidate.label === null && incident.label === null) || incident.beganWith(candidate, ring, earliest)),
    )
  }

  #follow(target: Target): void {
    for (const incident of target.incidents) {
      const traffic = trafficOf(target, incident.trafficClass, this.#classes)
      if (incident.isOver) {
        incident.settle(traffic, this.#nowSecond)
        continue
      }
      if (incident.follow(traffic, this.#now)) this.#resumed.push({ incident, target })
      nameByAccompanied(incident, target, this.#classes, this.#nowSecond)
    }
  }

  /** What is over, what will not come back any more, and what has changed. */
  #reportOn(target: Target): void {
    const { quietSeconds, reopenSeconds } = this.#settings
    for (const incident of target.incidents) {
      if (incident.overSinceMs !== null) {
        const isPast = this.#nowMs - incident.overSinceMs >= reopenSeconds * 1000
        if (isPast && this.#turns.mayTell) this.#close(incident, target)
        continue
      }
      const quietMs = this.#nowMs - Math.max((incident.lastSecond + 1) * 1000, incident.resumedMs)
      const isQuiet = quietMs >= (quietSeconds + incident.waitedSeconds) * 1000
      // Found out so late, as after the clock has leapt, it is not opened again any more.
      const isPast = quietMs >= (quietSeconds + incident.waitedSeconds + reopenSeconds) * 1000
      if (isQuiet && this.#turns.mayTell) {
        if (isPast) this.#close(incident, target)
        else this.#end(incident, target)
        // What it is a part of, or has in it, makes no other attack of its traffic.
        const related = target.isNetwork ? this.#relatedTo(target) : []
        for (const other of related) other.overThrough = Math.max(other.overThrough, incident.lastSecond)
      } else if (incident.changed || incident.turned) this.#update(incident, target)
    }
    if (target.incidents.length === 0) this.attacked.delete(target)
  }

  #update(incident: Incident, target: Target): void {
    const inFull = this.#turns.isChosen(incident)
    const isDue = incident.turned || this.#nowMs - incident.lastReportMs >= this.#settings.updateSeconds * 1000
    if (!inFull && !isDue) return
    this.#report(incident, 'updated', target, inFull)
    if (inFull) this.#turns.updated(incident, this.#nowMs)
  }

  #end(incident: Incident, target: Target): void {
    incident.overSinceMs = this.#nowMs
    this.#over++
    this.#tell({ ...this.#stateOf(incident, target), phase: 'ended', details: this.#detailsOf(incident, target) })
    this.#turns.ended(incident)
    target.overThrough = Math.max(target.overThrough, incident.lastSecond)
    if (!incident.mayBeNormal(this.#nowSecond)) {
      target.attackedThrough = Math.max(target.attackedThrough, incident.lastSecond)
    }
  }

  #reopen(incident: Incident, candidate: Candidate, target: Target): void {
    const traffic = trafficOf(target, incident.trafficClass, this.#classes)
    // What late records have added to the episode that is over is said before the next one begins.
    if (incident.hasGrown(traffic))
      this.#tell({ ...this.#stateOf(incident, target), phase: 'ended', details: this.#detailsOf(incident, target) })
    incident.reopen(candidate, traffic, { evidence: this.#lists.create(), now: this.#now })
    this.#resumed.push({ incident, target })
    this.#over--
    this.counted.reopened++
    incident.follow(traffic, this.#now)
    this.#report(incident, 'reopened', target, false)
    this.#turns.opened(incident, false, this.#nowMs)
    if (target.isNetwork) this.#absorb(incident, target, candidate.alarm.window)
  }

  #close(incident: Incident, target: Target): void {
    if (!incident.isOver) this.#end(incident, target)
    this.#tell({ ...this.#stateOf(incident, target), phase: 'closed', details: this.#detailsOf(incident, target) })
    this.#turns.ended(incident)
    this.#over--
    this.#known--
    this.#lists.remove({ incident, target })
    incident.release()
    target.incidents = target.incidents.filter((other) => other !== incident)
  }

  #report(incident: Incident, phase: 'opened' | 'updated' | 'reopened', target: Target, inFull: boolean): void {
    const details = inFull ? this.#detailsOf(incident, target) : null
    this.#tell({ ...this.#stateOf(incident, target), phase, details })
    incident.lastReportMs = this.#nowMs
    incident.turned = false
    // What the rates say is no news any more; what the lists say still is.
    if (inFull) incident.changed = false
  }

  #tell(report: IncidentReport): void {
    this.#reports.push(report)
    if (report.details === null) this.counted.reportsOfRates++
    else this.counted.reportsInFull++
  }

  #stateOf(incident: Incident, target: Target): IncidentState {
    const traffic = trafficOf(target, incident.trafficClass, this.#classes)
    // After a restart nothing may have been heard of it yet.
    if (!incident.isOver && traffic.ofTotal !== null) incident.hit = victimsOf(incident, target, this.#hostsOf)
    return {
      ...incident.state(traffic),
      ...incident.hit,
      followed: {
        ...incident.followed((trafficClass) => this.#keys.keyOf(trafficClass)),
        ...(target.wholes.length > 0 && areaOf(target)),
      },
    }
  }

  #detailsOf(incident: Incident, target: Target): IncidentDetails {
    const { course, trafficClass, lastSecond } = incident
    const traffic = trafficOf(target, trafficClass, this.#classes)
    return {
      ...this.#lists.describe(incident),
      course: { ...course.describe(traffic, lastSecond + 1), normal: normalOf(target, trafficClass) },
    }
  }
}
