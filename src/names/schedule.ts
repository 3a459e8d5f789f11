// When each name is asked next: at once when new, then at the end of its TTL within bounds, sooner and ever later while it fails.
// The times are jittered, so that names that were added together do not stay together.

export interface ScheduleOptions {
  intervalMinMs: number
  intervalMaxMs: number
  /** Names in all; more are turned away. */
  namesMax: number
  /** In [0, 1). */
  random: () => number
}

interface Entry {
  /** Infinity while the question is open. */
  dueMs: number
  /** Failures in a row. */
  failures: number
}

/** A name that does not exist yet is asked again after this, whatever its zone's negative TTL. */
const absentMs = 60_000
const firstRetryMs = 5_000
const jitter = 0.1

export class Schedule {
  /** Names turned away since there are too many, at present. */
  refused = 0
  readonly #options: ScheduleOptions
  /** Never asked yet: they come first. */
  readonly #fresh = new Set<string>()
  /** The others, those asked longest ago first. */
  readonly #entries = new Map<string, Entry>()

  constructor(options: ScheduleOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#fresh.size + this.#entries.size
  }

  /** Names whose last answer was a failure. */
  get failing(): number {
    let failing = 0
    for (const { failures } of this.#entries.values()) if (failures > 0) failing++
    return failing
  }

  /** Replaces the names; those that stay keep their time. */
  setNames(names: ReadonlySet<string>): void {
    for (const name of this.#fresh) if (!names.has(name)) this.#fresh.delete(name)
    for (const name of this.#entries.keys()) if (!names.has(name)) this.#entries.delete(name)
    this.refused = 0
    for (const name of names) {
      if (this.#entries.has(name) || this.#fresh.has(name)) continue
      if (this.size < this.#options.namesMax) this.#fresh.add(name)
      else this.refused++
    }
  }

  /** At most `limit` names to ask now. Each is out until one of the three outcomes is told. */
  take(nowMs: number, limit: number): string[] {
    const taken: string[] = []
    for (const name of this.#fresh) {
      if (taken.length >= limit) return taken
      this.#fresh.delete(name)
      this.#entries.set(name, { dueMs: Number.POSITIVE_INFINITY, failures: 0 })
      taken.push(name)
    }
    for (const [name, entry] of this.#entries) {
      if (taken.length >= limit) break
      if (entry.dueMs > nowMs) continue
      entry.dueMs = Number.POSITIVE_INFINITY
      taken.push(name)
    }
    return taken
  }

  /** The clock was set: what was due in a minute still is. */
  shift(byMs: number): void {
    for (const entry of this.#entries.values()) entry.dueMs += byMs
  }

  answered(name: string, nowMs: number, ttlSeconds: number): void {
    this.#set(name, nowMs, { afterMs: ttlSeconds * 1_000, failures: 0 })
  }

  absent(name: string, nowMs: number): void {
    this.#set(name, nowMs, { afterMs: absentMs, failures: 0 })
  }

  failed(name: string, nowMs: number): void {
    const failures = (this.#entries.get(name)?.failures ?? 0) + 1
    const afterMs = Math.min(firstRetryMs * 2 ** (failures - 1), this.#options.intervalMaxMs)
    this.#set(name, nowMs, { afterMs, failures })
  }

  /** A failed name is asked again sooner than the shortest interval. A name that was taken off the schedule meanwhile stays off. */
  #set(name: string, nowMs: number, { afterMs, failures }: { afterMs: number; failures: number }): void {
    if (!this.#entries.delete(name)) return
    const { intervalMinMs, intervalMaxMs, random } = this.#options
    const waitMs = failures > 0 ? afterMs : Math.max(intervalMinMs, Math.min(afterMs, intervalMaxMs))
    this.#entries.set(name, { dueMs: nowMs + waitMs * (1 - jitter + 2 * jitter * random()), failures })
  }
}
