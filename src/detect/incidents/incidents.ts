// The attacks that go on: opened by what the judge found, followed second by second, reported, ended when they have been quiet for long enough, and opened
// again when they come back soon.
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import type { Crowding } from '../../fair-table.ts'
import type { HeldRanges } from '../../net/held-ranges.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { type Classes, total } from '../../vectors/compile.ts'
import { vectors } from '../../vectors/vectors.ts'
import type { Absences, Seconds } from '../absences.ts'
import { type Attack, AttackLists } from '../evidence/attack-lists.ts'
import type { Now } from '../evidence/list-gate.ts'
import type { Candidate } from '../judge/candidates.ts'
import { attackPartsOf, isAttackedAlone, type Span } from '../judge/carpet.ts'
import { nameByCompanion } from '../judge/companion.ts'
import type { DetectSettings } from '../settings.ts'
import type { Target } from '../targets/target.ts'
import { courseOf, stateOf } from './attack-state.ts'
import { noTraffic, ringsOf, trafficOf } from './attack-traffic.ts'
import { Incident, isSameAttack } from './incident.ts'
import { IncidentPlaces } from './incident-places.ts'
import type { IncidentDetails, IncidentReport, IncidentState, ResumedIncident } from './incident-report.ts'
import { ReportTurns } from './report-turns.ts'
import { resumedOrigin, resumedVectors } from './resumption.ts'
import { movedBy } from './set-back.ts'
import { createWidening, type Widening } from './widening.ts'

interface IncidentsOptions {
  settings: DetectSettings
  classes: Classes
  /** Finds the targets of a network that are judged. */
  hostsOf: (network: Target) => Target[]
  /** Finds what has traffic in common with a network: its targets that are judged, the networks in it, and those that it is in. */
  relatedTo: (network: Target) => Target[]
  isJudged: (address: number) => boolean
  /** When nobody has seen how attacks go on. */
  absences: Absences
}

export class Incidents {
  readonly counted = { incidents: 0, incidentsRefused: 0, reopened: 0, reportsInFull: 0, reportsOfRates: 0 }
  readonly #settings: DetectSettings
  readonly #classes: Classes
  readonly #keys = new ClassKeys(vectors)
  readonly #hostsOf: (network: Target) => Target[]
  readonly #relatedTo: (network: Target) => Target[]
  readonly #absences: Absences
  readonly attacked = new Set<Target>()
  readonly #lists: AttackLists
  readonly #turns = new ReportTurns()
  /** All incidents. */
  readonly #places: IncidentPlaces
  /** Those that are over and may be opened again. */
  #over = 0
  /** The attacks that this pass opened. */
  #opened: Attack[] = []
  /** Attacks whose lists miss records of the last moments because they came back or were quiet. */
  #resumed: Attack[] = []
  #widened: Widening[] = []
  #reports: IncidentReport[] = []
  /** Reports of attacks that can't be continued after a restart. */
  #unreported: IncidentReport[] = []
  #nowMs = 0

  constructor({ settings, classes, hostsOf, relatedTo, isJudged, absences }: IncidentsOptions) {
    this.#settings = settings
    this.#classes = classes
    this.#hostsOf = hostsOf
    this.#relatedTo = relatedTo
    this.#absences = absences
    this.#lists = new AttackLists({ isJudged, attacked: this.attacked })
    this.#places = new IncidentPlaces(settings.incidentsMax, ({ incident, target }) => this.#close(incident, target))
  }

  /** Incidents that go on. */
  get open(): number {
    return this.#places.size - this.#over
  }

  /** Incidents that go on, or may be opened again. */
  get unclosed(): number {
    return this.#places.size
  }

  /** Who has most of them. */
  crowding(): Crowding {
    return this.#places.crowding()
  }

  /** Replaces the users of the watched addresses, who share the places of incidents. */
  setHolders(held: HeldRanges): void {
    this.#places.setHolders(held)
  }

  /** What had no place in the lists. */
  get refused(): AttackLists['refused'] {
    return this.#lists.refused
  }

  accept(slot: SealedSlot): void {
    this.#lists.accept(slot)
  }

  /** Continues an attack from before a restart of the service. */
  resume(target: Target | null, was: ResumedIncident, nowMs: number): void {
    const parts = resumedVectors(was, this.#keys, this.#classes)
    const [main] = parts.keys()
    if (target === null || main === undefined || this.#places.isFull) {
      // It can't be followed: it was over when it was last active.
      this.#unreported.push({ ...was, phase: 'closed' })
      return
    }
    const incident = new Incident(resumedOrigin(was, main, this.#lists.resume(was.details.statistics)), noTraffic)
    incident.resume(was, parts, nowMs)
    if (was.details.ofEpisode !== null) incident.evidenceOfEpisode = this.#lists.resume(was.details.ofEpisode)
    target.incidents.push(incident)
    this.attacked.add(target)
    this.#places.take({ incident, target }, nowMs)
    this.#lists.add({ incident, target })
    if (!incident.isOver) {
      this.#turns.opened(incident, false, nowMs)
      return
    }
    this.#over++
    target.overThrough = Math.max(target.overThrough, incident.lastSecond)
    target.attackedThrough = Math.max(target.attackedThrough, incident.lastSecond)
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
    this.#widened = []
    this.#reports = this.#unreported
    this.#unreported = []
    this.#turns.begin(nowMs, this.#settings.updateSeconds)
  }

  /** Takes the candidates of one target, the heaviest first. */
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

  /** Ends the pass and gives its reports. */
  endPass(): IncidentReport[] {
    for (const target of this.attacked) this.#follow(target)
    this.#lists.complete({ opened: this.#opened, resumed: this.#resumed, widened: this.#widened })
    for (const { incident, target } of this.#opened) {
      const inFull = this.#turns.mayReport
      this.#report(incident, 'opened', target, inFull)
      this.#turns.opened(incident, inFull, this.#nowMs)
    }
    for (const target of this.attacked) this.#reportOn(target)
    return this.#reports
  }

  /** Adds up what the rings will have forgotten with the first traffic after an absence. */
  wasAway({ to }: Seconds): void {
    for (const target of this.attacked) {
      for (const incident of target.incidents)
        incident.settle(trafficOf(target, incident.trafficClass, this.#classes), to)
    }
  }

  /** Continues the attacks whose seconds lie ahead of a clock that was set back by its time. */
  startOver(nowSecond: number): void {
    for (const target of this.attacked) {
      if (!target.isAheadOf(nowSecond)) continue
      const byMs = (nowSecond - target.lastHeardSecond) * 1000
      const before = target.incidents.map((incident) => {
        const state = this.#stateOf(incident, target)
        const was = { ...state, endedMs: incident.overSinceMs, details: this.#detailsOf(incident, target) }
        this.#forget(incident, target)
        return movedBy(byMs, was)
      })
      target.startOver(nowSecond)
      for (const was of before) this.resume(target, was, this.#nowMs)
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
    if (!this.#places.makeRoom(target, this.#nowMs)) {
      this.counted.incidentsRefused++
      return
    }
    const evidence = this.#lists.create()
    // Where one address was attacked before, the sums of its network do not show when the others began.
    const isBeside = target.isNetwork && this.#hostsOf(target).some((host) => isAttackedAlone(host, target, candidate))
    const earliest = Math.max(target.overThrough + 1, isBeside ? alarm.window.from : 0)
    const traffic = trafficOf(target, trafficClass, this.#classes)
    const nowSecond = this.#nowSecond
    const changedFrom = target.series.get(trafficClass)?.changedFrom ?? nowSecond
    const heldSeconds = nowSecond - changedFrom - 1 - this.#absences.within(changedFrom, nowSecond)
    const isProvisional = alarm.why.normal === null && this.#classes.vectors[trafficClass]?.unasked !== true
    const origin = { ...candidate, length: target.length, evidence, earliest, heldSeconds, isProvisional }
    const incident = new Incident(origin, traffic)
    target.incidents.push(incident)
    this.attacked.add(target)
    this.#places.take({ incident, target }, this.#nowMs)
    this.counted.incidents++
    incident.follow(traffic, this.#now, this.#absences)
    this.#opened.push({ incident, target })
    if (target.isNetwork) this.#absorb(incident, target, alarm.window)
  }

  /** Moves an attack that goes on at a related network to this one. False when there is none. */
  #widen(network: Target, candidate: Candidate): boolean {
    for (const part of this.#relatedTo(network)) {
      const incident = part.incidents.find((own) => !own.isOver && isSameAttack(own, candidate))
      if (!part.isNetwork || incident === undefined) continue
      part.incidents = part.incidents.filter((own) => own !== incident)
      this.#lists.remove({ incident, target: part })
      network.incidents.push(incident)
      this.#lists.add({ incident, target: network })
      this.#places.take({ incident, target: network }, this.#nowMs)
      this.attacked.add(network)
      this.#widened.push(createWidening(part, network, incident, this.#hostsOf(network)))
      const before = trafficOf(part, incident.trafficClass, this.#classes)
      incident.widen(network.length, candidate, before, trafficOf(network, candidate.trafficClass, this.#classes))
      this.#absorb(incident, network, candidate.alarm.window)
      return true
    }
    return false
  }

  /** Closes the attacks on single addresses and other networks that are part of an attack on a network. */
  #absorb(attack: Incident, network: Target, span: Span, parts = this.#relatedTo(network)): void {
    for (const related of parts) {
      for (const own of attackPartsOf(attack, network, related, span)) this.#close(own, related)
    }
  }

  /** Takes in another /24 that an attack on an area reaches, as `span` shows, with what goes on there. */
  joined(area: Target, whole: Target, span: Span): void {
    for (const incident of area.incidents) {
      this.#lists.add({ incident, target: whole })
      // An attack that is over takes it in when it comes back.
      if (incident.isOver) continue
      this.#resumed.push({ incident, target: whole })
      this.#places.take({ incident, target: area }, this.#nowMs)
      this.#absorb(incident, area, span, [whole, ...this.#relatedTo(whole).filter((each) => each !== area)])
    }
  }

  /** The attack that a candidate began together with; traffic of unknown kind is one attack, whenever its parts began. */
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
      if (incident.follow(traffic, this.#now, this.#absences)) this.#resumed.push({ incident, target })
      nameByCompanion(incident, target, this.#classes, this.#nowSecond)
    }
  }

  /** Reports what is over, what can't come back any more, and what has changed. */
  #reportOn(target: Target): void {
    const { quietSeconds, reopenSeconds } = this.#settings
    for (const incident of target.incidents) {
      if (incident.overSinceMs !== null) {
        // Its end was seen: what comes long after that is another attack, though nobody watched in between.
        const isPast = this.#nowMs - incident.overSinceMs >= reopenSeconds * 1000
        if (isPast && this.#turns.mayReport) this.#close(incident, target)
        continue
      }
      const seenMs = Math.max((incident.lastSecond + 1) * 1000, incident.resumedMs)
      const quietMs = this.#absences.watchedMs(seenMs, this.#nowMs)
      const isOver = quietMs >= (quietSeconds + incident.waitedSeconds) * 1000
      // So late, as after the clock has leapt, it is not opened again any more.
      const isPast = quietMs >= (quietSeconds + incident.waitedSeconds + reopenSeconds) * 1000
      if (isOver && this.#turns.mayReport) {
        if (isPast) this.#close(incident, target)
        else this.#end(incident, target)
        // Related networks and addresses make no other attack of its traffic.
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
    this.#places.take({ incident, target }, this.#nowMs)
    this.#send({ ...this.#stateOf(incident, target), phase: 'ended', details: this.#detailsOf(incident, target) })
    this.#turns.ended(incident)
    target.overThrough = Math.max(target.overThrough, incident.lastSecond)
    if (!incident.mayBeNormal(this.#nowSecond)) {
      target.attackedThrough = Math.max(target.attackedThrough, incident.lastSecond)
    }
  }

  #reopen(incident: Incident, candidate: Candidate, target: Target): void {
    const traffic = trafficOf(target, incident.trafficClass, this.#classes)
    // What late records have added to the last episode is reported before the next one begins.
    if (incident.hasGrown(traffic))
      this.#send({ ...this.#stateOf(incident, target), phase: 'ended', details: this.#detailsOf(incident, target) })
    incident.reopen(candidate, traffic, { evidence: this.#lists.create(), now: this.#now, absences: this.#absences })
    this.#resumed.push({ incident, target })
    this.#over--
    this.#places.take({ incident, target }, this.#nowMs)
    this.counted.reopened++
    incident.follow(traffic, this.#now, this.#absences)
    this.#report(incident, 'reopened', target, false)
    this.#turns.opened(incident, false, this.#nowMs)
    if (target.isNetwork) this.#absorb(incident, target, candidate.alarm.window)
  }

  #close(incident: Incident, target: Target): void {
    if (!incident.isOver) this.#end(incident, target)
    this.#send({ ...this.#stateOf(incident, target), phase: 'closed', details: this.#detailsOf(incident, target) })
    this.#forget(incident, target)
  }

  #forget(incident: Incident, target: Target): void {
    this.#turns.ended(incident)
    if (incident.isOver) this.#over--
    this.#places.leave(incident)
    this.#lists.remove({ incident, target })
    incident.release()
    target.incidents = target.incidents.filter((other) => other !== incident)
  }

  #report(incident: Incident, phase: 'opened' | 'updated' | 'reopened', target: Target, inFull: boolean): void {
    const details = inFull ? this.#detailsOf(incident, target) : null
    this.#send({ ...this.#stateOf(incident, target), phase, details })
    incident.lastReportMs = this.#nowMs
    incident.turned = false
    // A report without details leaves the lists to be reported.
    if (inFull) incident.changed = false
  }

  #send(report: IncidentReport): void {
    this.#reports.push(report)
    if (report.details === null) this.counted.reportsOfRates++
    else this.counted.reportsInFull++
  }

  #stateOf(incident: Incident, target: Target): IncidentState {
    return stateOf({ incident, target }, { classes: this.#classes, keys: this.#keys, hostsOf: this.#hostsOf })
  }

  #detailsOf(incident: Incident, target: Target): IncidentDetails {
    return { ...this.#lists.describe(incident), course: courseOf({ incident, target }, this.#classes) }
  }
}
