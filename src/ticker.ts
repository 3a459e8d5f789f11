// Calls a function on a period of the machine's time, so that a clock that is set back delays nothing. Work that may fail or take long is a
// `PeriodicTask`.

export class Ticker {
  readonly #tick: () => void
  #timer: NodeJS.Timeout | null = null

  constructor(tick: () => void) {
    this.#tick = tick
  }

  get isRunning(): boolean {
    return this.#timer !== null
  }

  /** The first call is a period from now, milliseconds. A ticker that runs goes on with the new period. */
  start(periodMs: number): this {
    this.stop()
    this.#timer = setInterval(this.#tick, periodMs)
    return this
  }

  /** Lets the process end while it ticks. */
  unref(): void {
    this.#timer?.unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}
