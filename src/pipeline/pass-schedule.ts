// Decides when the detector passes: when every collector has sent a slot since the last pass, so that no second waits for a timer; and when a
// collector has been silent for too long, without it.

/** How long a silent collector is waited for. Collectors send a slot at least once a second. */
const waitMs = 1_500

export class PassSchedule<Collector> {
  readonly #collectors = new Set<Collector>()
  readonly #awaited = new Set<Collector>()
  #passedMs = 0

  add(collector: Collector): void {
    this.#collectors.add(collector)
    this.#awaited.add(collector)
  }

  /** A slot of the collector has come. Returns true when all have sent one. */
  received(collector: Collector): boolean {
    this.#awaited.delete(collector)
    return this.#awaited.size === 0
  }

  /** True when the last pass was long enough ago; also when the clock was set back. */
  isDue(nowMs: number): boolean {
    return Math.abs(nowMs - this.#passedMs) >= waitMs
  }

  passed(nowMs: number): void {
    this.#passedMs = nowMs
    for (const collector of this.#collectors) this.#awaited.add(collector)
  }
}
