// The memory of the columns of a table: one buffer for all of them, so that it is lent to another thread, and given back, in one step.

/** How many columns have numbers of as many octets. */
export type ColumnWidths = Readonly<Partial<Record<Width, number>>>
type Width = 8 | 4 | 2 | 1

/** The wider columns come first, so that each begins at a multiple of its width. */
const widths: readonly Width[] = [8, 4, 2, 1]

/** Octets of the columns of a table of as many rows. */
export function octetsOf(rows: number, columns: ColumnWidths): number {
  return rows * widths.reduce((octets, width) => octets + width * (columns[width] ?? 0), 0)
}

export class ColumnMemory {
  readonly #buffer: ArrayBufferLike
  readonly #rows: number
  /** Octets of a row before the next column of each width. */
  readonly #before = { 8: 0, 4: 0, 2: 0, 1: 0 }

  /** `buffer` has at least `octetsOf` octets. */
  constructor(rows: number, columns: ColumnWidths, buffer: ArrayBufferLike = new ArrayBuffer(octetsOf(rows, columns))) {
    let octets = 0
    for (const width of widths) {
      this.#before[width] = octets
      octets += width * (columns[width] ?? 0)
    }
    this.#rows = rows
    this.#buffer = buffer
  }

  /** This and the others give the next column of their width; there are as many as were declared. */
  f64(): Float64Array {
    return new Float64Array(this.#buffer, this.#next(8), this.#rows)
  }

  f32(): Float32Array {
    return new Float32Array(this.#buffer, this.#next(4), this.#rows)
  }

  u32(): Uint32Array {
    return new Uint32Array(this.#buffer, this.#next(4), this.#rows)
  }

  u16(): Uint16Array {
    return new Uint16Array(this.#buffer, this.#next(2), this.#rows)
  }

  u8(): Uint8Array {
    return new Uint8Array(this.#buffer, this.#next(1), this.#rows)
  }

  /** Where the next column of a width begins. */
  #next(width: Width): number {
    const at = this.#rows * this.#before[width]
    this.#before[width] += width
    return at
  }
}
