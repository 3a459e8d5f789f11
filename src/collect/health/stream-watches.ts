// Watches all streams of one decoder in bounded time: it samples a few records of each batch, looks at each stream now and then, and gives a few reports
// at a time: first those on streams that have proved themselves.
import { hasProved } from '../../decode/stream.ts'
import type { StreamTable } from '../../decode/streams.ts'
import type { Batch } from '../../flow/batch.ts'
import type { StreamReport } from './report.ts'
import { type Spans, StreamWatch } from './stream-watch.ts'

/** The part of the reports that newcomers have at least: that of the places that they have in the table of streams (decode/streams.ts). */
const newcomersShare = 0.25

export interface StreamWatchesOptions extends Spans {
  streams: StreamTable
  /** Records of a batch that are sampled, about, evenly over it: full batches cost no more than others. Infinity: all. */
  recordsPerBatch: number
  /** The decoder leaves times as they were exported. */
  exportedTimes: boolean
}

export class StreamWatches {
  readonly #options: StreamWatchesOptions
  /** Watches by the stream's place in the table. */
  readonly #watches: (StreamWatch | undefined)[] = []
  /** Rows of the next batch to skip. */
  #skip = 0

  constructor(options: StreamWatchesOptions) {
    this.#options = options
  }

  /** To be called with every batch, before its streams can change. */
  sample(batch: Batch): void {
    const { recordsPerBatch, exportedTimes } = this.#options
    const { exporter } = batch.columns
    const step = Math.max(1, Math.ceil(batch.rows / recordsPerBatch))
    let row = this.#skip % step
    for (; row < batch.rows; row += step) this.#watchAt(exporter[row])?.note(batch, row, exportedTimes)
    this.#skip = row - batch.rows
  }

  /** Looks at every stream; to be called about once a second. */
  look(nowMs: number): void {
    const { list } = this.#options.streams
    for (let index = 0; index < list.length; index++) this.#watchAt(index)?.look(nowMs)
  }

  /**
   * Reports on at most `max` streams that were active since their last report, which was at `beforeMs` or earlier; those that waited longest come first.
   * When more wait, most of the reports are kept for streams that have proved themselves: a flood of made-up ones keeps only newcomers waiting.
   */
  due(nowMs: number, { beforeMs, max }: { beforeMs: number; max: number }): StreamReport[] {
    const proved: StreamWatch[] = []
    const newcomers: StreamWatch[] = []
    for (const watch of this.#watches) {
      if (watch === undefined || watch.stream.lastMs < watch.reportedMs || watch.reportedMs > beforeMs) continue
      if (hasProved(watch.stream)) proved.push(watch)
      else newcomers.push(watch)
    }
    if (proved.length + newcomers.length > max) {
      for (const waiting of [proved, newcomers]) waiting.sort((a, b) => a.reportedMs - b.reportedMs)
    }
    const ofProved = proved.slice(0, max - Math.min(newcomers.length, Math.ceil(max * newcomersShare)))
    const ofNewcomers = newcomers.slice(0, max - ofProved.length)
    return [...ofProved, ...ofNewcomers].map((watch) => watch.report(nowMs))
  }

  /** Reports on all streams. */
  reports(nowMs: number): StreamReport[] {
    return this.#watches.flatMap((watch) => (watch === undefined ? [] : [watch.report(nowMs)]))
  }

  /** The watch of a stream; a place in the table may have passed to another stream. */
  #watchAt(index: number): StreamWatch | undefined {
    const stream = this.#options.streams.list[index]
    const watch = this.#watches[index]
    if (watch?.stream === stream) return watch
    const fresh = stream === undefined ? undefined : new StreamWatch(stream, this.#options)
    this.#watches[index] = fresh
    return fresh
  }
}
