// Which attacks are followed when there are too many: up to an even share each user's own, so that attacks on what one user watches leave room for those on
// others. Of who has most the one gives way that has been over for longest, else the quietest of some that go on; an attack gives way to none of its own user.
import type { Crowding, Place } from '../../fair-table.ts'
import type { HeldRanges } from '../../net/held-ranges.ts'
import type { Attack } from '../evidence/attack-lists.ts'
import { normal as lines } from '../lines/normal.ts'
import { weightOf } from '../rates/series.ts'
import { HeldPlaces } from '../targets/held-places.ts'
import type { Target } from '../targets/target.ts'
import type { Incident } from './incident.ts'

export class IncidentPlaces {
  readonly #places: HeldPlaces<Attack>
  readonly #attacks = new Map<Incident, Attack>()

  /** `onGiveWay`: closes an attack that has lost its place. */
  constructor(max: number, onGiveWay: (attack: Attack) => void) {
    this.#places = new HeldPlaces(
      max,
      ({ target }) => target,
      (attack) => {
        this.#attacks.delete(attack.incident)
        onGiveWay(attack)
      },
    )
  }

  get size(): number {
    return this.#places.size
  }

  get isFull(): boolean {
    return this.#places.isFull
  }

  crowding(): Crowding {
    return this.#places.crowding()
  }

  setHolders(held: HeldRanges): void {
    this.#places.setHolders(held)
  }

  /** An attack has begun, has come back, is over or is of another target. The caller has seen that there is room for one that begins. */
  take(attack: Attack, nowMs: number): void {
    this.leave(attack.incident)
    this.#attacks.set(attack.incident, attack)
    this.#places.take(attack, { nowMs, isLasting: !attack.incident.isOver })
  }

  leave(incident: Incident): void {
    const attack = this.#attacks.get(incident)
    if (attack === undefined) return
    this.#attacks.delete(incident)
    this.#places.leave(attack)
  }

  /** Makes room for an attack on a target. False: it finds none. */
  makeRoom(target: Target, nowMs: number): boolean {
    if (!this.isFull) return true
    this.#places.update()
    const holder = this.#places.holderOf(target)
    const loser = this.#loserTo(holder, nowMs)
    if (loser !== null) this.#places.yieldTo(holder, loser)
    return loser !== null
  }

  #loserTo(holder: string, nowMs: number): Place<Attack> | null {
    const since = Math.floor(nowMs / 1000) - lines.exactSeconds
    let quietest: Place<Attack> | null = null
    let least = Number.POSITIVE_INFINITY
    for (let looked = 0; looked < lines.searchedTargets; looked++) {
      const place = this.#places.loserTo(holder)
      if (place === null || place.entry.incident.isOver) return place
      // What goes on gives way to none of the same user, nor to one of a user who would then have as much.
      if (this.#places.holds(place.holder) <= this.#places.holds(holder) + 1) return null
      this.#places.passOver(place)
      // An attack that began in this pass is yet to be reported.
      if (place.usedMs === nowMs) continue
      const weight = weightOf(place.entry.target.total, since)
      if (weight >= least) continue
      quietest = place
      least = weight
    }
    return quietest
  }
}
