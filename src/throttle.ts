// Lets through what is done once in a while beside work that comes more often. Log messages have a throttle of their own, by kind (`LogThrottle`).

export class Throttle {
  readonly #periodMs: number
  #passedMs = Number.NEGATIVE_INFINITY

  /** Milliseconds between two passes. */
  constructor(periodMs: number) {
    this.#periodMs = periodMs
  }

  /** Whether a period has passed since the last pass, or it is early on purpose. A clock set back by more than a period delays nothing. Unix time, milliseconds. */
  pass(nowMs: number, isEarly = false): boolean {
    if (!isEarly && Math.abs(nowMs - this.#passedMs) < this.#periodMs) return false
    this.#passedMs = nowMs
    return true
  }
}
