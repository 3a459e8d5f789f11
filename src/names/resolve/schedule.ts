// When each name is asked next: at once when new, then at the end of its TTL within bounds, sooner and ever later while it fails, and every
// few seconds while it leads to an address under attack. The times are jittered, so that names that were added together do not stay together.
import { ZoneBackOff, zoneOf } from './zone-back-off.ts'

export interface ScheduleOptions {
  intervalMinMs: number
  intervalMaxMs: number
  /** A name that is asked closely is asked again after this, and up to half as much more. */
  closeIntervalMs: number
  /** Names in all; more are turned away. */
  namesMax: number
  /** Names asked closely; the others are asked as usual. */
  closeMax: number
  /** In [0, 1). */
  random: () => number
}

interface Entry {
  zone: string
  /** Infinity while the question is open. */
  dueMs: number
  /** Failures in a row. */
  failures: number
}

/** What became of a name when it was last asked for; `waiting`: it was not yet. */
export type Outcome = 'waiting' | 'answered' | 'failing'

/** A name that does not exist yet is asked again after this, whatever its zone's negative TTL. */
const absentMs = 60_000
const firstRetryMs = 5_000
/** Times differ by as much of themselves, either way. */
export const jitter = 0.1

export class Schedule {
  /** Names turned away since there are too many, at present; and those that are not asked closely, likewise. */
  refused = 0
  closeRefused = 0
  readonly zones: ZoneBackOff
  readonly #options: ScheduleOptions
  /** Never asked yet: they come first. */
  readonly #fresh = new Set<string>()
  /** The others, those asked longest ago first. */
  readonly #entries = new Map<string, Entry>()
  /** The names among them by zone. */
  readonly #byZone = new Map<string, Set<string>>()
  #close: ReadonlySet<string> = new Set()
  /** To be asked again at once, as if they were new: somebody else asks for them now. */
  readonly #again = new Set<string>()

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.zones = new ZoneBackOff({ firstMs: firstRetryMs, longestMs: options.intervalMaxMs })
  }

  get size(): number {
    return this.#fresh.size + this.#entries.size
  }

  /** Names that are asked closely. */
  get close(): number {
    return this.#close.size
  }

  /** Names whose last answer was a failure. */
  get failing(): number {
    let failing = 0
    for (const { failures } of this.#entries.values()) if (failures > 0) failing++
    return failing
  }

  /** Null: the name is not on the schedule. */
  outcomeOf(name: string): Outcome | null {
    if (this.#fresh.has(name)) return 'waiting'
    const entry = this.#entries.get(name)
    if (entry === undefined) return null
    return entry.failures > 0 ? 'failing' : 'answered'
  }

  /** How long the name that is most overdue has waited. A name of a zone that is held back is not due. */
  lateMs(nowMs: number): number {
    let lateMs = 0
    for (const { dueMs, zone } of this.#entries.values()) {
      if (nowMs - dueMs > lateMs && !this.zones.isHeld(zone, nowMs)) lateMs = nowMs - dueMs
    }
    return lateMs
  }

  /** Replaces the names; those that stay keep their time. */
  setNames(names: ReadonlySet<string>): void {
    for (const name of this.#fresh) if (!names.has(name)) this.#fresh.delete(name)
    for (const name of this.#entries.keys()) if (!names.has(name)) this.#forget(name)
    for (const name of this.#again) if (!names.has(name)) this.#again.delete(name)
    this.zones.keep(this.#byZone)
    this.refused = 0
    for (const name of names) {
      if (this.#entries.has(name) || this.#fresh.has(name)) continue
      if (this.size < this.#options.namesMax) this.#fresh.add(name)
      else this.refused++
    }
  }

  /** These are asked again at once, also where their zone is held back: whoever is new to them must not notice that they were known. */
  renew(names: Iterable<string>): void {
    for (const name of names) if (this.#entries.has(name)) this.#again.add(name)
  }

  /** Replaces the names that are asked closely; those that were not are due now. */
  setClose(names: Iterable<string>, nowMs: number): void {
    const close = new Set<string>()
    const refused = new Set<string>()
    for (const name of names) {
      const entry = this.#entries.get(name)
      if (entry === undefined || close.has(name)) continue
      if (close.size >= this.#options.closeMax) {
        refused.add(name)
        continue
      }
      close.add(name)
      const isOpen = entry.dueMs === Number.POSITIVE_INFINITY
      if (!this.#close.has(name) && !isOpen) entry.dueMs = Math.min(entry.dueMs, nowMs)
    }
    this.#close = close
    this.closeRefused = refused.size
  }

  /** At most `limit` names to ask now. Each is out until one of the three outcomes is told. */
  take(nowMs: number, limit: number): string[] {
    const taken: string[] = []
    if (limit <= 0) return taken
    for (const [name, { zone }] of this.#due(nowMs)) {
      this.zones.asked(zone, nowMs)
      taken.push(name)
      if (taken.length >= limit) break
    }
    return taken
  }

  /** The clock was set: what was due in a minute still is. */
  shift(byMs: number): void {
    for (const entry of this.#entries.values()) entry.dueMs += byMs
    this.zones.shift(byMs)
  }

  answered(name: string, nowMs: number, ttlSeconds: number): void {
    this.#heard(name)
    this.#set(name, nowMs, { afterMs: ttlSeconds * 1_000, failures: 0 })
  }

  absent(name: string, nowMs: number): void {
    this.#heard(name)
    this.#set(name, nowMs, { afterMs: absentMs, failures: 0 })
  }

  /** Gives the names that the failure stands for: where it stops the questions for a zone, all of the zone's. */
  failed(name: string, nowMs: number): Iterable<string> {
    const entry = this.#entries.get(name)
    if (entry === undefined) return [name]
    this.zones.failed(entry.zone, nowMs)
    const failures = entry.failures + 1
    const afterMs = Math.min(firstRetryMs * 2 ** (failures - 1), this.#options.intervalMaxMs)
    this.#set(name, nowMs, { afterMs, failures })
    return this.zones.standsForAll(entry.zone, nowMs) ? (this.#byZone.get(entry.zone) ?? []) : [name]
  }

  #forget(name: string): void {
    const zone = this.#entries.get(name)?.zone ?? ''
    this.#entries.delete(name)
    const names = this.#byZone.get(zone)
    names?.delete(name)
    if (names?.size === 0) this.#byZone.delete(zone)
  }

  /** The new, those that are new to somebody, then those that are asked closely, then the others in turn. What is yielded is out. */
  *#due(nowMs: number): Generator<[name: string, entry: Entry]> {
    for (const name of this.#fresh) {
      this.#fresh.delete(name)
      const entry = { zone: zoneOf(name), dueMs: Number.POSITIVE_INFINITY, failures: 0 }
      this.#entries.set(name, entry)
      this.#byZone.set(entry.zone, (this.#byZone.get(entry.zone) ?? new Set()).add(name))
      yield [name, entry]
    }
    for (const name of this.#again) {
      this.#again.delete(name)
      const entry = this.#entries.get(name)
      // The answer to a question that is open will do.
      if (entry === undefined || entry.dueMs === Number.POSITIVE_INFINITY) continue
      entry.dueMs = Number.POSITIVE_INFINITY
      yield [name, entry]
    }
    for (const name of this.#close) {
      const entry = this.#entries.get(name)
      if (entry === undefined || entry.dueMs > nowMs) continue
      entry.dueMs = Number.POSITIVE_INFINITY
      yield [name, entry]
    }
    for (const [name, entry] of this.#entries) {
      if (entry.dueMs > nowMs || this.zones.isHeld(entry.zone, nowMs)) continue
      entry.dueMs = Number.POSITIVE_INFINITY
      yield [name, entry]
    }
  }

  #heard(name: string): void {
    const entry = this.#entries.get(name)
    if (entry !== undefined) this.zones.answered(entry.zone)
  }

  /** A failed name is asked again sooner than the shortest interval. A name that was taken off the schedule meanwhile stays off. */
  #set(name: string, nowMs: number, { afterMs, failures }: { afterMs: number; failures: number }): void {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    this.#entries.delete(name)
    this.#entries.set(name, { zone: entry.zone, dueMs: nowMs + this.#waitMs(name, afterMs, failures > 0), failures })
  }

  #waitMs(name: string, afterMs: number, hasFailed: boolean): number {
    const { intervalMinMs, intervalMaxMs, closeIntervalMs, random } = this.#options
    if (this.#close.has(name)) return closeIntervalMs * (1 + random() / 2)
    const waitMs = hasFailed ? afterMs : Math.max(intervalMinMs, Math.min(afterMs, intervalMaxMs))
    return waitMs * (1 - jitter + 2 * jitter * random())
  }
}
