// The only place that reads the machine's time. Everything else is given a Clock, so that a capture can be replayed in its own time.
import { uptime } from 'node:os'

export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. It steps where the machine's clock is set. */
  now(): number
  /** Milliseconds since some moment: they are never set, and go on while the machine sleeps. Precise to a second at worst. */
  steady(): number
}

export const systemClock: Clock = { now: () => Date.now(), steady: () => uptime() * 1_000 }

/** A clock that stands still until it is set: tests, `detect` over captures. Where it is set back it steps; else time passes. */
export class ManualClock implements Clock {
  #nowMs: number
  #steadyMs = 0

  constructor(startMs = 0) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  steady(): number {
    return this.#steadyMs
  }

  set(toMs: number): void {
    this.#steadyMs += Math.max(0, toMs - this.#nowMs)
    this.#nowMs = toMs
  }

  advance(byMs: number): void {
    this.set(this.#nowMs + byMs)
  }

  /** It is set, and no time passes. */
  step(byMs: number): void {
    this.#nowMs += byMs
  }
}
