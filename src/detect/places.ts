// The places that the lists of all attacks share. A list takes of what is left; when nothing is left, of the longest list, if that stays as
// long as itself: ten floods from everywhere do not leave the thousand small attacks beside them without lists.

/** Who has places of these. `capacity`: how many, a power of two, with some that are its own. */
export interface Holder {
  readonly capacity: number
  /** Gives half of its places up. */
  halve(): void
}

export class Places {
  #left: number
  /** By binary logarithm of their capacities; those with places of their own only are not among them. */
  readonly #holders: Set<Holder>[] = Array.from({ length: 32 }, () => new Set())
  /** Items that lists dropped for want of places. */
  dropped = 0

  constructor(count: number) {
    this.#left = count
  }

  get left(): number {
    return this.#left
  }

  /** Whether a list of `capacity` can have as many again. */
  has(capacity: number): boolean {
    return this.#left >= capacity || this.#longest(capacity) !== null
  }

  /** For a list of `capacity`, which doubles; there must be places. */
  take(holder: Holder, capacity: number): void {
    while (this.#left < capacity) {
      const longest = this.#longest(capacity)
      if (longest === null) throw new Error('places were taken that are not there')
      this.#move(longest, longest.capacity, longest.capacity / 2)
      this.#left += longest.capacity / 2
      longest.halve()
    }
    this.#left -= capacity
    this.#move(holder, capacity, capacity * 2)
  }

  /** A list gives up what it took. */
  give(holder: Holder, count: number): void {
    this.#holders[exponentOf(holder.capacity)].delete(holder)
    this.#left += count
  }

  /** A list that, halved, is no shorter than one of `capacity` that has doubled. */
  #longest(capacity: number): Holder | null {
    for (let exponent = 31; exponent >= exponentOf(capacity * 4); exponent--) {
      for (const holder of this.#holders[exponent]) return holder
    }
    return null
  }

  #move(holder: Holder, from: number, to: number): void {
    this.#holders[exponentOf(from)].delete(holder)
    this.#holders[exponentOf(to)].add(holder)
  }
}

function exponentOf(capacity: number): number {
  return 31 - Math.clz32(capacity)
}
