// The foremost of very many, in no more memory than a few take: what comes behind the last of those that are kept is passed over at one look.

export class Foremost<Each> {
  readonly #max: number
  readonly #compare: (a: Each, b: Each) => number
  #kept: Each[] = []
  /** Whoever comes behind it is not among the foremost; null: there were not so many yet. */
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
