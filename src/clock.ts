// The only place that reads the machine's time. Everything else is given a Clock, so that a capture can be replayed in its own time.
import { uptime } from 'node:os'

export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. It steps where the machine's clock is set. */
  now(): number
  /** Milliseconds since some moment: they are never set, and go on while the machine sleeps. Precise to a second at worst. */
  steady(): number
  /** Milliseconds for which the machine was awake, since some moment: never set, and precise. Nothing that gives a container another time of start changes it. */
  awake(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => uptime() * 1_000,
  awake: () => performance.now(),
}

/** A clock that stands still until it is set: tests, `detect` over captures. Where it is set back it steps; else time passes. */
export class ManualClock implements Clock {
  #nowMs: number
  #steadyMs = 0
  #awakeMs = 0

  constructor(startMs = 0) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  steady(): number {
    return this.#steadyMs
  }

  awake(): number {
    return this.#awakeMs
  }

  set(toMs: number): void {
    const passedMs = Math.max(0, toMs - this.#nowMs)
    this.#steadyMs += passedMs
    this.#awakeMs += passedMs
    this.#nowMs = toMs
  }

  advance(byMs: number): void {
    this.set(this.#nowMs + byMs)
  }

  /** Time passes while the machine sleeps. */
  sleep(forMs: number): void {
    this.#nowMs += forMs
    this.#steadyMs += forMs
  }

  /** The steady clock alone jumps, and no time passes. */
  jump(byMs: number): void {
    this.#steadyMs += byMs
  }

  /** It is set, and no time passes. */
  step(byMs: number): void {
    this.#nowMs += byMs
  }
}
