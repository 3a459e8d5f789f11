// Who gives way when a bounded table that strangers fill is full: who holds most, and of theirs what was used once, else what was used longest ago. A
// flood from one holder costs that holder alone. What has proved itself gives way to no newcomer, so that a flood from many made-up holders costs newcomers alone.
//
// Holders are compared by powers of two of what they hold, which makes each step the same small work however many they are. Who holds less than half
// of an even share never loses a place.

/** A place in the table. */
export interface Place<T> {
  readonly entry: T
  readonly holder: string
  /** How much of the table it takes: 1, or octets. */
  readonly weight: number
  readonly isProven: boolean
  /** When it was used last, Unix milliseconds. */
  readonly usedMs: number
}

export interface FairTableOptions<T> {
  /** Most weight of all places. */
  max: number
  /** Most weight of places that have proved themselves; the rest is for newcomers. 0: nothing proves itself. */
  provenMax?: number
  /** A proven place that was not used for as long may be replaced, milliseconds. */
  idleMs?: number
  /** Called with each entry that has lost its place to another. */
  onGiveWay: (entry: T, place: Place<T>) => void
}

/** Who crowds a table. */
export interface Crowding {
  size: number
  max: number
  /** Entries that lost their place to another. */
  gaveWay: number
  /** Entries among them that had proved themselves once. */
  provenGaveWay: number
  /** Who was the last to push others out and holds much, else who holds most; and how much. */
  holder: string | null
  holds: number
}

/** The same of a table by its name, as it is followed. */
export interface CrowdedTable extends Crowding {
  name: string
  /** When an entry last lost its place, and when one that had worked did; Unix milliseconds, null: never. */
  gaveWayMs: number | null
  harmedMs: number | null
}

/** Who has less than this part of the proven places does not crowd them, and loses none to whoever has proved itself later. */
const crowdsFrom = 16

interface Kept<T> extends Place<T>, Used<Kept<T>> {
  isProven: boolean
  hasProved: boolean
  usedMs: number
}

interface Holder<T> extends Used<Holder<T>> {
  readonly name: string
  weight: number
  /** Places that were used once, and those that were used again, each in the order of use, longest ago first. */
  readonly once: UseOrder<Kept<T>>
  readonly again: UseOrder<Kept<T>>
}

/** The place that a holder loses first: what comes once pushes out nothing that comes again and again. */
function firstPlace<T>({ once, again }: Holder<T>): Kept<T> | null {
  return once.first ?? again.first
}

/** Places in the order of who holds most. */
class Ranking<T> {
  weight = 0
  readonly #holders = new Map<string, Holder<T>>()
  /** Holders by the power of two of their weight, each set in the order of use. */
  readonly #ranks = Array.from({ length: 53 }, () => new UseOrder<Holder<T>>())

  holds(name: string): number {
    return this.#holders.get(name)?.weight ?? 0
  }

  /** Who holds most, or at least half as much: of these, whose places were used longest ago. */
  first(): Holder<T> | null {
    return this.#ranks.findLast(({ size }) => size > 0)?.first ?? null
  }

  /** Whose place one of `name` takes when it comes: the one of who holds most, but its own when that is as much. */
  loser(name: string, weight: number): Kept<T> | null {
    const first = this.first()
    if (first === null) return null
    const own = this.#holders.get(name)
    const isOwn = own !== undefined && rankOf(own.weight + weight) >= rankOf(first.weight)
    return firstPlace(isOwn ? own : first)
  }

  /** A place of who holds more than the holder of a newcomer would, and more than `least`; null: nobody does. */
  larger({ holder, weight }: Kept<T>, least: number): Kept<T> | null {
    const first = this.first()
    return first !== null && first.weight > Math.max(least, this.holds(holder) + weight) ? firstPlace(first) : null
  }

  /** A place that was not used since, if one of those used longest ago is. */
  idle(sinceMs: number): Kept<T> | null {
    for (const rank of this.#ranks) {
      const holder = rank.first
      const place = holder === null ? null : firstPlace(holder)
      if (place !== null && place.usedMs < sinceMs) return place
    }
    return null
  }

  add(place: Kept<T>): void {
    let holder = this.#holders.get(place.holder)
    if (holder === undefined) {
      holder = { ...unused, name: place.holder, weight: 0, once: new UseOrder(), again: new UseOrder() }
      this.#holders.set(place.holder, holder)
    }
    holder.once.add(place)
    this.#weigh(holder, place.weight)
  }

  remove(place: Kept<T>): void {
    const holder = this.#holders.get(place.holder)
    if (holder === undefined || !take(holder, place)) return
    this.#weigh(holder, -place.weight)
    if (holder.once.size + holder.again.size === 0) {
      this.#holders.delete(holder.name)
      this.#ranks[rankOf(holder.weight)].delete(holder)
    }
  }

  touch(place: Kept<T>): void {
    const holder = this.#holders.get(place.holder)
    if (holder === undefined || !take(holder, place)) return
    holder.again.add(place)
    this.#weigh(holder, 0)
  }

  #weigh(holder: Holder<T>, more: number): void {
    this.#ranks[rankOf(holder.weight)].delete(holder)
    holder.weight += more
    this.weight += more
    this.#ranks[rankOf(holder.weight)].add(holder)
  }
}

export class FairTable<T> {
  readonly #options: Required<FairTableOptions<T>>
  readonly #newcomers = new Ranking<T>()
  readonly #proven = new Ranking<T>()
  /** Who last took a place of others, and holds no less than a quarter of what they do. */
  #pressing: string | null = null
  #gaveWay = 0
  #provenGaveWay = 0

  constructor(options: FairTableOptions<T>) {
    this.#options = { provenMax: 0, idleMs: Number.POSITIVE_INFINITY, ...options }
  }

  /** Weight of all places. */
  get size(): number {
    return this.#newcomers.weight + this.#proven.weight
  }

  /** Gives an entry its place; who holds most makes room first. Null: it is larger than all the room that there is for newcomers. */
  take(entry: T, { holder, weight = 1, nowMs }: { holder: string; weight?: number; nowMs: number }): Place<T> | null {
    if (!this.makeRoom(holder, weight)) return null
    const place = { ...unused, entry, holder, weight, isProven: false, hasProved: false, usedMs: nowMs }
    this.#newcomers.add(place)
    return place
  }

  /** Makes room for an entry of a holder, before it is made. Gives whether there is room now. */
  makeRoom(holder: string, weight = 1): boolean {
    const { max } = this.#options
    if (this.#proven.weight + weight > max) return false
    while (this.size + weight > max) {
      const loser = this.#newcomers.loser(holder, weight)
      if (loser === null) return false
      this.#giveWayTo(holder, loser)
    }
    return true
  }

  /** The place that an entry of a holder would take if the table were full; null: it finds none. The caller may look further: what it touches comes last. */
  loserTo(holder: string): Place<T> | null {
    return this.#newcomers.loser(holder, 1)
  }

  /** Gives the place to a holder who will take it, as `makeRoom` would. */
  yieldTo(holder: string, place: Place<unknown>): void {
    this.#giveWayTo(holder, place as Kept<T>)
  }

  /** Notes that an entry was used. */
  touch(place: Place<unknown>, nowMs: number): void {
    const kept = place as Kept<T>
    kept.usedMs = nowMs
    this.#rankingOf(kept).touch(kept)
  }

  /** From now on the place gives way to no newcomer, unless all that may be proven is, by holders who hold no more. Gives whether it is. */
  prove(place: Place<unknown>, nowMs: number): boolean {
    const kept = place as Kept<T>
    if (kept.isProven) return true
    const { provenMax, idleMs } = this.#options
    while (this.#proven.weight + kept.weight > provenMax) {
      const idle = this.#proven.idle(nowMs - idleMs)
      const loser = idle ?? this.#proven.larger(kept, provenMax / crowdsFrom)
      if (loser === null) return false
      this.#move(loser, false)
      // Nobody misses what was silent for so long.
      if (idle !== null) idle.hasProved = false
    }
    this.#move(kept, true)
    return true
  }

  /** The entry is gone by itself. */
  leave(place: Place<unknown>): void {
    const kept = place as Kept<T>
    this.#rankingOf(kept).remove(kept)
  }

  /** Weight of the places of a holder. */
  holds(holder: string): number {
    return this.#newcomers.holds(holder) + this.#proven.holds(holder)
  }

  crowding(): Crowding {
    const [newcomer, proven] = [this.#newcomers.first(), this.#proven.first()]
    const most = (newcomer?.weight ?? 0) >= (proven?.weight ?? 0) ? newcomer : proven
    const isPressed = this.#pressing !== null && this.holds(this.#pressing) > 0
    const holder = isPressed ? this.#pressing : (most?.name ?? null)
    return {
      size: this.size,
      max: this.#options.max,
      gaveWay: this.#gaveWay,
      provenGaveWay: this.#provenGaveWay,
      holder,
      holds: holder === null ? 0 : this.holds(holder),
    }
  }

  #rankingOf({ isProven }: Kept<T>): Ranking<T> {
    return isProven ? this.#proven : this.#newcomers
  }

  #move(place: Kept<T>, isProven: boolean): void {
    this.#rankingOf(place).remove(place)
    place.isProven = isProven
    place.hasProved = true
    this.#rankingOf(place).add(place)
  }

  #giveWayTo(holder: string, place: Kept<T>): void {
    if (this.#newcomers.holds(holder) * 4 >= this.#newcomers.holds(place.holder)) this.#pressing = holder
    this.leave(place)
    this.#gaveWay++
    if (place.hasProved) this.#provenGaveWay++
    this.#options.onGiveWay(place.entry, place)
  }
}

/** The power of two of a weight: 0 for 1, 1 for 2 and 3, and so on. */
function rankOf(weight: number): number {
  return weight < 1 ? 0 : Math.floor(Math.log2(weight))
}

function take<T>({ once, again }: Holder<T>, place: Kept<T>): boolean {
  return once.delete(place) || again.delete(place)
}

/** What may have a place in an order of use, in one at a time. Maintained by `UseOrder`. */
export interface Used<T extends Used<T>> {
  order: UseOrder<T> | null
  /** Its neighbours: the one used before it, and the one after it. */
  before: T | null
  after: T | null
}

export const unused = { order: null, before: null, after: null } as const

/**
 * Entries in the order in which they were added last. They hold on to each other: an iterator of a set would pass over all places from which entries
 * were taken before, and one that is kept would keep every table that the set has grown out of.
 */
export class UseOrder<T extends Used<T>> {
  #first: T | null = null
  #last: T | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The one that was added longest ago; null: there is none. */
  get first(): T | null {
    return this.#first
  }

  get last(): T | null {
    return this.#last
  }

  /** An entry that is there becomes the last. */
  add(entry: T): void {
    entry.order?.delete(entry)
    entry.order = this
    entry.before = this.#last
    if (this.#last === null) this.#first = entry
    else this.#last.after = entry
    this.#last = entry
    this.#size++
  }

  /** False: it was not there. */
  delete(entry: T): boolean {
    if (entry.order !== this) return false
    const { before, after } = entry
    if (before === null) this.#first = after
    else before.after = after
    if (after === null) this.#last = before
    else after.before = before
    entry.order = null
    entry.before = null
    entry.after = null
    this.#size--
    return true
  }

  takeFirst(): T | null {
    const first = this.#first
    if (first !== null) this.delete(first)
    return first
  }
}
