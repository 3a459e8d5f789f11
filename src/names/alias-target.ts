// A name that others lead to by an alias, told of without its addresses: who they are, and what was told of it last.
import type { NameEntry } from './name-group.ts'
import type { Told } from './observed-names.ts'

/** All its names are told what it leads to, which may be thousands: the same again counts no more often than this. */
const repeatedMs = 1_000
/** Remembered for names that come to lead there: a resolver that knows the target asks only for them. */
const rememberedMax = 16

export class AliasTarget {
  readonly names = new Set<NameEntry>()
  #told: Told | null = null
  #toldMs = 0

  /** False: it was told a moment ago. */
  isNews(told: Told, nowMs: number): boolean {
    const isRepeated = this.#told !== null && nowMs >= this.#toldMs && nowMs - this.#toldMs < repeatedMs
    if (isRepeated) return false
    this.#told = told.addresses.length <= rememberedMax ? told : { ...told, addresses: [] }
    this.#toldMs = nowMs
    return true
  }

  /** What was told of it, while its TTL lasts. */
  toldBefore(nowMs: number): Told | undefined {
    return this.#told !== null && nowMs - this.#toldMs < this.#told.ttlSeconds * 1_000 ? this.#told : undefined
  }
}
