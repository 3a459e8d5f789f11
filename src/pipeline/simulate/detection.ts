// The detection of simulated attacks. Each is judged by itself, by the settings of its victim, and meets neither real traffic nor what is normal: a real
// attack beside it is found as if the simulation did not exist, and nothing is learnt from it.
import type { IncidentReport } from '../../detect/incidents/incident-report.ts'
import type { DetectSettings } from '../../detect/settings.ts'
import type { SiteAddresses } from '../../detect/targets/target-settings.ts'
import { Detection } from '../detection.ts'
import type { SimulatedSlot } from './traffic.ts'

/** The reports of one simulation. */
export interface SimulatedReports {
  simulation: string
  reports: IncidentReport[]
}

/** A simulation has one victim, in one network. */
const targetsMax = 16
const incidentsMax = 16

/** What finds a probe, which is far above them. */
const probeSettings = {
  packetsPerSecond: 20_000,
  bytesPerSecond: 0,
  flowsPerSecond: 0,
  sensitivity: 1,
  excludePorts: [],
  excludeSources: [],
  prefixes: [],
  sites: [],
} satisfies Partial<DetectSettings>

export class SimulatedDetection {
  readonly #settings: DetectSettings
  readonly #detections = new Map<string, Detection>()
  /** The last reports of simulations that ended since the last pass. */
  #last: SimulatedReports[] = []
  #addresses: SiteAddresses | null = null

  constructor(settings: DetectSettings) {
    this.#settings = { ...settings, targetsMax, incidentsMax }
  }

  /** `isProbe`: it is judged by settings of its own, so that no setting of the operator hides it. */
  begin(simulation: string, { isProbe }: { isProbe: boolean }): void {
    const detection = new Detection({ settings: isProbe ? { ...this.#settings, ...probeSettings } : this.#settings })
    if (this.#addresses !== null) detection.detector.setSiteAddresses(this.#addresses)
    this.#detections.set(simulation, detection)
  }

  /** Its attack ends with it. */
  end(simulation: string, nowMs: number): void {
    const detection = this.#detections.get(simulation)
    if (detection === undefined) return
    this.#detections.delete(simulation)
    this.#last.push(reportsOf(simulation, [...detection.pass(nowMs), ...detection.detector.end(nowMs)]))
  }

  endAll(nowMs: number): void {
    for (const simulation of [...this.#detections.keys()]) this.end(simulation, nowMs)
  }

  setSiteAddresses(addresses: SiteAddresses): void {
    this.#addresses = addresses
    for (const { detector } of this.#detections.values()) detector.setSiteAddresses(addresses)
  }

  accept({ simulation, slot }: SimulatedSlot): void {
    this.#detections.get(simulation)?.accept(slot)
  }

  pass(nowMs: number): SimulatedReports[] {
    const ended = this.#last
    this.#last = []
    const going = Array.from(this.#detections, ([simulation, detection]) =>
      reportsOf(simulation, detection.pass(nowMs)),
    )
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
