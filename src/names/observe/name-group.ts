// The names that share one bound, in the order in which they are dropped. A name that was observed once gives way to any new one. A name that
// was observed again after a while is lasting, and gives way only to a name of much more worth: observed more often and more recently, or with
// traffic to its addresses. So a zone with more names than there is room for keeps the same ones.
import { type Used, UseOrder, unused } from '../../fair-table.ts'
import { type HeapEntry, LeastWorth } from './least-worth.ts'
import type { Sized } from './room.ts'

export interface NameEntry extends HeapEntry, Used<NameEntry> {
  readonly name: string
  group: NameGroup
  firstMs: number
  /** The time of the last observation that counted, and the number of observations, in which older ones count less. */
  heardMs: number
  times: number
  /** Whether there is traffic to one of its addresses. */
  isBusy: boolean
  /** Alias targets whose addresses were not in the answer: the name leads where the last of them leads. */
  via: readonly string[]
  /** The aliases hold until then. */
  viaToMs: number
  /** The room that it takes: itself and its addresses. */
  size: number
}

/** A name confirmed this long after its first observation is lasting. Made-up names are asked for once, if by several resolvers. */
export const lastingAfterMs = 60_000
/** Share of a group's room that lasting names may take; the rest is for new names. */
const lastingShare = 0.8
/** An observation this old counts half. */
const halfLifeMs = 3_600_000
/** Worth is a logarithm to base 2. Traffic is worth 16 times the observations. */
const busyWorth = Math.log2(16)
/** Names change places when one is worth twice as much. */
const muchMore = Math.log2(2)

export function newEntry(name: string, group: NameGroup, firstMs: number): NameEntry {
  const unheard = { heardMs: Number.NEGATIVE_INFINITY, times: 0, worth: Number.NEGATIVE_INFINITY, place: -1 }
  return { name, group, firstMs, ...unheard, ...unused, isBusy: false, via: [], viaToMs: 0, size: 0 }
}

/** The worth of a name that was observed once, at that time. */
export function worthOnce(atMs: number, isBusy: boolean): number {
  return worthOf({ heardMs: atMs, times: 1, isBusy })
}

/** The worth of an entry, scaled to the beginning of time: it halves with time, and so the number need not change between observations. */
function worthOf({ heardMs, times, isBusy }: Pick<NameEntry, 'heardMs' | 'times' | 'isBusy'>): number {
  return heardMs / halfLifeMs + Math.log2(times) + (isBusy ? busyWorth : 0)
}

/** Counts an observation. Several servers report one question: reports within a minute count once. */
function hear(entry: NameEntry, atMs: number, nowMs: number): void {
  const wasSetBack = entry.heardMs > nowMs
  const sinceMs = wasSetBack ? lastingAfterMs : atMs - entry.heardMs
  if (sinceMs >= lastingAfterMs) {
    entry.times = 1 + entry.times * 2 ** (-sinceMs / halfLifeMs)
    entry.heardMs = atMs
  }
  entry.worth = worthOf(entry)
}

export class NameGroup implements Sized<NameGroup> {
  /** Its place in the room that all share. Maintained by `Room`. */
  size = 0
  order: UseOrder<NameGroup> | null = null
  before: NameGroup | null = null
  after: NameGroup | null = null
  /** The users of the names, as one. */
  holder = ''
  readonly key: string
  readonly namesMax: number
  readonly #lastingMax: number
  /** The least recently confirmed first. */
  readonly #fresh = new UseOrder<NameEntry>()
  readonly #lasting = new LeastWorth<NameEntry>()

  constructor(key: string, namesMax: number) {
    this.key = key
    this.namesMax = namesMax
    this.#lastingMax = Math.floor(namesMax * lastingShare)
  }

  get count(): number {
    return this.#fresh.size + this.#lasting.size
  }

  /** The name was confirmed, or is new. */
  touch(entry: NameEntry, atMs: number, nowMs: number): void {
    hear(entry, atMs, nowMs)
    if (this.#lasting.has(entry)) {
      this.#lasting.settle(entry)
      return
    }
    this.#fresh.delete(entry)
    if (atMs - entry.firstMs < lastingAfterMs || !this.#isKept(entry.worth)) {
      this.#fresh.add(entry)
      return
    }
    const { first } = this.#lasting
    if (this.#lasting.size >= this.#lastingMax && first !== undefined && this.#lasting.delete(first))
      this.#fresh.add(first)
    this.#lasting.add(entry)
  }

  /** Whether a name that lasts would stay known: without making room, if need be. */
  hasRoomFor(worth: number, isFull: boolean): boolean {
    if (isFull && this.#fresh.size === 0) return this.#outweighs(worth)
    return (!isFull && this.count < this.namesMax) || this.#isKept(worth)
  }

  /** The one that is given up first is of the group no more. */
  takeFirst(): NameEntry | undefined {
    const entry = this.#fresh.takeFirst() ?? this.#lasting.first
    if (entry !== undefined) this.#lasting.delete(entry)
    return entry
  }

  remove(entry: NameEntry): void {
    if (!this.#fresh.delete(entry)) this.#lasting.delete(entry)
  }

  #isKept(worth: number): boolean {
    return this.#lasting.size < this.#lastingMax || this.#outweighs(worth)
  }

  #outweighs(worth: number): boolean {
    return worth >= (this.#lasting.first?.worth ?? Number.NEGATIVE_INFINITY) + muchMore
  }
}
