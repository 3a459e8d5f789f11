// Which attacks are told of in full in a second, in its first pass. Lists and courses are large: of thousands of attacks that go on at the same time some are, in turn,
// and of the others their rates alone.
import type { Incident } from './incident.ts'

/** Updates in full. */
const updatesMax = 100
/** Attacks that are told of in full since they begin or end. An end waits for a later second, a beginning is told of without lists. */
const changesMax = 200

export class ReportTurns {
  /** Those that were never told of in full. */
  readonly #fresh = new Set<Incident>()
  /** With when they were, Unix milliseconds; whose turn was longest ago first. */
  readonly #told = new Map<Incident, number>()
  readonly #chosen = new Set<Incident>()
  #changesLeft = 0
  #second = 0

  /** Chooses whose turn it is, in the first pass of a second: those with news, of whom nothing was told in full for `updateSeconds`. */
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
    for (const [incident, toldMs] of this.#told) {
      if (this.#chosen.size === updatesMax) return
      if (incident.changed && toldMs <= beforeMs) this.#chosen.add(incident)
    }
  }

  /** True when another attack that begins or ends may be told of in full. */
  get mayTell(): boolean {
    return this.#changesLeft > 0
  }

  /** Whether it is told of in full in this pass. */
  isChosen(incident: Incident): boolean {
    return this.#chosen.has(incident)
  }

  /** Counts one that begins. */
  opened(incident: Incident, inFull: boolean, nowMs: number): void {
    if (!inFull) this.#fresh.add(incident)
    else {
      this.#changesLeft--
      this.#told.set(incident, nowMs)
    }
  }

  /** It was told of in full. */
  updated(incident: Incident, nowMs: number): void {
    this.#fresh.delete(incident)
    this.#told.delete(incident)
    this.#told.set(incident, nowMs)
  }

  /** It was told of for the last time. */
  ended(incident: Incident): void {
    this.#changesLeft--
    this.#fresh.delete(incident)
    this.#told.delete(incident)
  }
}
