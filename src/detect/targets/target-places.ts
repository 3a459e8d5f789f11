// Who may be followed when there is no place for all: up to an even share each user's own addresses, beyond it those that have most traffic. Who holds
// most of the places gives way, with the quietest of some of theirs; among one's own, whoever has much more traffic takes the place of a quiet one. What is
// attacked gives way to nothing. See fair-table.ts.
import type { Crowding, Place } from '../../fair-table.ts'
import type { HeldRanges } from '../../net/held-ranges.ts'
import { normal as lines } from '../lines/normal.ts'
import { weightOf } from '../rates/series.ts'
import { HeldPlaces, type Location } from './held-places.ts'
import type { Target } from './target.ts'

export class TargetPlaces {
  readonly #places: HeldPlaces<Target>
  /** How many searches this slot may still make: among the own places of a user, and for those who hold less than others, whom the others' searches cost none. */
  readonly #searchesLeft = { own: 0, others: 0 }

  /** `onGiveWay`: forgets a target that has lost its place. */
  constructor(max: number, onGiveWay: (target: Target) => void) {
    this.#places = new HeldPlaces(max, (target) => target, onGiveWay)
  }

  get isFull(): boolean {
    return this.#places.isFull
  }

  /** How many lost their place to another. */
  get gaveWay(): number {
    return this.#places.crowding().gaveWay
  }

  crowding(): Crowding {
    return this.#places.crowding()
  }

  setHolders(held: HeldRanges): void {
    this.#places.setHolders(held)
  }

  beginSlot(): void {
    this.#searchesLeft.own = lines.searchesPerSlot
    this.#searchesLeft.others = lines.searchesPerSlot
  }

  /** The caller has seen that there is room. */
  take(target: Target, nowMs: number): void {
    this.#places.take(target, { nowMs })
  }

  leave(target: Target): void {
    this.#places.leave(target)
  }

  /** Makes room for an address or network with that rate, packets a second, if there is none and it may have one: noise takes no place of anything. */
  makeRoom(location: Location, rate: number, nowMs: number): void {
    if (!this.isFull || rate < lines.replaceRate) return
    this.#places.update()
    const holder = this.#places.holderOf(location)
    const among = this.#places.loserTo(holder)?.holder === holder ? 'own' : 'others'
    if (this.#searchesLeft[among]-- <= 0) return
    const quietest = this.#quietest(holder, rate, nowMs)
    if (quietest !== null) this.#places.yieldTo(holder, quietest)
  }

  #quietest(holder: string, rate: number, nowMs: number): Place<Target> | null {
    const since = Math.floor(nowMs / 1000) - lines.exactSeconds
    let quietest: Place<Target> | null = null
    let least = Number.POSITIVE_INFINITY
    for (let looked = 0; looked < lines.searchedTargets && least > 0; looked++) {
      const place = this.#places.loserTo(holder)
      if (place === null) break
      this.#places.passOver(place)
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
}
