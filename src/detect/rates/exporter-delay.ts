// The delay of exporters that hold records back: the last seconds of a target's traffic are not reported yet, or only in part.
import type { CounterColumns } from '../../aggregate/sealed-slot.ts'
import { normal as lines } from '../lines/normal.ts'
import { ringSeconds } from './rates.ts'
import type { RowRange } from './series.ts'

export class ExporterDelay {
  /** Packets reported lately, and the sum of their ages at their report, packets x seconds. */
  #packets = 0
  #ages = 0
  #second = 0

  /** Notes a report: rows of differences of all traffic. */
  note({ second, packets }: CounterColumns, { from, to }: RowRange, nowSecond: number): void {
    // For r packets a second from a to b the differences are r and -r. Times the age they add up to r(b - a), the packets; times its square, to the packets
    // times twice their mean age.
    let reported = 0
    let twiceAges = 0
    for (let row = from; row < to; row++) {
      // Older seconds than a ring holds are lost in any case.
      const age = Math.min(nowSecond - second[row], ringSeconds)
      reported += packets[row] * age
      twiceAges += packets[row] * age * age
    }
    if (!(reported > 0)) return
    const kept = Math.exp(-Math.max(0, nowSecond - this.#second) / lines.delayMemorySeconds)
    this.#packets = this.#packets * kept + reported
    this.#ages = this.#ages * kept + twiceAges / 2
    this.#second = nowSecond
  }

  /**
   * The delay in seconds: later packets may not be reported yet. Records end at their report, as a rule, and begin twice as long ago as their mean age.
   */
  get seconds(): number {
    return this.#packets === 0 ? 0 : Math.max(0, Math.round((2 * this.#ages) / this.#packets) - 1)
  }
}
