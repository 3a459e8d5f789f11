// How often a key (a token, a remote address) may do something: a fixed window for each, that begins with its first use. The table is bounded.

export interface Quota {
  allowed: boolean
  limit: number
  remaining: number
  /** Until the window is over: whole seconds, at least 1. */
  resetSeconds: number
}

export interface LimiterOptions {
  /** Uses in a window; 0: any number. */
  limit: number
  windowMs?: number
  keysMax?: number
}

export class WindowLimiter {
  readonly #limit: number
  readonly #windowMs: number
  readonly #keysMax: number
  /** In the order in which the windows began, so that the oldest come first. */
  readonly #windows = new Map<string, { startMs: number; used: number }>()
  readonly counters = { refused: 0, evicted: 0 }

  constructor({ limit, windowMs = 60_000, keysMax = 10_000 }: LimiterOptions) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#keysMax = keysMax
  }

  get isOn(): boolean {
    return this.#limit > 0
  }

  get windowSeconds(): number {
    return this.#windowMs / 1000
  }

  /** Counts a use, if it is allowed. */
  take(key: string, nowMs: number): Quota {
    const window = this.#current(key, nowMs) ?? this.#begin(key, nowMs)
    const allowed = window.used < this.#limit || !this.isOn
    if (allowed) window.used++
    else this.counters.refused++
    return this.#quota(window, allowed, nowMs)
  }

  /** Whether a use would be allowed. */
  peek(key: string, nowMs: number): Quota {
    const window = this.#current(key, nowMs) ?? { startMs: nowMs, used: 0 }
    return this.#quota(window, window.used < this.#limit || !this.isOn, nowMs)
  }

  #quota(window: { startMs: number; used: number }, allowed: boolean, nowMs: number): Quota {
    const resetSeconds = Math.max(1, Math.ceil((window.startMs + this.#windowMs - nowMs) / 1000))
    return { allowed, limit: this.#limit, remaining: Math.max(0, this.#limit - window.used), resetSeconds }
  }

  #current(key: string, nowMs: number) {
    const window = this.#windows.get(key)
    if (window === undefined || this.#isOver(window.startMs, nowMs)) return undefined
    return window
  }

  /** Also when the clock was set back. */
  #isOver(startMs: number, nowMs: number): boolean {
    return nowMs < startMs || nowMs >= startMs + this.#windowMs
  }

  #begin(key: string, nowMs: number) {
    this.#windows.delete(key)
    for (const [oldest, { startMs }] of this.#windows) {
      const isOver = this.#isOver(startMs, nowMs)
      if (!isOver && this.#windows.size < this.#keysMax) break
      this.#windows.delete(oldest)
      if (!isOver) this.counters.evicted++
    }
    const window = { startMs: nowMs, used: 0 }
    this.#windows.set(key, window)
    return window
  }
}

/** The two header fields of draft-ietf-httpapi-ratelimit-headers-10: lists of items with parameters (RFC 9651). */
export function rateLimitHeaders(quota: Quota, windowSeconds: number): Record<string, string> {
  return {
    'ratelimit-policy': `"token";q=${quota.limit};w=${windowSeconds}`,
    ratelimit: `"token";r=${quota.remaining};t=${quota.resetSeconds}`,
  }
}
