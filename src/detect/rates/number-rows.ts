// Rows of numbers in one growing array: many small records of one kind, in little more memory than their numbers.

const rowsAtFirst = 64

export class Rows<A extends Float32Array | Uint8Array> {
  /** The numbers of all rows. Read it for each use: it is another array when there are more rows. */
  values: A
  readonly #make: (length: number) => A
  readonly #width: number
  readonly #free: number[] = []
  /** ListMemory from here on were never taken. */
  #unused = 0

  constructor(make: (length: number) => A, width: number) {
    this.#make = make
    this.#width = width
    this.values = make(rowsAtFirst * width)
  }

  /** Takes a row of zeros and gives the place of its first number. */
  take(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.#unused === this.values.length) this.#grow()
    const at = this.#unused
    this.#unused += this.#width
    return at
  }

  give(at: number): void {
    this.values.fill(0, at, at + this.#width)
    this.#free.push(at)
  }

  #grow(): void {
    const more = this.#make(this.values.length * 2)
    more.set(this.values)
    this.values = more
  }
}
