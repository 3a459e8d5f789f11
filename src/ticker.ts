// Calls a function on a period of the machine's time, so that a clock that is set back delays nothing. Work that may fail or take long is a
// `PeriodicTask`.

export class Ticker {
  readonly #tick: () => void
  #periodMs = 0
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
    this.#periodMs = periodMs
    this.#timer = setInterval(this.#tick, periodMs)
    return this
  }

  /** Lets one that runs go on with this period; nothing changes when it has it already. */
  keep(periodMs: number): void {
    if (this.isRunning && periodMs !== this.#periodMs) this.start(periodMs)
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
