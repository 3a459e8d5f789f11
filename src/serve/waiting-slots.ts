// How many slots of a collector wait for the detector. While there are too many no more are sealed: the collector goes on folding into the one that it
// has, whose tables are bounded and count, so that a detector that is behind gets fewer slots, and memory does not grow.

import type { Sample } from '../metrics.ts'
import { serviceMetrics } from './metrics.ts'

/** A detector that keeps up has taken a slot before the next; so many seconds may a pass take, where slots are sealed once a second. */
const waitingMax = 4

export class WaitingSlots {
  #waiting = 0
  #isOverdue = false
  #delayed = 0

  /** Whether to seal now: a slot is due, or was due before, and there is room for it. */
  maySeal(isDue: boolean): boolean {
    if (!isDue && !this.#isOverdue) return false
    const hasRoom = this.#waiting < waitingMax
    if (!hasRoom && !this.#isOverdue) this.#delayed++
    this.#isOverdue = !hasRoom
    return hasRoom
  }

  /** A slot is on its way. */
  sent(): void {
    this.#waiting++
  }

  /** The detector has taken one. */
  taken(): void {
    this.#waiting--
  }

  samples(): Sample[] {
    return [{ name: serviceMetrics.slotsDelayed.name, labels: {}, value: this.#delayed }]
  }
}
