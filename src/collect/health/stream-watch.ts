// Watches the streams of one decoder from outside of its hot path: looks at each stream now and then, and at a few of its records, and makes the
// reports of what it saw.
import type { Stream, StreamTable } from '../../decode/streams.ts'
import type { Batch } from '../../flow/batch.ts'
import { exportProtocols } from '../../flow/columns.ts'
import { RecordFacts } from './record-facts.ts'
import type { StreamReport, TemplateReport } from './report.ts'

/** Looks at a clock that are remembered: an odd number has a middle. */
const clockLooksMax = 61
const templatesMax = 64

export interface StreamWatchesOptions {
  streams: StreamTable
  /** Of a batch about so many records are looked at, evenly over it, so that full batches cost no more than others. Infinity: all. */
  recordsPerBatch: number
  /** Rates are counted over this time, and up to twice as much. Infinity: since the first look. */
  rateOverMs: number
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
    for (; row < batch.rows; row += step) {
      const watch = this.#watchAt(exporter[row])
      watch?.records.note(batch, row, watch.stream, exportedTimes)
    }
    this.#skip = row - batch.rows
  }

  /** Looks at every stream: about once a second. */
  look(nowMs: number): void {
    const { list } = this.#options.streams
    for (let index = 0; index < list.length; index++) this.#watchAt(index)?.look(nowMs)
    this.#watches.length = Math.min(this.#watches.length, list.length)
  }

  /** Of streams heard of since their last report, and last reported at `beforeMs` or earlier: at most so many, those that waited longest first. */
  due(nowMs: number, { beforeMs, max }: { beforeMs: number; max: number }): StreamReport[] {
    const waiting: StreamWatch[] = []
    for (const watch of this.#watches) {
      if (watch !== undefined && watch.stream.lastMs > watch.reportedMs && watch.reportedMs <= beforeMs)
        waiting.push(watch)
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
    const fresh = stream === undefined ? undefined : new StreamWatch(stream, this.#options.rateOverMs)
    this.#watches[index] = fresh
    return fresh
  }
}

interface Mark {
  atMs: number
  datagrams: number
  records: number
}

class StreamWatch {
  readonly stream: Stream
  readonly records = new RecordFacts()
  reportedMs = Number.NEGATIVE_INFINITY
  readonly #rateOverMs: number
  readonly #firstMs: number
  /** Counts at two moments: the rate is counted from the older one. */
  #older: Mark
  #newer: Mark
  #lookedMs = Number.NEGATIVE_INFINITY
  readonly #clock = new Float64Array(clockLooksMax)
  #clockLooks = 0
  #templateChanges = 0
  #templates = new Map<number, { definition: Uint8Array; firstMs: number }>()

  constructor(stream: Stream, rateOverMs: number) {
    this.stream = stream
    this.#rateOverMs = rateOverMs
    this.#firstMs = stream.lastMs
    this.#older = this.#newer = this.#mark(stream.lastMs)
  }

  look(nowMs: number): void {
    const { stream } = this
    if (nowMs - this.#newer.atMs >= this.#rateOverMs) {
      this.#older = this.#newer
      this.#newer = this.#mark(nowMs)
    }
    if (stream.lastMs <= this.#lookedMs) return
    this.#lookedMs = stream.lastMs
    this.#clock[this.#clockLooks++ % clockLooksMax] = stream.clockAheadMs
    this.#lookAtTemplates()
  }

  report(nowMs: number): StreamReport {
    const { stream } = this
    const protocol = exportProtocols[stream.exportProtocol]
    this.reportedMs = nowMs
    return {
      address: stream.address,
      port: stream.port,
      domain: stream.domain,
      protocol,
      firstMs: this.#firstMs,
      lastMs: stream.lastMs,
      countedFromMs: this.#firstMs,
      counters: { ...stream.counters },
      ...this.#rates(this.#rateOverMs === Number.POSITIVE_INFINITY ? stream.lastMs : nowMs),
      templates: this.#templateReports(),
      templatesTotal: stream.templates.size,
      clockAheadMs: protocol === 'sflow5' ? null : this.#clockAheadMs(),
      records: this.records.report(stream.lastMs - this.#firstMs),
    }
  }

  #mark(atMs: number): Mark {
    const { datagrams, records } = this.stream.counters
    return { atMs, datagrams, records }
  }

  #rates(nowMs: number): Pick<StreamReport, 'datagramsPerSecond' | 'recordsPerSecond'> {
    const { datagrams, records } = this.stream.counters
    const seconds = (nowMs - this.#older.atMs) / 1000
    if (seconds < 1) return { datagramsPerSecond: null, recordsPerSecond: null }
    return {
      datagramsPerSecond: (datagrams - this.#older.datagrams) / seconds,
      recordsPerSecond: (records - this.#older.records) / seconds,
    }
  }

  #clockAheadMs(): number {
    const looks = this.#clock.slice(0, Math.min(this.#clockLooks, clockLooksMax)).sort()
    return looks.length === 0 ? this.stream.clockAheadMs : looks[looks.length >> 1]
  }

  #lookAtTemplates(): void {
    const { templates, lastMs, counters } = this.stream
    const changes = counters.templates + counters.templatesWithdrawn
    if (changes === this.#templateChanges && templates.size === this.#templates.size) return
    this.#templateChanges = changes
    const known = this.#templates
    const seen = new Map<number, { definition: Uint8Array; firstMs: number }>()
    for (const [id, { definition }] of templates) {
      const before = known.get(id)
      seen.set(id, before?.definition === definition ? before : { definition, firstMs: lastMs })
    }
    this.#templates = seen
  }

  #templateReports(): TemplateReport[] {
    this.#lookAtTemplates()
    const { templates, exportProtocol, lastMs } = this.stream
    const ids = [...templates.keys()].sort((a, b) => a - b).slice(0, templatesMax)
    return ids.flatMap((id) => {
      const template = templates.get(id)
      if (template === undefined) return []
      const fields = countFields(template.definition, template.options, exportProtocols[exportProtocol] === 'ipfix')
      return [{ id, options: template.options, fields, firstMs: this.#templates.get(id)?.firstMs ?? lastMs }]
    })
  }
}

/** Of a template record: id, number of fields; an options template of NetFlow v9 has the octets of its scopes and of its options instead. */
function countFields(definition: Uint8Array, options: boolean, ipfix: boolean): number {
  const view = new DataView(definition.buffer, definition.byteOffset, definition.byteLength)
  if (definition.length < 6) return definition.length < 4 ? 0 : view.getUint16(2)
  return options && !ipfix ? (view.getUint16(2) + view.getUint16(4)) >>> 2 : view.getUint16(2)
}
