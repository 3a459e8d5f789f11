// Chooses the attacks that are reported in full in a second, in its first pass. Lists and courses are large: thousands of attacks at a time take turns, and the
// others are reported with their rates alone.
import { incidents } from '../lines/incidents.ts'
import type { Incident } from './incident.ts'

const { updatesMax, changesMax } = incidents

export class ReportTurns {
  /** Attacks that were never reported in full. */
  readonly #fresh = new Set<Incident>()
  /** When attacks were last reported in full, Unix milliseconds; the longest ago first. */
  readonly #reported = new Map<Incident, number>()
  readonly #chosen = new Set<Incident>()
  #changesLeft = 0
  #second = 0

  /** Chooses, in the first pass of a second, attacks with news that were not reported in full for `updateSeconds`. */
  begin(nowMs: number, updateSeconds: number): void {
    const second = Math.floor(nowMs / 1000)
    const beforeMs = nowMs - updateSeconds * 1000
    this.#chosen.clear()
    if (second === this.#second) return
    this.#second = second
    this.#changesLeft = changesMax
    for (const incident of this.#fresh) {
      if (this.#chosen.size === updatesMax) return
      if (incident.changed) this.#chosen.add(incident)
    }
    for (const [incident, reportedMs] of this.#reported) {
      if (this.#chosen.size === updatesMax) return
      if (incident.changed && reportedMs <= beforeMs) this.#chosen.add(incident)
    }
  }

  /** Whether another attack that begins or ends may be reported in full. */
  get mayReport(): boolean {
    return this.#changesLeft > 0
  }

  /** Whether an attack is reported in full in this pass. */
  isChosen(incident: Incident): boolean {
    return this.#chosen.has(incident)
  }

  /** Counts an attack that begins. */
  opened(incident: Incident, inFull: boolean, nowMs: number): void {
    if (!inFull) this.#fresh.add(incident)
    else {
      this.#changesLeft--
      this.#reported.set(incident, nowMs)
    }
  }

  /** Notes a report in full. */
  updated(incident: Incident, nowMs: number): void {
    this.#fresh.delete(incident)
    this.#reported.delete(incident)
    this.#reported.set(incident, nowMs)
  }

  /** Notes the last report of an attack. */
  ended(incident: Incident): void {
    this.#changesLeft--
    this.#fresh.delete(incident)
    this.#reported.delete(incident)
  }
}
