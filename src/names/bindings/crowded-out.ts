// Names that lost an address because there are too many bindings in all, until all that they lead to is known again.
import { FairTable, type Place } from '../../fair-table.ts'

/** Who has most names here forgets first, so that nobody's crowd hides what it does to others. */
const namesMax = 10_000

export class CrowdedOut {
  readonly #places = new Map<string, Place<string>>()
  readonly #table: FairTable<string>

  constructor(max = namesMax) {
    this.#table = new FairTable({ max, onGiveWay: (name) => this.#places.delete(name) })
  }

  /** Names that were forgotten. */
  get forgotten(): number {
    return this.#table.crowding().gaveWay
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  add(name: string, holder: string): void {
    if (this.#places.has(name)) return
    const place = this.#table.take(name, { holder, nowMs: 0 })
    if (place !== null) this.#places.set(name, place)
  }

  delete(name: string): void {
    const place = this.#places.get(name)
    if (place === undefined) return
    this.#table.leave(place)
    this.#places.delete(name)
  }
}
