// Entries by what they are worth, the one of least worth first: a binary heap in which each entry knows its place.

export interface HeapEntry {
  worth: number
  /** In the heap; -1: it is not there. */
  place: number
}

export class LeastWorth<Entry extends HeapEntry> {
  readonly #entries: Entry[] = []

  get size(): number {
    return this.#entries.length
  }

  /** The one of least worth. */
  get first(): Entry | undefined {
    return this.#entries.at(0)
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
    entry.place = this.#entries.length - 1
    this.#rise(entry)
  }

  /** False: it was not there. */
  delete(entry: Entry): boolean {
    const { place } = entry
    const last = this.#entries.at(-1)
    if (this.#entries[place] !== entry || last === undefined) return false
    this.#entries.pop()
    entry.place = -1
    if (last === entry) return true
    this.#put(last, place)
    this.settle(last)
    return true
  }

  has(entry: Entry): boolean {
    return this.#entries[entry.place] === entry
  }

  /** The worth of an entry that is there has changed. */
  settle(entry: Entry): void {
    this.#rise(entry)
    this.#sink(entry)
  }

  #rise(entry: Entry): void {
    let { place } = entry
    while (place > 0) {
      const above = (place - 1) >> 1
      if (this.#entries[above].worth <= entry.worth) break
      this.#put(this.#entries[above], place)
      place = above
    }
    this.#put(entry, place)
  }

  #sink(entry: Entry): void {
    let { place } = entry
    for (;;) {
      const left = 2 * place + 1
      if (left >= this.#entries.length) break
      const right = left + 1
      const isRight = right < this.#entries.length && this.#entries[right].worth < this.#entries[left].worth
      const least = isRight ? right : left
      if (this.#entries[least].worth >= entry.worth) break
      this.#put(this.#entries[least], place)
      place = least
    }
    this.#put(entry, place)
  }

  #put(entry: Entry, place: number): void {
    this.#entries[place] = entry
    entry.place = place
  }
}
