// Counter differences of one slot, by (address, traffic class, second): an open-addressing table that grows to a bound. A record costs
// two additions, one where it begins and one after it ends, however long it lasts.
import { type CounterColumns, createCounterColumns } from './sealed-slot.ts'

/** A key's low part has ten bits of class and ten of second, so that (address, class, second) sorts as one exact double. */
const secondBits = 10
const secondsMax = 2 ** secondBits
const classBits = 10
const detailSpan = 2 ** (classBits + secondBits)

/** The numbers of a row lie side by side, in one array of doubles, so that counting a record touches two places in memory, not twenty. */
const at = { key: 0, packets: 1, bytes: 2, flows: 3, observed: 4, sources: 5, ports: 6 } as const
const width = 8

const rowsAtFirst = 1 << 10

export class CounterTable {
  readonly #rowsMax: number
  #rows = new Float64Array(rowsAtFirst * width)
  /** Hash of the key -> its row, plus 1; 0: free. Twice as many as rows. */
  #slots = new Int32Array(rowsAtFirst * 2)
  #used = 0
  #baseSecond = 0
  /** Records turned away since the table was full. */
  refused = 0

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax
  }

  get rows(): number {
    return this.#used
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
    this.#used = 0
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
    if (this.#used + 2 > this.#capacity && !this.#grow()) {
      this.refused++
      return -1
    }
    const share = 1 / (last - first + 1)
    const from = this.#rowOf(address, trafficClass, first - this.#baseSecond)
    const after = this.#rowOf(address, trafficClass, last + 1 - this.#baseSecond)
    const rows = this.#rows
    rows[from + at.packets] += packets * share
    rows[from + at.bytes] += bytes * share
    rows[from + at.flows] += share
    rows[from + at.observed] += observed * share
    rows[after + at.packets] -= packets * share
    rows[after + at.bytes] -= bytes * share
    rows[after + at.flows] -= share
    rows[after + at.observed] -= observed * share
    return from
  }

  /** Notes whom a record came from and which port it went to, at the row that `add` gave. */
  note(row: number, srcAddr: number, dstPort: number): void {
    const rows = this.#rows
    rows[row + at.sources] = (rows[row + at.sources] | (1 << (Math.imul(srcAddr, 0x9e3779b1) >>> 27))) >>> 0
    rows[row + at.ports] = (rows[row + at.ports] | (1 << (Math.imul(dstPort, 0x9e3779b1) >>> 27))) >>> 0
  }

  /** A copy of the rows, sorted by address, class and second. */
  sorted(): CounterColumns {
    const rows = this.#rows
    const keys = new Float64Array(this.#used)
    for (let row = 0; row < keys.length; row++) keys[row] = rows[row * width + at.key]
    keys.sort()
    const to = createCounterColumns(keys.length)
    to.rows = keys.length
    for (let row = 0; row < keys.length; row++) {
      const detail = keys[row] % detailSpan
      const address = (keys[row] - detail) / detailSpan
      const trafficClass = Math.floor(detail / secondsMax)
      const second = detail % secondsMax
      const from = this.#rowOf(address, trafficClass, second)
      to.address[row] = address
      to.trafficClass[row] = trafficClass
      to.second[row] = this.#baseSecond + second
      to.packets[row] = rows[from + at.packets]
      to.bytes[row] = rows[from + at.bytes]
      to.flows[row] = rows[from + at.flows]
      to.observed[row] = rows[from + at.observed]
      to.sources[row] = rows[from + at.sources]
      to.ports[row] = rows[from + at.ports]
    }
    return to
  }

  get #capacity(): number {
    return this.#slots.length / 2
  }

  /** Where the row of a key begins, made when absent: there must be room. `second` counts from the base. */
  #rowOf(address: number, trafficClass: number, second: number): number {
    const key = address * detailSpan + trafficClass * secondsMax + second
    const slots = this.#slots
    const rows = this.#rows
    const mask = slots.length - 1
    let slot = hash(address, trafficClass, second) & mask
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      const row = (found - 1) * width
      if (rows[row + at.key] === key) return row
      slot = (slot + 1) & mask
    }
    const row = this.#used++ * width
    slots[slot] = this.#used
    rows[row + at.key] = key
    for (let i = 1; i < width; i++) rows[row + i] = 0
    return row
  }

  /** False when the table has reached its bound. */
  #grow(): boolean {
    const capacity = this.#capacity * 2
    if (capacity > this.#rowsMax) return false
    const before = this.#rows
    const count = this.#used
    this.#rows = new Float64Array(capacity * width)
    this.#slots = new Int32Array(capacity * 2)
    this.#used = 0
    for (let row = 0; row < count; row++) {
      const detail = before[row * width + at.key] % detailSpan
      const address = (before[row * width + at.key] - detail) / detailSpan
      const to = this.#rowOf(address, Math.floor(detail / secondsMax), detail % secondsMax)
      for (let i = 1; i < width; i++) this.#rows[to + i] = before[row * width + i]
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
