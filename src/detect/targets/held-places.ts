// Places of a bounded table for what belongs to watched addresses, shared by the users of these: who holds most gives way (see fair-table.ts). What is looked
// for among the places of who holds most is left to others.
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'
import { type HeldRanges, heldByNobody, holderWithin } from '../../net/held-ranges.ts'
import { addressLength } from '../../net/network.ts'

/** Where an entry is: an address, a network, or the networks of an area. */
export interface Location {
  readonly address: number
  readonly length: number
  readonly wholes?: readonly Location[]
}

interface Held<T> {
  place: Place<T>
  isLasting: boolean
}

export class HeldPlaces<T> {
  readonly #max: number
  readonly #locate: (entry: T) => Location
  readonly #table: FairTable<T>
  readonly #held = new Map<T, Held<T>>()
  #users: HeldRanges = heldByNobody
  /** Some places are still those of whoever held their addresses before. */
  #isOutdated = false

  /** `onGiveWay`: called with each entry that has lost its place to another. */
  constructor(max: number, locate: (entry: T) => Location, onGiveWay: (entry: T) => void) {
    this.#max = max
    this.#locate = locate
    this.#table = new FairTable({
      max,
      onGiveWay: (entry) => {
        this.#held.delete(entry)
        onGiveWay(entry)
      },
    })
  }

  get isFull(): boolean {
    return this.#table.size >= this.#max
  }

  get size(): number {
    return this.#table.size
  }

  crowding(): Crowding {
    return this.#table.crowding()
  }

  /** Replaces the users of the watched addresses. */
  setHolders(users: HeldRanges): void {
    this.#users = users
    this.#isOutdated = true
  }

  /** The users of a location, as one holder. */
  holderOf(location: Location): string {
    const { wholes = [] } = location
    const parts = wholes.length > 0 ? wholes : [location]
    return holderWithin(this.#users, parts.map(rangeOf))
  }

  /** The caller has seen that there is room. `isLasting`: it gives way after the others of its holder. An entry that has a place gets another. */
  take(entry: T, { nowMs, isLasting = false }: { nowMs: number; isLasting?: boolean }): void {
    this.leave(entry)
    const place = this.#table.take(entry, { holder: this.holderOf(this.#locate(entry)), nowMs })
    if (place === null) return
    if (isLasting) this.#table.touch(place, nowMs)
    this.#held.set(entry, { place, isLasting })
  }

  leave(entry: T): void {
    const held = this.#held.get(entry)
    if (held === undefined) return
    this.#table.leave(held.place)
    this.#held.delete(entry)
  }

  holds(holder: string): number {
    return this.#table.holds(holder)
  }

  /** The place that an entry of a holder would take; null: there is none. The caller may look further: what it passes over comes last. */
  loserTo(holder: string): Place<T> | null {
    return this.#table.loserTo(holder)
  }

  passOver(place: Place<T>): void {
    this.#table.touch(place, place.usedMs)
  }

  /** Gives the place to a holder who will take it. */
  yieldTo(holder: string, place: Place<T>): void {
    this.#table.yieldTo(holder, place)
  }

  /** Gives the places to those who hold the addresses now. */
  update(): void {
    if (!this.#isOutdated) return
    this.#isOutdated = false
    for (const [entry, { place, isLasting }] of [...this.#held]) {
      if (place.holder !== this.holderOf(this.#locate(entry))) this.take(entry, { nowMs: place.usedMs, isLasting })
    }
  }
}

function rangeOf({ address, length }: Location): [first: number, last: number] {
  return [address, address + 2 ** (addressLength - length) - 1]
}
