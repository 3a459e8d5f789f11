// The detection of simulated attacks: each is judged by a detector of its own, by the settings that hold for its victim. It meets neither real
// traffic nor what is normal: a real attack beside it is found as if it were not there, and nothing is learnt from it.
import { Detector } from '../detect/detector.ts'
import type { IncidentReport } from '../detect/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { SiteAddresses } from '../detect/target-settings.ts'
import type { SimulatedSlot } from './simulated-traffic.ts'

/** What there is to tell of a simulation. */
export interface SimulatedReports {
  simulation: string
  reports: IncidentReport[]
}

/** A simulation has one victim, in one network. */
const targetsMax = 16
const incidentsMax = 16

export class SimulatedDetection {
  readonly #settings: DetectSettings
  readonly #detectors = new Map<string, Detector>()
  /** Of those that ended since the last pass. */
  #last: SimulatedReports[] = []
  #addresses: SiteAddresses | null = null

  constructor(settings: DetectSettings) {
    this.#settings = { ...settings, targetsMax, incidentsMax }
  }

  begin(simulation: string): void {
    const detector = new Detector({ settings: this.#settings })
    if (this.#addresses !== null) detector.setSiteAddresses(this.#addresses)
    this.#detectors.set(simulation, detector)
  }

  /** Its attack is over with it. */
  end(simulation: string, nowMs: number): void {
    const detector = this.#detectors.get(simulation)
    if (detector === undefined) return
    this.#detectors.delete(simulation)
    this.#last.push(reportsOf(simulation, [...detector.pass(nowMs), ...detector.end(nowMs)]))
  }

  endAll(nowMs: number): void {
    for (const simulation of [...this.#detectors.keys()]) this.end(simulation, nowMs)
  }

  setSiteAddresses(addresses: SiteAddresses): void {
    this.#addresses = addresses
    for (const detector of this.#detectors.values()) detector.setSiteAddresses(addresses)
  }

  accept({ simulation, slot }: SimulatedSlot): void {
    this.#detectors.get(simulation)?.accept(slot)
  }

  pass(nowMs: number): SimulatedReports[] {
    const ended = this.#last
    this.#last = []
    const going = Array.from(this.#detectors, ([simulation, detector]) => reportsOf(simulation, detector.pass(nowMs)))
    return [...ended, ...going].filter(({ reports }) => reports.length > 0)
  }
}

/** Two simulations may attack the same address in the same second. */
function reportsOf(simulation: string, reports: readonly IncidentReport[]): SimulatedReports {
  return {
    simulation,
    reports: reports.map((report) => ({ ...report, incident: `${simulation}.${report.incident}` })),
  }
}
