// Watches all streams of one decoder, in bounded time: a few records of each batch, a look at each stream now and then, a few reports at a time.
import type { StreamTable } from '../../decode/streams.ts'
import type { Batch } from '../../flow/batch.ts'
import type { StreamReport } from './report.ts'
import { type Spans, StreamWatch } from './stream-watch.ts'

export interface StreamWatchesOptions extends Spans {
  streams: StreamTable
  /** Of a batch about so many records are looked at, evenly over it, so that full batches cost no more than others. Infinity: all. */
  recordsPerBatch: number
  /** The decoder leaves times as they were exported. */
  exportedTimes: boolean
}

export class StreamWatches {
  readonly #options: StreamWatchesOptions
  /** By the stream's place. */
  readonly #watches: (StreamWatch | undefined)[] = []
  /** Rows of the next batch to go by. */
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

  /** Looks at every stream: about once a second. */
  look(nowMs: number): void {
    const { list } = this.#options.streams
    for (let index = 0; index < list.length; index++) this.#watchAt(index)?.look(nowMs)
  }

  /** Of streams heard of since their last report, and last reported at `beforeMs` or earlier: at most so many, those that waited longest first. */
  due(nowMs: number, { beforeMs, max }: { beforeMs: number; max: number }): StreamReport[] {
    const waiting: StreamWatch[] = []
    for (const watch of this.#watches) {
      if (watch !== undefined && watch.stream.lastMs >= watch.reportedMs && watch.reportedMs <= beforeMs) {
        waiting.push(watch)
      }
    }
    if (waiting.length > max) waiting.sort((a, b) => a.reportedMs - b.reportedMs)
    return waiting.slice(0, max).map((watch) => watch.report(nowMs))
  }

  /** Of all streams. */
  reports(nowMs: number): StreamReport[] {
    return this.#watches.flatMap((watch) => (watch === undefined ? [] : [watch.report(nowMs)]))
  }

  /** A place in the table may have passed on to another stream. */
  #watchAt(index: number): StreamWatch | undefined {
    const stream = this.#options.streams.list[index]
    const watch = this.#watches[index]
    if (watch?.stream === stream) return watch
    const fresh = stream === undefined ? undefined : new StreamWatch(stream, this.#options)
    this.#watches[index] = fresh
    return fresh
  }
}
