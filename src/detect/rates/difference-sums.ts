// Differences of several counters added up by second: the total of an address, and of its network, is raised once for all parts.
import { type CounterColumns, createCounterColumns } from '../../aggregate/sealed-slot.ts'
import { offsetsOf } from '../../offsets.ts'
import { total } from '../../vectors/compile.ts'
import type { RowRange } from './series.ts'

/** The seconds of a slot lie closer together than this. A power of two. */
const secondsMax = 1_024

/** The numbers of a second lie side by side. */
const at = offsetsOf({ packets: 0, bytes: 1, flows: 2, observed: 3, sources: 4, ports: 5, used: 6 })
const width = 8

export class DifferenceSums {
  /** Sums by second modulo `secondsMax`. */
  readonly #seconds = new Float64Array(secondsMax * width)
  readonly #sums = createCounterColumns(secondsMax)
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  add(counters: CounterColumns, rows: RowRange): void {
    const seconds = this.#seconds
    for (let row = rows.from; row < rows.to; row++) {
      const second = counters.second[row]
      const place = (second % secondsMax) * width
      seconds[place + at.packets] += counters.packets[row]
      seconds[place + at.bytes] += counters.bytes[row]
      seconds[place + at.flows] += counters.flows[row]
      seconds[place + at.observed] += counters.observed[row]
      seconds[place + at.sources] = (seconds[place + at.sources] | counters.sources[row]) >>> 0
      seconds[place + at.ports] = (seconds[place + at.ports] | counters.ports[row]) >>> 0
      seconds[place + at.used] = 1
      if (second < this.#first) this.#first = second
      if (second > this.#last) this.#last = second
    }
  }

  /** The sums since the last call, without address and class; valid until the next call. */
  take(): { counters: CounterColumns; rows: RowRange } {
    const seconds = this.#seconds
    const sums = this.#sums
    let row = 0
    for (let second = this.#first; second <= this.#last; second++) {
      const place = (second % secondsMax) * width
      if (seconds[place + at.used] === 0) continue
      sums.second[row] = second
      sums.packets[row] = seconds[place + at.packets]
      sums.bytes[row] = seconds[place + at.bytes]
      sums.flows[row] = seconds[place + at.flows]
      sums.observed[row] = seconds[place + at.observed]
      sums.sources[row] = seconds[place + at.sources]
      sums.ports[row] = seconds[place + at.ports]
      for (let i = place; i < place + width; i++) seconds[i] = 0
      row++
    }
    this.#first = Number.POSITIVE_INFINITY
    this.#last = Number.NEGATIVE_INFINITY
    return { counters: sums, rows: { from: 0, to: row } }
  }
}

/** Sums of each class, and of all together. */
export class ClassSums {
  readonly #ofClass: DifferenceSums[] = []
  readonly #total = new DifferenceSums()
  readonly #used = new Set<number>()

  /** Adds the rows of an address, which are in the order of classes. */
  add(counters: CounterColumns, rows: RowRange): void {
    const { trafficClass } = counters
    for (let from = rows.from; from < rows.to; ) {
      let to = from + 1
      while (to < rows.to && trafficClass[to] === trafficClass[from]) to++
      this.#addClass(trafficClass[from], counters, { from, to })
      from = to
    }
  }

  /** Gives the sums since the last call, class by class; `total` comes last. The rows are valid until `onSums` returns. */
  take(onSums: (trafficClass: number, counters: CounterColumns, rows: RowRange) => void): void {
    for (const trafficClass of this.#used) {
      const { counters, rows } = this.#ofClass[trafficClass].take()
      this.#total.add(counters, rows)
      onSums(trafficClass, counters, rows)
    }
    const { counters, rows } = this.#total.take()
    onSums(total, counters, rows)
    this.#used.clear()
  }

  #addClass(trafficClass: number, counters: CounterColumns, rows: RowRange): void {
    this.#ofClass[trafficClass] ??= new DifferenceSums()
    this.#ofClass[trafficClass].add(counters, rows)
    this.#used.add(trafficClass)
  }
}
