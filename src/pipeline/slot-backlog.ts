// For when the detector is behind: counts the slots of a collector that it has not taken yet. While there are too many the collector seals none: it goes on folding into
// the one that it has, whose tables are bounded and count what they refuse. A detector that is behind gets fewer slots, and memory does not grow.
import type { Sample } from '../metrics.ts'
import { pipelineMetrics } from './metrics.ts'

/** Slots on their way at most. A detector that keeps up takes a slot before the next; sealed once a second, four let a pass take four seconds. */
const slotsMax = 4

export class SlotBacklog {
  #slots = 0
  #isOverdue = false
  #delayed = 0

  /** Whether to seal now: a slot is due, or was due before, and there is room for it. */
  maySeal(isDue: boolean): boolean {
    if (!isDue && !this.#isOverdue) return false
    const hasRoom = this.#slots < slotsMax
    if (!hasRoom && !this.#isOverdue) this.#delayed++
    this.#isOverdue = !hasRoom
    return hasRoom
  }

  /** A slot is on its way. */
  sent(): void {
    this.#slots++
  }

  /** The detector has taken one. */
  taken(): void {
    this.#slots--
  }

  samples(): Sample[] {
    return [{ name: pipelineMetrics.slotsDelayed.name, labels: {}, value: this.#delayed }]
  }
}
