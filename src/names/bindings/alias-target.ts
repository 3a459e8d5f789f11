// A name that others lead to by an alias, when their answers lacked its addresses: the names that wait for it, and its last answer.
import type { NameEntry } from '../observe/name-group.ts'
import type { ObservedAnswer } from '../observe/observed-names.ts'

/** The least time between two answers that count: each is passed on to all waiting names, which may be thousands. */
const repeatedMs = 1_000
/** Bound for the addresses of an answer that is kept for names that come later: a resolver that knows the target does not ask for it again. */
const rememberedMax = 16

export class AliasTarget {
  readonly names = new Set<NameEntry>()
  #told: ObservedAnswer | null = null
  #toldMs = 0

  /** Takes an answer about the target; false: there was one a moment ago. */
  isNews(told: ObservedAnswer, nowMs: number): boolean {
    const isRepeated = this.#told !== null && nowMs >= this.#toldMs && nowMs - this.#toldMs < repeatedMs
    if (isRepeated) return false
    this.#told = told.addresses.length <= rememberedMax ? told : { ...told, addresses: [] }
    this.#toldMs = nowMs
    return true
  }

  /** The last answer, while its TTL lasts. */
  toldBefore(nowMs: number): ObservedAnswer | undefined {
    return this.#told !== null && nowMs - this.#toldMs < this.#told.ttlSeconds * 1_000 ? this.#told : undefined
  }
}
