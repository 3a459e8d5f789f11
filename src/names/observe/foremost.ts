// The first few of very many values by an order, in the memory of those few: a value behind the last that is kept costs one comparison.

export class Foremost<Each> {
  readonly #max: number
  readonly #compare: (a: Each, b: Each) => number
  #kept: Each[] = []
  /** The last value that is kept; null: there were fewer than `max` values yet. */
  #last: Each | null = null

  constructor(max: number, compare: (a: Each, b: Each) => number) {
    this.#max = max
    this.#compare = compare
  }

  add(each: Each): void {
    if (this.#last !== null && this.#compare(each, this.#last) > 0) return
    this.#kept.push(each)
    if (this.#kept.length >= 2 * this.#max) this.#cut()
  }

  /** The foremost first. */
  list(): Each[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#max)
    if (this.#kept.length === this.#max) this.#last = this.#kept[this.#max - 1]
  }
}
