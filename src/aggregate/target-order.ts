// Sorts rows by their targets: a radix sort, which reads memory in order where a hash table would jump about in it.

const digitBits = 11
const digitMask = (1 << digitBits) - 1

/** A stable sort of row numbers by (address, traffic class). */
export class TargetOrder {
  #order = new Uint32Array(0)
  #next = new Uint32Array(0)
  readonly #starts = new Uint32Array(1 << digitBits)

  /** Sorts the first `rows` of the columns. The result is valid until the next sort, and may be longer than `rows`. Classes have at most 11 bits. */
  sort(address: Uint32Array, trafficClass: Uint16Array, rows: number): Uint32Array {
    if (this.#order.length < rows) {
      this.#order = new Uint32Array(address.length)
      this.#next = new Uint32Array(address.length)
    }
    for (let row = 0; row < rows; row++) this.#order[row] = row
    // The least significant digit first.
    this.#pass(trafficClass, 0, rows)
    for (let shift = 0; shift < 32; shift += digitBits) this.#pass(address, shift, rows)
    return this.#order
  }

  /** Sorts by one digit of the column. */
  #pass(column: Uint32Array | Uint16Array, shift: number, rows: number): void {
    const order = this.#order
    const next = this.#next
    const starts = this.#starts
    starts.fill(0)
    for (let row = 0; row < rows; row++) starts[(column[row] >>> shift) & digitMask]++
    // Often all rows have the same digit, as watched addresses lie close together.
    if (rows === 0 || starts[(column[0] >>> shift) & digitMask] === rows) return
    let start = 0
    for (let digit = 0; digit <= digitMask; digit++) {
      const count = starts[digit]
      starts[digit] = start
      start += count
    }
    for (let i = 0; i < rows; i++) next[starts[(column[order[i]] >>> shift) & digitMask]++] = order[i]
    this.#order = next
    this.#next = order
  }
}
