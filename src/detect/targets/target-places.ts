// Who may be followed when there is no place for all: up to an even share each user's own addresses, beyond it those that have most traffic. Who holds
// most of the places gives way, with the quietest of some of theirs; among one's own, whoever has much more traffic takes the place of a quiet one. What is
// attacked gives way to nothing. See fair-table.ts.
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'
import { type HeldRanges, heldByNobody, holderAt } from '../../net/held-ranges.ts'
import { normal as lines } from '../lines/normal.ts'
import { weightOf } from '../rates/series.ts'
import type { Target } from './target.ts'

export class TargetPlaces {
  readonly #max: number
  readonly #table: FairTable<Target>
  readonly #places = new Map<Target, Place<Target>>()
  #held: HeldRanges = heldByNobody
  /** Some places are still those of whoever held their addresses before. */
  #isOutdated = false
  /** How many searches this slot may still make: among the own places of a user, and for those who hold less than others, whom the others' searches cost none. */
  readonly #searchesLeft = { own: 0, others: 0 }

  /** `onGiveWay`: forgets a target that has lost its place. */
  constructor(max: number, onGiveWay: (target: Target) => void) {
    this.#max = max
    this.#table = new FairTable({
      max,
      onGiveWay: (target) => {
        this.#places.delete(target)
        onGiveWay(target)
      },
    })
  }

  get isFull(): boolean {
    return this.#table.size >= this.#max
  }

  /** How many lost their place to another. */
  get gaveWay(): number {
    return this.#table.crowding().gaveWay
  }

  crowding(): Crowding {
    return this.#table.crowding()
  }

  setHolders(held: HeldRanges): void {
    this.#held = held
    this.#isOutdated = true
  }

  beginSlot(): void {
    this.#searchesLeft.own = lines.searchesPerSlot
    this.#searchesLeft.others = lines.searchesPerSlot
  }

  /** The caller has seen that there is room. */
  take(target: Target, nowMs: number): void {
    const place = this.#table.take(target, { holder: holderAt(this.#held, target.address), nowMs })
    if (place !== null) this.#places.set(target, place)
  }

  leave(target: Target): void {
    const place = this.#places.get(target)
    if (place === undefined) return
    this.#table.leave(place)
    this.#places.delete(target)
  }

  /** Makes room for an address or network with that rate, packets a second, if there is none and it may have one: noise takes no place of anything. */
  makeRoom(address: number, rate: number, nowMs: number): void {
    if (!this.isFull || rate < lines.replaceRate) return
    this.#update(nowMs)
    const holder = holderAt(this.#held, address)
    const among = this.#table.loserTo(holder)?.holder === holder ? 'own' : 'others'
    if (this.#searchesLeft[among]-- <= 0) return
    const quietest = this.#quietest(holder, rate, nowMs)
    if (quietest !== null) this.#table.yieldTo(holder, quietest)
  }

  #quietest(holder: string, rate: number, nowMs: number): Place<Target> | null {
    const since = Math.floor(nowMs / 1000) - lines.exactSeconds
    let quietest: Place<Target> | null = null
    let least = Number.POSITIVE_INFINITY
    for (let looked = 0; looked < lines.searchedTargets && least > 0; looked++) {
      const place = this.#table.loserTo(holder)
      if (place === null) break
      this.#table.touch(place, nowMs)
      const { incidents, areas, total } = place.entry
      if (incidents.length + areas.length > 0) continue
      const weight = weightOf(total, since)
      const isTaken = place.holder === holder && weight >= rate / lines.replaceRatio
      if (isTaken || weight >= least) continue
      quietest = place
      least = weight
    }
    return quietest
  }

  /** Gives the places to those who hold the addresses now. */
  #update(nowMs: number): void {
    if (!this.#isOutdated) return
    this.#isOutdated = false
    for (const [target, place] of [...this.#places]) {
      if (place.holder === holderAt(this.#held, target.address)) continue
      this.leave(target)
      this.take(target, nowMs)
    }
  }
}
