// What a few records of a stream tell of how its exporter is set up: its timeouts, its rates, what its records lack. Fixed room for each stream.
import type { Stream } from '../../decode/streams.ts'
import type { Batch } from '../../flow/batch.ts'
import { presentBit } from '../../flow/columns.ts'
import { DurationHistogram } from './durations.ts'
import type { RateReport, RecordsReport } from './report.ts'

const ratesMax = 16
const timeBits = presentBit('startMs') | presentBit('endMs')
const packetsBit = presentBit('packets')
const bytesBit = presentBit('bytes')

/** A clock that is off by less is not taken out of the times of records, unless they are left as exported (see decode/times.ts). */
const settledAboveMs = 5_000

/** Times beyond these can not be: a flow of more than a day, an end after the export, or hours before it. */
const durationMsMax = 86_400_000
const earlyMs = 5_000
const waitMsMax = 14_400_000

export class RecordFacts {
  sampled = 0
  readonly #durations = new DurationHistogram()
  /** From the last packet to the export, of flows of one packet: these wait for nothing but the inactive timeout. */
  readonly #waits = new DurationHistogram()
  /** The same of all records. */
  readonly #lags = new DurationHistogram()
  readonly #rates = new Map<number, number>()
  #withoutTimes = 0
  /** Only where times are left as exported: elsewhere such times have been replaced. */
  #withOddTimes = 0
  #withoutPackets = 0
  #withoutBytes = 0

  note({ columns }: Batch, row: number, stream: Stream, exportedTimes: boolean): void {
    this.sampled++
    const rate = columns.samplingRate[row]
    this.#noteRate(rate)
    const present = columns.present[row]
    if ((present & packetsBit) === 0) this.#withoutPackets++
    if ((present & bytesBit) === 0) this.#withoutBytes++
    if ((present & timeBits) !== timeBits) {
      this.#withoutTimes++
      return
    }
    const durationMs = columns.endMs[row] - columns.startMs[row]
    const ahead = stream.clockAheadMs
    const correction = exportedTimes || Math.abs(ahead) <= settledAboveMs ? ahead : 0
    const waitMs = stream.lastMs + correction - columns.endMs[row]
    const isSpan = durationMs >= 0 && durationMs <= durationMsMax
    if (isSpan) this.#durations.add(durationMs)
    if (!(isSpan && waitMs >= -earlyMs && waitMs <= waitMsMax)) {
      this.#withOddTimes++
      return
    }
    this.#lags.add(Math.max(waitMs, 0))
    // Of a sampled flow the last packet seen is not the last one.
    if (columns.packets[row] === 1 && rate <= 1) this.#waits.add(Math.max(waitMs, 0))
  }

  /** `heardMs`: how long the stream has been heard of. */
  report(heardMs: number): RecordsReport {
    const active = this.#durations.cutSeconds()
    return {
      sampled: this.sampled,
      withoutTimes: this.#withoutTimes,
      withOddTimes: this.#withOddTimes,
      withoutPackets: this.#withoutPackets,
      withoutBytes: this.#withoutBytes,
      // Whatever began with the exporter is as old as it is: that is no timeout.
      activeTimeoutSeconds: active !== null && heardMs >= 2 * active * 1000 ? active : null,
      inactiveTimeoutSeconds: this.#waits.medianTimeoutSeconds(),
      longestSeconds: this.#durations.quantileSeconds(0.999),
      lagSeconds: this.#lags.quantileSeconds(0.5),
    }
  }

  /** The most frequent first. */
  rates(): RateReport[] {
    const rates = [...this.#rates].map(([rate, records]) => ({ rate, share: records / this.sampled }))
    return rates.toSorted((a, b) => b.share - a.share || a.rate - b.rate)
  }

  /** A rate that finds no place is left out: its share is missing from the sum. */
  #noteRate(rate: number): void {
    const seen = this.#rates.get(rate)
    if (seen !== undefined || this.#rates.size < ratesMax) this.#rates.set(rate, (seen ?? 0) + 1)
  }
}
