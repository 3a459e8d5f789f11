// What takes a while to find out for each user and may be a little old: found out when somebody asks and it is too old, once for all who ask meanwhile.
import type { Clock } from '../../clock.ts'

const usersMax = 1_000

interface RenewedOptions<Value> {
  clock: Clock
  /** How old it may be. */
  keptMs: number
  find: (userId: string) => Promise<Value>
}

export class Renewed<Value> {
  readonly #options: RenewedOptions<Value>
  /** By user; what was found out longest ago comes first. */
  readonly #kept = new Map<string, { atMs: number; value: Promise<Value> }>()

  constructor(options: RenewedOptions<Value>) {
    this.#options = options
  }

  of(userId: string): Promise<Value> {
    const { clock, keptMs, find } = this.#options
    const nowMs = clock.now()
    const kept = this.#kept.get(userId)
    if (kept !== undefined && nowMs >= kept.atMs && nowMs - kept.atMs < keptMs) return kept.value
    const value = find(userId)
    this.#kept.delete(userId)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < usersMax) break
      this.#kept.delete(oldest)
    }
    this.#kept.set(userId, { atMs: nowMs, value })
    // A failure is told to those who wait, and not kept.
    value.catch(() => this.#kept.delete(userId))
    return value
  }
}
