// The names that share one bound, in the order in which they are given up: a segmented list of the least recently used. A name is kept for the
// long run once it was confirmed again after a while, and names that were heard of once, however many, do not push it out.

export interface NameEntry {
  readonly name: string
  group: NameGroup
  firstMs: number
  /** Alias targets that were told of without their addresses: where the last of them leads, the name does. */
  via: readonly string[]
  /** The aliases hold until then. */
  viaToMs: number
  /** The room that it takes: itself and its addresses. */
  size: number
}

/** A name confirmed so long after it was first heard of is no made-up one: those are asked for once, if by several resolvers. */
export const lastingAfterMs = 60_000
/** Names kept for the long run, of those that a group may have: the rest of the room is for what is new. */
const lastingShare = 0.8

export class NameGroup {
  /** Of all its names. */
  size = 0
  readonly key: string
  readonly namesMax: number
  /** Each with the least recently confirmed first. */
  readonly #fresh = new LeastRecent()
  readonly #lasting = new LeastRecent()

  constructor(key: string, namesMax: number) {
    this.key = key
    this.namesMax = namesMax
  }

  get count(): number {
    return this.#fresh.size + this.#lasting.size
  }

  /** The name was confirmed, or is new. */
  touch(entry: NameEntry, nowMs: number): void {
    this.#fresh.delete(entry)
    this.#lasting.delete(entry)
    if (nowMs - entry.firstMs < lastingAfterMs) {
      this.#fresh.add(entry)
      return
    }
    this.#lasting.add(entry)
    if (this.#lasting.size > this.namesMax * lastingShare) this.#fresh.add(this.#lasting.takeFirst())
  }

  /** The one that is given up first is of the group no more. */
  takeFirst(): NameEntry | undefined {
    const entry = this.#fresh.takeFirst() ?? this.#lasting.takeFirst()
    this.size -= entry?.size ?? 0
    return entry
  }

  remove(entry: NameEntry): void {
    if (this.#fresh.delete(entry) || this.#lasting.delete(entry)) this.size -= entry.size
  }
}

/** Entries in the order in which they were added last. */
class LeastRecent {
  readonly #entries = new Set<NameEntry>()
  /** Stands at the first entry: a new iterator would have to pass over all places from which entries were taken before. */
  #first = this.#entries.values()

  get size(): number {
    return this.#entries.size
  }

  add(entry: NameEntry | undefined): void {
    if (entry === undefined) return
    this.#entries.delete(entry)
    this.#entries.add(entry)
  }

  delete(entry: NameEntry): boolean {
    return this.#entries.delete(entry)
  }

  takeFirst(): NameEntry | undefined {
    let next = this.#first.next()
    if (next.done === true) {
      // An iterator that has come to the end stays there.
      this.#first = this.#entries.values()
      next = this.#first.next()
    }
    if (next.done === true) return undefined
    this.#entries.delete(next.value)
    return next.value
  }
}
