// How long whoever fails again and again (an account, a remote address) has to wait: longer each time, up to a bound. The table is bounded.

export interface BackOffOptions {
  /** Failures without a wait. */
  free: number
  /** After the next; twice as long after each more. */
  firstMs: number
  mostMs: number
  keysMax?: number
}

interface Failures {
  count: number
  untilMs: number
  /** The wait before the last attempt. */
  beforeMs: number
}

export class BackOff {
  readonly #options: BackOffOptions
  /** The one that failed longest ago comes first. */
  readonly #failures = new Map<string, Failures>()
  /** Keys whose failures were forgotten early. */
  evicted = 0

  constructor(options: BackOffOptions) {
    this.#options = options
  }

  /** Milliseconds to wait; 0: an attempt may be made. */
  waitOf(key: string, nowMs: number): number {
    const known = this.#failures.get(key)
    return known === undefined || this.#isForgotten(known, nowMs) ? 0 : Math.max(0, known.untilMs - nowMs)
  }

  /** Milliseconds to wait; 0: the attempt may be made, and counts as a failure until it is forgiven: many at once are many. */
  take(key: string, nowMs: number): number {
    const { free, firstMs, mostMs } = this.#options
    const known = this.#failures.get(key)
    const failures =
      known !== undefined && !this.#isForgotten(known, nowMs) ? known : { count: 0, untilMs: nowMs, beforeMs: nowMs }
    const waitMs = failures.untilMs - nowMs
    if (waitMs > 0) return waitMs
    const count = failures.count + 1
    const nextMs = count <= free ? 0 : Math.min(mostMs, firstMs * 2 ** (count - free - 1))
    this.#set(key, { count, untilMs: nowMs + nextMs, beforeMs: failures.untilMs })
    return 0
  }

  /** The last attempt was no failure. `entirely`: nor does any before it count any more; else they do, with the wait that they had. */
  forgive(key: string, { entirely }: { entirely: boolean }): void {
    const known = this.#failures.get(key)
    if (known === undefined) return
    if (entirely || known.count <= 1) this.#failures.delete(key)
    else this.#failures.set(key, { ...known, count: known.count - 1, untilMs: known.beforeMs })
  }

  /** After four times the longest wait; also when the clock was set back. */
  #isForgotten({ untilMs }: Failures, nowMs: number): boolean {
    const { mostMs } = this.#options
    return nowMs > untilMs + 4 * mostMs || untilMs > nowMs + mostMs
  }

  #set(key: string, failures: Failures): void {
    this.#failures.delete(key)
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size < (this.#options.keysMax ?? 10_000)) break
      this.#failures.delete(oldest)
      this.evicted++
    }
    this.#failures.set(key, failures)
  }
}
