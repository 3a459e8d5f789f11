// The memory of the columns of a table: one buffer for all of them, which travels to another thread, and is freed, in one step.

/** How many columns have numbers of 8, 4, 2 and 1 octets. The wider ones come first, so that each column begins at a multiple of its width. */
export interface ColumnWidths {
  readonly eight?: number
  readonly four?: number
  readonly two?: number
  readonly one?: number
}

export class ColumnMemory {
  readonly #buffer: ArrayBuffer
  readonly #rows: number
  /** Octets of a row before the next column of each width. */
  #eight = 0
  #four: number
  #two: number
  #one: number

  constructor(rows: number, { eight = 0, four = 0, two = 0, one = 0 }: ColumnWidths) {
    this.#rows = rows
    this.#four = 8 * eight
    this.#two = this.#four + 4 * four
    this.#one = this.#two + 2 * two
    this.#buffer = new ArrayBuffer(rows * (this.#one + one))
  }

  /** This and the others give the next column of their width; there are as many as were declared. */
  f64(): Float64Array<ArrayBuffer> {
    const at = this.#rows * this.#eight
    this.#eight += 8
    return new Float64Array(this.#buffer, at, this.#rows)
  }

  f32(): Float32Array<ArrayBuffer> {
    const at = this.#rows * this.#four
    this.#four += 4
    return new Float32Array(this.#buffer, at, this.#rows)
  }

  u32(): Uint32Array<ArrayBuffer> {
    const at = this.#rows * this.#four
    this.#four += 4
    return new Uint32Array(this.#buffer, at, this.#rows)
  }

  u16(): Uint16Array<ArrayBuffer> {
    const at = this.#rows * this.#two
    this.#two += 2
    return new Uint16Array(this.#buffer, at, this.#rows)
  }

  u8(): Uint8Array<ArrayBuffer> {
    const at = this.#rows * this.#one
    this.#one += 1
    return new Uint8Array(this.#buffer, at, this.#rows)
  }
}
