// Counter differences of one slot, by (address, traffic class, second): an open-addressing table that grows to a bound. A record costs
// two additions, one where it begins and one after it ends, however long it lasts.
import { type CounterColumns, createCounterColumns } from './sealed-slot.ts'

/** A key's low part has ten bits of class and ten of second, so that (address, class, second) sorts as one exact double. */
const secondBits = 10
const secondsMax = 2 ** secondBits
const classBits = 10
const detailSpan = 2 ** (classBits + secondBits)

const rowsAtFirst = 1 << 10

export class CounterTable {
  readonly #rowsMax: number
  #columns = createCounterColumns(rowsAtFirst)
  #slots = new Int32Array(rowsAtFirst * 2)
  #baseSecond = 0
  /** Records turned away since the table was full. */
  refused = 0

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax
  }

  get rows(): number {
    return this.#columns.rows
  }

  /** The first second in which a record may begin. */
  get firstSecond(): number {
    return this.#baseSecond
  }

  /** The last second in which a record may end. */
  get lastSecond(): number {
    return this.#baseSecond + secondsMax - 2
  }

  /** Empties the table. Seconds from `firstSecond`, the one given, to `lastSecond` can be counted next. */
  begin(baseSecond: number): void {
    this.#slots.fill(0)
    this.#columns.rows = 0
    this.#baseSecond = baseSecond
  }

  /** The row at which a record begins, with its amounts a second added there and taken away after its last second; -1: refused. */
  add(
    address: number,
    trafficClass: number,
    first: number,
    last: number,
    packets: number,
    bytes: number,
    observed: number,
  ) {
    if (this.#columns.rows + 2 > this.#columns.address.length && !this.#grow()) {
      this.refused++
      return -1
    }
    const seconds = last - first + 1
    const columns = this.#columns
    const from = this.#rowOf(address, trafficClass, first)
    columns.packets[from] += packets / seconds
    columns.bytes[from] += bytes / seconds
    columns.flows[from] += 1 / seconds
    columns.observed[from] += observed / seconds
    const after = this.#rowOf(address, trafficClass, last + 1)
    columns.packets[after] -= packets / seconds
    columns.bytes[after] -= bytes / seconds
    columns.flows[after] -= 1 / seconds
    columns.observed[after] -= observed / seconds
    return from
  }

  /** Notes whom a record came from and which port it went to, at the row that `add` gave. */
  note(row: number, srcAddr: number, dstPort: number): void {
    this.#columns.sources[row] |= 1 << (Math.imul(srcAddr, 0x9e3779b1) >>> 27)
    this.#columns.ports[row] |= 1 << (Math.imul(dstPort, 0x9e3779b1) >>> 27)
  }

  /** A copy of the rows, sorted by address, class and second. */
  sorted(): CounterColumns {
    const from = this.#columns
    const keys = new Float64Array(from.rows)
    for (let row = 0; row < from.rows; row++) {
      keys[row] =
        from.address[row] * detailSpan + from.trafficClass[row] * secondsMax + (from.second[row] - this.#baseSecond)
    }
    keys.sort()
    const to = createCounterColumns(from.rows)
    to.rows = from.rows
    for (let row = 0; row < to.rows; row++) {
      const detail = keys[row] % detailSpan
      const address = (keys[row] - detail) / detailSpan
      const second = this.#baseSecond + (detail % secondsMax)
      copyRow(from, this.#rowOf(address, Math.floor(detail / secondsMax), second), to, row)
    }
    return to
  }

  /** The row of a key, made when absent: there must be room. */
  #rowOf(address: number, trafficClass: number, second: number): number {
    const columns = this.#columns
    const slots = this.#slots
    const mask = slots.length - 1
    let at = hash(address, trafficClass, second) & mask
    for (let found = slots[at]; found !== 0; found = slots[at]) {
      const row = found - 1
      if (
        columns.second[row] === second &&
        columns.address[row] === address &&
        columns.trafficClass[row] === trafficClass
      ) {
        return row
      }
      at = (at + 1) & mask
    }
    const row = columns.rows++
    slots[at] = row + 1
    columns.address[row] = address
    columns.trafficClass[row] = trafficClass
    columns.second[row] = second
    columns.packets[row] = 0
    columns.bytes[row] = 0
    columns.flows[row] = 0
    columns.observed[row] = 0
    columns.sources[row] = 0
    columns.ports[row] = 0
    return row
  }

  /** False when the table has reached its bound. */
  #grow(): boolean {
    const from = this.#columns
    const rows = from.address.length * 2
    if (rows > this.#rowsMax) return false
    const to = createCounterColumns(rows)
    this.#columns = to
    this.#slots = new Int32Array(rows * 2)
    for (let row = 0; row < from.rows; row++) {
      copyRow(from, row, to, this.#rowOf(from.address[row], from.trafficClass[row], from.second[row]))
    }
    return true
  }
}

function hash(address: number, trafficClass: number, second: number): number {
  let mixed = Math.imul(address ^ Math.imul(trafficClass, 0x85ebca6b), 0x9e3779b1) ^ Math.imul(second, 0xc2b2ae35)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x2c1b3c6d)
  return mixed ^ (mixed >>> 13)
}

function copyRow(from: CounterColumns, row: number, to: CounterColumns, at: number): void {
  to.address[at] = from.address[row]
  to.trafficClass[at] = from.trafficClass[row]
  to.second[at] = from.second[row]
  to.packets[at] = from.packets[row]
  to.bytes[at] = from.bytes[row]
  to.flows[at] = from.flows[row]
  to.observed[at] = from.observed[row]
  to.sources[at] = from.sources[row]
  to.ports[at] = from.ports[row]
}
