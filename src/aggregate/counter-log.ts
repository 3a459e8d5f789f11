// Logs the counter differences of one slot, and sums them up by (address, traffic class, second) when the slot is sealed, or earlier when the log is
// full. A record costs one write in order, and two additions in the end: one where it begins and one after it ends, however long it lasts.
import { offsetsOf } from '../offsets.ts'
import { type CounterColumns, lendCounterColumns, lentMemory } from './sealed-slot.ts'
import type { SlotMemory } from './slot-memory.ts'
import { TargetOrder } from './target-order.ts'

/** Seconds that a slot can cover. */
const secondsMax = 1_024

/** Places of a row's numbers, which lie side by side. `from` and `to` are seconds after the base: the amounts are added at one and taken away at the other. */
const at = offsetsOf({ from: 0, to: 1, packets: 2, bytes: 3, flows: 4, observed: 5, sources: 6, ports: 7 })
const width = 8
/** Stands in `to` when the amounts are sums of differences already: they are not taken away. */
const nowhere = -1

const rowsAtFirst = 1 << 12
/** The log grows to this before it is summed up to make room. */
const rowsUnsummed = 1 << 18

export class CounterLog {
  readonly #rowsMax: number
  readonly #memory: SlotMemory
  #address = new Uint32Array(0)
  #trafficClass = new Uint16Array(0)
  #rows = new Float64Array(0)
  #used = 0
  #baseSecond = 0
  /** True when even the sums leave too little room: nothing more is added in this slot. */
  #isFull = false
  readonly #order = new TargetOrder()
  readonly #seconds = new SecondSums()
  /** The rows in the order of their targets. */
  #inOrder = new Float64Array(0)
  /** Records refused because the log was full. */
  refused = 0

  constructor(rowsMax: number, memory: SlotMemory) {
    this.#rowsMax = rowsMax
    this.#memory = memory
    this.#resize(Math.min(rowsAtFirst, rowsMax))
  }

  /** The first second in which a record may begin. */
  get firstSecond(): number {
    return this.#baseSecond
  }

  /** The last second in which a record may end. */
  get lastSecond(): number {
    return this.#baseSecond + secondsMax - 2
  }

  /** Empties the log, for seconds from the one given, which is `firstSecond` then, to `lastSecond`. */
  begin(baseSecond: number): void {
    this.#used = 0
    this.#isFull = false
    this.#baseSecond = baseSecond
  }

  /** Adds a record: its amounts a second in the seconds from `first` to `last`, its marks (see marks.ts) in the first of them. */
  add(
    address: number,
    trafficClass: number,
    first: number,
    last: number,
    packets: number,
    bytes: number,
    observed: number,
    sources: number,
    ports: number,
  ): void {
    if (this.#used === this.#address.length && !this.#makeRoom()) {
      this.refused++
      return
    }
    const rows = this.#rows
    const row = this.#used * width
    const share = 1 / (last - first + 1)
    this.#address[this.#used] = address
    this.#trafficClass[this.#used++] = trafficClass
    rows[row + at.from] = first - this.#baseSecond
    rows[row + at.to] = last + 1 - this.#baseSecond
    rows[row + at.packets] = packets * share
    rows[row + at.bytes] = bytes * share
    rows[row + at.flows] = share
    rows[row + at.observed] = observed * share
    rows[row + at.sources] = sources
    rows[row + at.ports] = ports
  }

  /** The sums, sorted by address, class and second, in memory that is lent. */
  summed(): CounterColumns {
    const address = this.#address
    const trafficClass = this.#trafficClass
    const sums = lendCounterColumns(this.#memory, this.#used * 2)
    const order = this.#order.sort(address, trafficClass, this.#used)
    this.#gather(order)
    for (let i = 0; i < this.#used; ) {
      const first = order[i]
      for (; i < this.#used; i++) {
        const row = order[i]
        if (address[row] !== address[first] || trafficClass[row] !== trafficClass[first]) break
        this.#seconds.add(this.#inOrder, i * width)
      }
      this.#seconds.take(sums, address[first], trafficClass[first], this.#baseSecond)
    }
    return sums
  }

  /** Copies the rows in their order. The loop is short, so that the processor fetches many rows at a time. */
  #gather(order: Uint32Array): void {
    if (this.#inOrder.length < this.#used * width) this.#inOrder = new Float64Array(this.#rows.length)
    const from = this.#rows
    const to = this.#inOrder
    for (let i = 0; i < this.#used; i++) {
      const row = order[i] * width
      const next = i * width
      to[next] = from[row]
      to[next + 1] = from[row + 1]
      to[next + 2] = from[row + 2]
      to[next + 3] = from[row + 3]
      to[next + 4] = from[row + 4]
      to[next + 5] = from[row + 5]
      to[next + 6] = from[row + 6]
      to[next + 7] = from[row + 7]
    }
  }

  /** Returns false when no room can be made. */
  #makeRoom(): boolean {
    if (this.#isFull) return false
    const capacity = this.#address.length
    if (capacity < Math.min(rowsUnsummed, this.#rowsMax)) {
      this.#resize(Math.min(capacity * 2, this.#rowsMax))
      return true
    }
    const sums = this.summed()
    // Summing pays only if it frees a quarter of the log.
    if (sums.rows <= capacity * 0.75) this.#replaceBy(sums)
    else if (capacity < this.#rowsMax) this.#resize(Math.min(capacity * 2, this.#rowsMax))
    else this.#isFull = true
    this.#memory.takeBack(lentMemory(sums))
    return !this.#isFull
  }

  #resize(capacity: number): void {
    const [address, trafficClass, rows] = [this.#address, this.#trafficClass, this.#rows]
    this.#address = new Uint32Array(capacity)
    this.#trafficClass = new Uint16Array(capacity)
    this.#rows = new Float64Array(capacity * width)
    this.#address.set(address)
    this.#trafficClass.set(trafficClass)
    this.#rows.set(rows)
  }

  #replaceBy(sums: CounterColumns): void {
    const rows = this.#rows
    for (let i = 0; i < sums.rows; i++) {
      const row = i * width
      this.#address[i] = sums.address[i]
      this.#trafficClass[i] = sums.trafficClass[i]
      rows[row + at.from] = sums.second[i] - this.#baseSecond
      rows[row + at.to] = nowhere
      rows[row + at.packets] = sums.packets[i]
      rows[row + at.bytes] = sums.bytes[i]
      rows[row + at.flows] = sums.flows[i]
      rows[row + at.observed] = sums.observed[i]
      rows[row + at.sources] = sums.sources[i]
      rows[row + at.ports] = sums.ports[i]
    }
    this.#used = sums.rows
  }
}

/** The differences of one target and class, by second. */
class SecondSums {
  /** Rows like those of the log; `from` and `to` stay 0. */
  readonly #rows = new Float64Array(secondsMax * width)
  readonly #isUsed = new Uint8Array(secondsMax)
  #first = secondsMax
  #last = -1

  /** Adds the row of the log that begins at `row`. */
  add(from: Float64Array, row: number): void {
    const first = from[row + at.from] | 0
    const rows = this.#rows
    const start = this.#use(first)
    rows[start + at.packets] += from[row + at.packets]
    rows[start + at.bytes] += from[row + at.bytes]
    rows[start + at.flows] += from[row + at.flows]
    rows[start + at.observed] += from[row + at.observed]
    rows[start + at.sources] = (rows[start + at.sources] | from[row + at.sources]) >>> 0
    rows[start + at.ports] = (rows[start + at.ports] | from[row + at.ports]) >>> 0
    if (from[row + at.to] === nowhere) return
    const end = this.#use(from[row + at.to] | 0)
    rows[end + at.packets] -= from[row + at.packets]
    rows[end + at.bytes] -= from[row + at.bytes]
    rows[end + at.flows] -= from[row + at.flows]
    rows[end + at.observed] -= from[row + at.observed]
  }

  /** Moves the sums to the end of the columns. */
  take(to: CounterColumns, address: number, trafficClass: number, baseSecond: number): void {
    const rows = this.#rows
    for (let second = this.#first; second <= this.#last; second++) {
      if (this.#isUsed[second] === 0) continue
      this.#isUsed[second] = 0
      const row = second * width
      const i = to.rows++
      to.address[i] = address
      to.trafficClass[i] = trafficClass
      to.second[i] = baseSecond + second
      to.packets[i] = rows[row + at.packets]
      to.bytes[i] = rows[row + at.bytes]
      to.flows[i] = rows[row + at.flows]
      to.observed[i] = rows[row + at.observed]
      to.sources[i] = rows[row + at.sources]
      to.ports[i] = rows[row + at.ports]
      rows[row + at.packets] = rows[row + at.bytes] = rows[row + at.flows] = rows[row + at.observed] = 0
      rows[row + at.sources] = rows[row + at.ports] = 0
    }
    this.#first = secondsMax
    this.#last = -1
  }

  /** Where the second's row begins. */
  #use(second: number): number {
    this.#isUsed[second] = 1
    if (second < this.#first) this.#first = second
    if (second > this.#last) this.#last = second
    return second * width
  }
}
