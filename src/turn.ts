// What is done once in a while beside other work that comes more often.

export class Turn {
  readonly #periodMs: number
  #takenMs = Number.NEGATIVE_INFINITY

  /** Milliseconds between two turns. */
  constructor(periodMs: number) {
    this.#periodMs = periodMs
  }

  /** Whether it is time, or `isEarly`; then the next turn is a period later. A clock that was set back by more than a period does not delay it. Unix time, milliseconds. */
  take(nowMs: number, isEarly = false): boolean {
    if (!isEarly && Math.abs(nowMs - this.#takenMs) < this.#periodMs) return false
    this.#takenMs = nowMs
    return true
  }
}
