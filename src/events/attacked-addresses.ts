// The addresses under attack now, by what the detector reports.
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { isOver } from './phase.ts'

export class AttackedAddresses {
  /** By incident; no more of them than the detector has. */
  readonly #victims = new Map<string, readonly number[]>()

  take(reports: readonly IncidentReport[]): void {
    for (const report of reports) {
      if (isOver(report)) this.#victims.delete(report.incident)
      else this.#victims.set(report.incident, victimsOf(report))
    }
  }

  addresses(): Set<number> {
    return new Set([...this.#victims.values()].flat())
  }
}

/** The addresses that an attack hits; of very many the hardest hit ones of each /24. */
export function victimsOf(report: IncidentReport): number[] {
  return report.victims.length > 0 ? report.victims.map(({ address }) => address) : [report.address]
}
