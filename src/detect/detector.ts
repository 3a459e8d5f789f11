// The detector: sealed slots in, incident reports out. It keeps what is known of each target and asks the judge about every second
// that changed; how an incident lives on is incident.ts, what makes one is judge.ts and vectors/.
import type { CounterColumns, SealedSlot } from '../aggregate/sealed-slot.ts'
import type { Sample } from '../metrics.ts'
import { type Classes, compileVectors, total } from '../vectors/compile.ts'
import { vectors } from '../vectors/vectors.ts'
import { AttackedIndex } from './attacked-index.ts'
import { learnEverySeconds, level } from './baseline.ts'
import { type Candidate, candidatesOf, type JudgedBy } from './candidates.ts'
import { carpetCandidates, networkAt } from './carpet.ts'
import { Evidence, type EvidenceLimits } from './evidence.ts'
import { Incident, type IncidentRates } from './incident.ts'
import type { IncidentReport } from './incident-report.ts'
import { compileLimits, type LimitsOf } from './limits.ts'
import { type DetectorCounters, samplesOf } from './metrics.ts'
import { RatePages } from './rate-pages.ts'
import { ringSeconds } from './rates.ts'
import { RecentRecords } from './recent-records.ts'
import type { DetectSettings } from './settings.ts'
import { flowsMin, type RowRange, Target } from './target.ts'
import type { Places } from './top-items.ts'

/** Where the traffic of targets goes by the minute; history/ has one. */
export interface History {
  add(address: number, from: number, to: number, rates: { packets: number; bytes: number; flows: number }): void
  take(): HistoryPoint[]
}

interface HistoryPoint {
  address: number
  minute: number
  bytes: number
  packets: number
  flows: number
}

export interface DetectorOptions {
  settings: DetectSettings
  history?: History
}

interface Attack {
  incident: Incident
  target: Target
}

/** Traffic is learnt when it is older than this, and late records can't change it any more. Seconds. */
const settledSeconds = ringSeconds - learnEverySeconds - 10
/** A target without traffic is forgotten after a day: learning it anew costs less than to keep it. */
const forgetSeconds = 86_400
const historyEveryMs = 10_000

const evidenceLimits: EvidenceLimits = { dstport: 65_536, srcport: 65_536, srcip: 65_536, proto: 256, flags: 256 }
/** Places of all evidence lists together, of some 60 octets each. */
const evidencePlaces = 1 << 22
/** Records of the last moments, of 30 octets each. */
const recentRecordsMax = 1 << 21
/** Memory for rates, in pages for each of the targets that there may be: some 48 KiB, five classes in every second. */
const pagesPerTarget = 64

export class Detector {
  readonly counted: DetectorCounters = { targetsRefused: 0, classesRefused: 0, incidentsRefused: 0, incidents: 0 }
  readonly #settings: DetectSettings
  readonly #limitsOf: LimitsOf
  readonly #classes: Classes = compileVectors(vectors)
  readonly #history: History | null
  readonly #places: Places = { left: evidencePlaces }
  readonly #targets = new Map<number, Target>()
  /** The /24 networks of the targets: what all of them get together. */
  readonly #networks = new Map<number, Target>()
  readonly #changed = new Set<Target>()
  readonly #changedNetworks = new Set<Target>()
  readonly #attacked = new Set<Target>()
  readonly #incidents = new AttackedIndex()
  readonly #recent = new RecentRecords(recentRecordsMax)
  readonly #pages: RatePages
  #learntThrough = 0
  #nowMs = 0
  #historyTakenMs = 0

  constructor({ settings, history }: DetectorOptions) {
    this.#settings = settings
    this.#limitsOf = compileLimits(settings)
    this.#pages = new RatePages(settings.targetsMax * pagesPerTarget)
    this.#history = history ?? null
  }

  /** Takes in what a collector counted; the slot may be dropped then. */
  accept(slot: SealedSlot): void {
    this.#acceptCounters(slot.counters, slot.sealedMs)
    this.#incidents.addRecords(slot.records, slot.sealedMs)
    this.#recent.keep(slot)
  }

  /** Judges what changed; to be called once a second. */
  pass(nowMs: number): IncidentReport[] {
    this.#nowMs = nowMs
    const nowSecond = Math.floor(nowMs / 1000)
    const reports: IncidentReport[] = []
    for (const known of [this.#changed, this.#changedNetworks, this.#attacked]) {
      for (const target of known) if (target.isAheadOf(nowSecond)) this.#startOver(target, nowSecond, reports)
    }
    const opened: Attack[] = []
    for (const target of this.#changed)
      this.#judge(target, candidatesOf(target, this.#judgedBy(target, nowSecond)), opened)
    for (const network of this.#changedNetworks) this.#judgeNetwork(network, nowSecond, opened)
    this.#begin(opened, reports)
    for (const changed of [this.#changed, this.#changedNetworks]) {
      for (const target of changed) target.judged()
      changed.clear()
    }
    for (const target of this.#attacked) this.#follow(target, reports)
    this.#learn(nowSecond)
    return reports
  }

  /** Minutes of traffic since it was last taken; the points of a minute are to be added up. */
  takeSeries(): HistoryPoint[] {
    if (this.#history === null || Math.abs(this.#nowMs - this.#historyTakenMs) < historyEveryMs) return []
    this.#historyTakenMs = this.#nowMs
    return this.#history.take()
  }

  /** Incidents that go on. */
  get openIncidents(): number {
    let open = 0
    for (const target of this.#attacked) open += target.incidents.length
    return open
  }

  samples(): Sample[] {
    return samplesOf(this.counted, {
      targets: this.#targets.size,
      openIncidents: this.openIncidents,
      amountsRefused: this.#pages.refused,
      recordsDropped: this.#recent.dropped,
    })
  }

  #acceptCounters(counters: CounterColumns, nowMs: number): void {
    for (let from = 0; from < counters.rows; ) {
      const address = counters.address[from]
      const trafficClass = counters.trafficClass[from]
      let to = from + 1
      while (to < counters.rows && counters.address[to] === address && counters.trafficClass[to] === trafficClass) to++
      const target = this.#targetOf(address, nowMs)
      if (target !== null) {
        const rows = { from, to }
        if (!target.raise(trafficClass, counters, rows)) this.counted.classesRefused++
        this.#changed.add(target)
        const network = this.#networkOf(address, nowMs)
        network.raise(trafficClass, counters, rows)
        this.#changedNetworks.add(network)
        if (this.#history !== null) addHistory(this.#history, counters, rows)
      }
      from = to
    }
  }

  #targetOf(address: number, nowMs: number): Target | null {
    const found = this.#targets.get(address)
    if (found !== undefined) return found
    if (this.#targets.size >= this.#settings.targetsMax) {
      this.counted.targetsRefused++
      return null
    }
    const target = new Target(this.#pages, address, Math.floor(nowMs / 1000))
    this.#targets.set(address, target)
    return target
  }

  /** Per /24, what its targets get together. There are no more of them than targets. */
  #networkOf(address: number, nowMs: number): Target {
    const network = networkAt(address)
    const found = this.#networks.get(network)
    if (found !== undefined) return found
    const made = new Target(this.#pages, network, Math.floor(nowMs / 1000))
    this.#networks.set(network, made)
    return made
  }

  #judgedBy(target: Target, nowSecond: number): JudgedBy {
    const learnt = target.isLearnt(nowSecond, this.#settings.learnSeconds)
    return { classes: this.#classes, limits: this.#limitsOf(target.address), learnt }
  }

  #judge(target: Target, candidates: Candidate[], opened: Attack[]): void {
    for (const candidate of candidates) {
      const known = target.incidents.find((incident) => isSameAttack(incident, candidate))
      known?.note(candidate.alarm)
      if (known !== undefined || (target.inIncident && !candidate.isNewVector)) continue
      const incident = this.#open(target, candidate)
      if (incident !== null) opened.push({ incident, target })
    }
  }

  #judgeNetwork(network: Target, nowSecond: number, opened: Attack[]): void {
    const hostsOf = () => Array.from({ length: 256 }, (_, i) => this.#targets.get(network.address + i) ?? []).flat()
    this.#judge(network, carpetCandidates(network, hostsOf, this.#judgedBy(network, nowSecond)), opened)
  }

  #open(target: Target, { address, trafficClass, label, alarm }: Candidate): Incident | null {
    if (this.openIncidents >= this.#settings.incidentsMax) {
      this.counted.incidentsRefused++
      return null
    }
    const evidence = new Evidence(evidenceLimits, this.#places)
    const earliest = target.overThrough + 1
    const rates = ratesOf(target, trafficClass)
    const incident = new Incident({ address, trafficClass, label, alarm, evidence, earliest }, rates)
    target.incidents.push(incident)
    this.#attacked.add(target)
    this.counted.incidents++
    incident.follow(rates, Math.floor(this.#nowMs / 1000))
    return incident
  }

  /** The lists of new attacks begin with what had come for them: one reading of it for all. */
  #begin(opened: Attack[], reports: IncidentReport[]): void {
    if (opened.length === 0) return
    const unread = new AttackedIndex()
    for (const { incident, target } of opened) {
      for (const index of [this.#incidents, unread]) index.add(incident, target.address, this.#isNetwork(target))
    }
    this.#recent.addTo(unread)
    for (const { incident, target } of opened) this.#report(incident, 'opened', target, reports)
  }

  #isNetwork(target: Target): boolean {
    return this.#networks.get(target.address) === target
  }

  #follow(target: Target, reports: IncidentReport[]): void {
    const { quietSeconds, updateSeconds } = this.#settings
    for (const incident of target.incidents) {
      incident.follow(ratesOf(target, incident.trafficClass), Math.floor(this.#nowMs / 1000))
      const quietMs = this.#nowMs - (incident.lastSecond + 1) * 1000
      if (quietMs >= quietSeconds * 1000) {
        this.#end(incident, target, reports)
      } else if (incident.changed && this.#nowMs - incident.lastReportMs >= updateSeconds * 1000) {
        this.#report(incident, 'updated', target, reports)
      }
    }
    if (target.incidents.length === 0) this.#attacked.delete(target)
  }

  #end(incident: Incident, target: Target, reports: IncidentReport[]): void {
    this.#report(incident, 'ended', target, reports)
    incident.evidence.release()
    this.#incidents.remove(incident, target.address, this.#isNetwork(target))
    target.incidents = target.incidents.filter((other) => other !== incident)
    target.overThrough = Math.max(target.overThrough, incident.lastSecond)
  }

  /** The clock was set back: an attack that goes on is told of as another one. */
  #startOver(target: Target, nowSecond: number, reports: IncidentReport[]): void {
    for (const incident of target.incidents) this.#end(incident, target, reports)
    this.#attacked.delete(target)
    target.startOver(nowSecond)
  }

  #report(incident: Incident, phase: IncidentReport['phase'], target: Target, reports: IncidentReport[]): void {
    reports.push(incident.report(phase, ratesOf(target, incident.trafficClass)))
    incident.lastReportMs = this.#nowMs
    incident.changed = false
  }

  /** Every target learns the same settled seconds, whether it had traffic or not. */
  #learn(nowSecond: number): void {
    const through = nowSecond - settledSeconds - ((nowSecond - settledSeconds) % learnEverySeconds)
    // Also when the clock was set back: it learns on from there.
    if (through < this.#learntThrough) this.#learntThrough = through
    if (through === this.#learntThrough) return
    for (const known of [this.#targets, this.#networks]) {
      for (const [address, target] of known) {
        target.learn(through - learnEverySeconds, through)
        target.release(nowSecond)
        if (target.isForgotten(nowSecond - forgetSeconds)) known.delete(address)
      }
    }
    this.#learntThrough = through
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

function addHistory(history: History, counters: CounterColumns, { from, to }: RowRange): void {
  const rates = { packets: 0, bytes: 0, flows: 0 }
  for (let row = from; row < to - 1; row++) {
    rates.packets += counters.packets[row]
    rates.bytes += counters.bytes[row]
    rates.flows += counters.flows[row]
    if (rates.flows >= flowsMin)
      history.add(counters.address[row], counters.second[row], counters.second[row + 1], rates)
  }
}
