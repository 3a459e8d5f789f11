// The only place that reads the machine's time. Everything else is given a Clock, so that a capture can be replayed in its own time.

/** A source of wall-clock time, in milliseconds since the Unix epoch. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that stands still until it is set: tests, `detect` over captures. */
export class ManualClock implements Clock {
  #nowMs: number

  constructor(startMs = 0) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  set(toMs: number): void {
    this.#nowMs = toMs
  }

  advance(byMs: number): void {
    this.#nowMs += byMs
  }
}
