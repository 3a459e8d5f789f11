// The memory of the columns of a table: one buffer for all of them, which travels to another thread, and is freed, in one step.

/** How many columns have numbers of as many octets. */
export type ColumnWidths = Readonly<Partial<Record<Width, number>>>
type Width = 8 | 4 | 2 | 1

/** The wider columns come first, so that each begins at a multiple of its width. */
const widths: readonly Width[] = [8, 4, 2, 1]

export class ColumnMemory {
  readonly #buffer: ArrayBuffer
  readonly #rows: number
  /** Octets of a row before the next column of each width. */
  readonly #before = { 8: 0, 4: 0, 2: 0, 1: 0 }

  constructor(rows: number, columns: ColumnWidths) {
    let octets = 0
    for (const width of widths) {
      this.#before[width] = octets
      octets += width * (columns[width] ?? 0)
    }
    this.#rows = rows
    this.#buffer = new ArrayBuffer(rows * octets)
  }

  /** This and the others give the next column of their width; there are as many as were declared. */
  f64(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#buffer, this.#next(8), this.#rows)
  }

  f32(): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#buffer, this.#next(4), this.#rows)
  }

  u32(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#buffer, this.#next(4), this.#rows)
  }

  u16(): Uint16Array<ArrayBuffer> {
    return new Uint16Array(this.#buffer, this.#next(2), this.#rows)
  }

  u8(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer, this.#next(1), this.#rows)
  }

  /** Where the next column of a width begins. */
  #next(width: Width): number {
    const at = this.#rows * this.#before[width]
    this.#before[width] += width
    return at
  }
}
