// Learns from a few records of a stream how its exporter is set up: its timeouts, its rates, what its records lack. Each stream takes fixed room.
import type { Stream } from '../../decode/stream.ts'
import { clockToleranceMs, durationMsMax, timeBits } from '../../decode/times/times.ts'
import type { Batch } from '../../flow/batch.ts'
import { packetsBit, presentBit } from '../../flow/columns.ts'
import { DurationHistogram } from './durations.ts'
import type { RateReport, RecordsReport } from './report.ts'

const ratesMax = 16
const bytesBit = presentBit('bytes')

/** Longest believable time from the end of a flow to its export, milliseconds. */
const waitMsMax = 14_400_000

export class RecordFacts {
  sampled = 0
  readonly #durations = new DurationHistogram()
  /** Delays from the last packet to the export of flows of one packet, which wait for the inactive timeout only. */
  readonly #waits = new DurationHistogram()
  /** The same delays of all records. */
  readonly #lags = new DurationHistogram()
  readonly #rates = new Map<number, number>()
  #withoutTimes = 0
  /** Records with unbelievable times; counted only where times are left as exported, since elsewhere they have been replaced. */
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
    const correction = exportedTimes || Math.abs(ahead) <= clockToleranceMs ? ahead : 0
    const waitMs = stream.lastMs + correction - columns.endMs[row]
    const isSpan = durationMs >= 0 && durationMs <= durationMsMax
    if (isSpan) this.#durations.add(durationMs)
    if (!(isSpan && waitMs >= -clockToleranceMs && waitMs <= waitMsMax)) {
      this.#withOddTimes++
      return
    }
    this.#lags.add(Math.max(waitMs, 0))
    // The last packet that was seen of a sampled flow is not its last one.
    if (columns.packets[row] === 1 && rate <= 1) this.#waits.add(Math.max(waitMs, 0))
  }

  /** `heardMs`: how long the stream has been active. */
  report(heardMs: number): RecordsReport {
    const active = this.#durations.cutSeconds()
    return {
      sampled: this.sampled,
      withoutTimes: this.#withoutTimes,
      withOddTimes: this.#withOddTimes,
      withoutPackets: this.#withoutPackets,
      withoutBytes: this.#withoutBytes,
      // Flows that began with the exporter are as old as it is: that is no timeout.
      activeTimeoutSeconds: active !== null && heardMs >= 2 * active * 1000 ? active : null,
      inactiveTimeoutSeconds: this.#waits.medianTimeoutSeconds(),
      longestSeconds: this.#durations.quantileSeconds(0.999),
      lagSeconds: this.#lags.quantileSeconds(0.5),
    }
  }

  /** The rates, the most frequent first. */
  rates(): RateReport[] {
    const rates = [...this.#rates].map(([rate, records]) => ({ rate, share: records / this.sampled }))
    return rates.toSorted((a, b) => b.share - a.share || a.rate - b.rate)
  }

  /** Counts a rate; one that finds no room is left out, and its share is missing from the sum. */
  #noteRate(rate: number): void {
    const seen = this.#rates.get(rate)
    if (seen !== undefined || this.#rates.size < ratesMax) this.#rates.set(rate, (seen ?? 0) + 1)
  }
}
