// The attacks that go on: opened by what the judge found, followed second by second, told of, and ended when they have been quiet for long enough.
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import { total } from '../vectors/compile.ts'
import { AttackedIndex } from './attacked-index.ts'
import { level } from './baseline.ts'
import type { Candidate } from './candidates.ts'
import { bandOf } from './course.ts'
import { Evidence, type EvidenceLimits } from './evidence.ts'
import { ExporterNumbers } from './exporter-numbers.ts'
import { Incident, type IncidentRates } from './incident.ts'
import type { Course, IncidentDetails, IncidentReport } from './incident-report.ts'
import { Places } from './places.ts'
import { RecentRecords } from './recent-records.ts'
import { ReportTurns } from './report-turns.ts'
import type { DetectSettings } from './settings.ts'
import { statisticsOf } from './statistics.ts'
import type { Target } from './target.ts'

interface Attack {
  incident: Incident
  target: Target
}

const evidenceLimits: EvidenceLimits = {
  dstport: 65_536,
  srcport: 65_536,
  srcip: 65_536,
  proto: 256,
  flags: 256,
  length: 2_048,
  exporter: 256,
}
/** Places of all evidence lists together, of some 60 octets each. */
const evidencePlaces = 1 << 22
/** Records of the last moments, of 42 octets each. */
const recentRecordsMax = 1 << 21

export class Incidents {
  readonly counted = { incidents: 0, incidentsRefused: 0 }
  readonly #settings: DetectSettings
  readonly #places = new Places(evidencePlaces)
  readonly #exporters = new ExporterNumbers()
  readonly #attacked = new Set<Target>()
  readonly #index = new AttackedIndex()
  readonly #recent = new RecentRecords(recentRecordsMax)
  readonly #turns = new ReportTurns()
  /** Of the pass that goes on. */
  #opened: Attack[] = []
  #reports: IncidentReport[] = []
  #nowMs = 0

  constructor(settings: DetectSettings) {
    this.#settings = settings
  }

  /** Incidents that go on. */
  get open(): number {
    let open = 0
    for (const target of this.#attacked) open += target.incidents.length
    return open
  }

  /** What found no place in bounded tables: records of the last moments, items of lists, exporters. */
  get refused(): { records: number; items: number; exporters: number } {
    return { records: this.#recent.dropped, items: this.#places.dropped, exporters: this.#exporters.refused }
  }

  accept(slot: SealedSlot): void {
    this.#exporters.apply(slot)
    this.#index.addRecords(slot.records, slot.sealedMs)
    this.#recent.keep(slot)
  }

  beginPass(nowMs: number): void {
    this.#nowMs = nowMs
    this.#opened = []
    this.#reports = []
    this.#turns.begin(nowMs - this.#settings.updateSeconds * 1000)
  }

  /** The candidates are those of one target, the heaviest first. */
  take(target: Target, candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const known = target.incidents.find((incident) => isSameAttack(incident, candidate))
      known?.note(candidate.alarm)
      if (known !== undefined || (target.inIncident && !candidate.isNewVector)) continue
      this.#open(target, candidate)
    }
  }

  /** What is to be told of this pass. */
  endPass(): IncidentReport[] {
    this.#beginLists()
    for (const { incident, target } of this.#opened) {
      const inFull = this.#turns.mayTell
      this.#report(incident, 'opened', target, inFull)
      this.#turns.opened(incident, inFull, this.#nowMs)
    }
    for (const target of this.#attacked) this.#follow(target)
    return this.#reports
  }

  /** The clock was set back: an attack that goes on is told of as another one. */
  startOver(nowSecond: number): void {
    for (const target of this.#attacked) {
      if (!target.isAheadOf(nowSecond)) continue
      for (const incident of target.incidents) this.#end(incident, target)
      this.#attacked.delete(target)
      target.startOver(nowSecond)
    }
  }

  #open(target: Target, { address, trafficClass, label, alarm }: Candidate): void {
    if (this.open >= this.#settings.incidentsMax) {
      this.counted.incidentsRefused++
      return
    }
    const evidence = new Evidence(evidenceLimits, this.#places)
    const earliest = target.overThrough + 1
    const rates = ratesOf(target, trafficClass)
    const incident = new Incident({ address, trafficClass, label, alarm, evidence, earliest }, rates)
    target.incidents.push(incident)
    this.#attacked.add(target)
    this.counted.incidents++
    incident.follow(rates, Math.floor(this.#nowMs / 1000))
    this.#opened.push({ incident, target })
  }

  /** The lists of new attacks begin with what had come for them: one reading of it for all. */
  #beginLists(): void {
    if (this.#opened.length === 0) return
    const unread = new AttackedIndex()
    for (const { incident, target } of this.#opened) {
      for (const index of [this.#index, unread]) index.add(incident, target.address, target.isNetwork)
    }
    this.#recent.addTo(unread)
  }

  #follow(target: Target): void {
    const { quietSeconds } = this.#settings
    for (const incident of target.incidents) {
      incident.follow(ratesOf(target, incident.trafficClass), Math.floor(this.#nowMs / 1000))
      const quietMs = this.#nowMs - (incident.lastSecond + 1) * 1000
      if (quietMs >= quietSeconds * 1000 && this.#turns.mayTell) this.#end(incident, target)
      else if (incident.changed) this.#update(incident, target)
    }
    if (target.incidents.length === 0) this.#attacked.delete(target)
  }

  #update(incident: Incident, target: Target): void {
    const inFull = this.#turns.isChosen(incident)
    if (!inFull && this.#nowMs - incident.lastReportMs < this.#settings.updateSeconds * 1000) return
    this.#report(incident, 'updated', target, inFull)
    if (inFull) this.#turns.updated(incident, this.#nowMs)
  }

  #end(incident: Incident, target: Target): void {
    const state = incident.state(ratesOf(target, incident.trafficClass))
    this.#reports.push({ ...state, phase: 'ended', details: this.#detailsOf(incident, target) })
    this.#turns.ended(incident)
    incident.evidence.release()
    this.#index.remove(incident, target.address, target.isNetwork)
    target.incidents = target.incidents.filter((other) => other !== incident)
    target.overThrough = Math.max(target.overThrough, incident.lastSecond)
  }

  #report(incident: Incident, phase: 'opened' | 'updated', target: Target, inFull: boolean): void {
    const details = inFull ? this.#detailsOf(incident, target) : null
    this.#reports.push({ ...incident.state(ratesOf(target, incident.trafficClass)), phase, details })
    incident.lastReportMs = this.#nowMs
    // What the rates say is no news any more; what the lists say still is.
    if (inFull) incident.changed = false
  }

  #detailsOf(incident: Incident, target: Target): IncidentDetails {
    const { course, evidence, trafficClass, lastSecond } = incident
    return {
      statistics: statisticsOf(evidence, this.#exporters),
      course: {
        ...course.describe(ratesOf(target, trafficClass), lastSecond + 1),
        normal: this.#normalOf(target, trafficClass),
      },
    }
  }

  #normalOf(target: Target, trafficClass: number): Course['normal'] {
    const series = target.series.get(trafficClass)
    const { learnSeconds } = this.#settings
    if (series === undefined || !target.isLearnt(Math.floor(this.#nowMs / 1000), learnSeconds)) return null
    return { total: bandOf(target.total.baseline), attack: bandOf(series.baseline) }
  }
}

/** The same label may come from two ports; what accompanies an attack is part of it; all traffic together is no vector. */
function isSameAttack(incident: Incident, { trafficClass, label, besides }: Candidate): boolean {
  if (trafficClass === total || trafficClass === incident.trafficClass) return true
  if (incident.label === null) return false
  return incident.label === label || besides.some((attack) => incident.label?.startsWith(attack))
}

function ratesOf(target: Target, trafficClass: number): IncidentRates {
  const series = target.series.get(trafficClass)
  const normal = series === undefined ? 0 : level(series.baseline)
  return { ofClass: series?.ring ?? null, ofTotal: target.total.ring, normal }
}
