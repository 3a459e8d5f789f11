// The traffic of one class of a target: its recent rates, its normal, and the seconds that were not judged yet.
import type { CounterColumns } from '../../aggregate/sealed-slot.ts'
import type { Baseline } from '../normal/baseline.ts'
import type { RatePages } from './rate-pages.ts'
import { RateRing } from './rates.ts'

/** Fewer flows a second are a rest of rounding after records that are over. */
export const flowsMin = 1e-6

export interface Series {
  readonly trafficClass: number
  readonly baseline: Baseline
  /** Null after no traffic for as long as a ring reaches. */
  ring: RateRing | null
  /** The seconds that changed since they were last judged; `changedTo` is not among them. */
  changedFrom: number
  changedTo: number
}

/** Some rows of a slot: `to` is not among them. */
export interface RowRange {
  from: number
  to: number
}

/** Highest rate of a class since a second, or its usual rate. Packets a second. */
export function weightOf({ ring, baseline }: Series, second: number): number {
  const most = ring === null ? 0 : ring.mostWithin('packets', Math.max(ring.first, second), ring.last + 1)
  return Math.max(most, baseline.recent, baseline.usual)
}

/** Highest rate that rows of differences add up to, packets a second. */
export function mostPackets({ packets }: CounterColumns, { from, to }: RowRange): number {
  let rate = 0
  let most = 0
  for (let row = from; row < to; row++) {
    rate += packets[row]
    most = Math.max(most, rate)
  }
  return most
}

export function releaseRing(series: Series): void {
  series.ring?.release()
  series.ring = null
}

/** Notes that these seconds are to be judged; `to` is not among them. */
export function noteChange(series: Series, from: number, to: number): void {
  series.changedFrom = Math.min(series.changedFrom, from)
  series.changedTo = Math.max(series.changedTo, to)
}

/** Adds the rates that the rows sum up to, second by second. */
export function raiseSeries(series: Series, pages: RatePages, counters: CounterColumns, rows: RowRange): void {
  const ring = series.ring ?? new RateRing(pages, counters.second[rows.to - 1])
  series.ring = ring
  let packets = 0
  let bytes = 0
  let flows = 0
  let observed = 0
  for (let row = rows.from; row < rows.to - 1; row++) {
    packets += counters.packets[row]
    bytes += counters.bytes[row]
    flows += counters.flows[row]
    observed += counters.observed[row]
    if (flows < flowsMin) continue
    const second = counters.second[row]
    ring.raise(second, counters.second[row + 1], packets, bytes, flows, observed)
    ring.note(second, counters.sources[row], counters.ports[row])
  }
  noteChange(series, counters.second[rows.from], counters.second[rows.to - 1])
}
