// What is done once an hour beside other work.

const hourMs = 3_600_000

export class HourlyTurn {
  #takenMs = Number.NEGATIVE_INFINITY

  /** Whether it is time; then the next turn is an hour later. A clock that was set back by more does not delay it. Unix time, milliseconds. */
  take(nowMs: number, isEarly = false): boolean {
    if (!isEarly && Math.abs(nowMs - this.#takenMs) < hourMs) return false
    this.#takenMs = nowMs
    return true
  }
}
