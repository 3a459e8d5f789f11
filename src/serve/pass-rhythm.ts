// When the detector passes: as soon as every collector has told what it counted since the last pass, so that no second waits for another timer;
// and when one of them is silent, without it.

/** Collectors tell at least once a second. */
const waitMs = 1_500

export class PassRhythm<Collector> {
  readonly #collectors = new Set<Collector>()
  readonly #awaited = new Set<Collector>()
  #passedMs = 0

  add(collector: Collector): void {
    this.#collectors.add(collector)
    this.#awaited.add(collector)
  }

  /** A collector has told what it counted: true when all have. */
  hear(collector: Collector): boolean {
    this.#awaited.delete(collector)
    return this.#awaited.size === 0
  }

  /** True when it was waited for long enough; also when the clock was set back. */
  isDue(nowMs: number): boolean {
    return Math.abs(nowMs - this.#passedMs) >= waitMs
  }

  passed(nowMs: number): void {
    this.#passedMs = nowMs
    for (const collector of this.#collectors) this.#awaited.add(collector)
  }
}
