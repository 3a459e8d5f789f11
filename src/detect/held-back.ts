// How long exporters hold back what they tell of a target: the last seconds of its traffic are then not told of yet, or only in part.
import type { CounterColumns } from '../aggregate/sealed-slot.ts'
import { ringSeconds } from './rates.ts'
import type { RowRange } from './series.ts'

/** What was told so long ago counts a third of what is told now. Seconds. */
const memorySeconds = 30

export class HeldBack {
  /** Packets that were told of lately, and the sum of their ages when they were told, packets x seconds. */
  #packets = 0
  #ages = 0
  #second = 0

  /** The rows are differences of all traffic, told of just now. */
  note({ second, packets }: CounterColumns, { from, to }: RowRange, nowSecond: number): void {
    // Of r packets a second from a to b the differences are r and -r: times the age they come to r(b - a), times its square to that by twice the mean age.
    let told = 0
    let twiceAges = 0
    for (let row = from; row < to; row++) {
      // What is older than a ring reaches is lost anyway, and says nothing.
      const age = Math.min(nowSecond - second[row], ringSeconds)
      told += packets[row] * age
      twiceAges += packets[row] * age * age
    }
    if (!(told > 0)) return
    const kept = Math.exp(-Math.max(0, nowSecond - this.#second) / memorySeconds)
    this.#packets = this.#packets * kept + told
    this.#ages = this.#ages * kept + twiceAges / 2
    this.#second = nowSecond
  }

  /** Packets of so many seconds ago have been told of, and those after that may not. Records end when they are told, as a rule, and begin twice as long ago as they are old on average. */
  get seconds(): number {
    return this.#packets === 0 ? 0 : Math.max(0, Math.round((2 * this.#ages) / this.#packets) - 1)
  }
}
