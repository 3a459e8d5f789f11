// The memory that the lists of all attacks share, in places for items. A list takes from what is left; when nothing is left, from the longest list, if that
// stays as long as itself: ten floods from everywhere do not leave a thousand small attacks without lists.

/** A list with places: `capacity` is how many, a power of two, its first ones included. */
export interface Holder {
  readonly capacity: number
  /** Gives up half of its places. */
  halve(): void
}

export class ListMemory {
  #left: number
  /** Lists by binary logarithm of their capacity, without those that have their first places only. */
  readonly #holders: Set<Holder>[] = Array.from({ length: 32 }, () => new Set())
  /** Items that lists dropped for want of memory. */
  dropped = 0

  constructor(count: number) {
    this.#left = count
  }

  get left(): number {
    return this.#left
  }

  /** Whether a list of `capacity` can double. */
  has(capacity: number): boolean {
    return this.#left >= capacity || this.#longest(capacity) !== null
  }

  /** Gives a list of `capacity` as many places again. `has` was asked before. */
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

  /** Takes back the places of a list. */
  give(holder: Holder, count: number): void {
    this.#holders[exponentOf(holder.capacity)].delete(holder)
    this.#left += count
  }

  /** A list that, when halved, is no shorter than one of `capacity` when doubled. */
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
