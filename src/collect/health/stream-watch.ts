// Watches one stream of a decoder from outside its hot path: it samples the stream and a few of its records now and then, and reports on them.
import { createStreamCounters, namesOf, type StreamCounters } from '../../decode/counters.ts'
import { protocolOf, type Stream } from '../../decode/stream.ts'
import type { Batch } from '../../flow/batch.ts'
import { RecordFacts } from './record-facts.ts'
import type { ElementReport, SamplingReport, StreamReport, TemplateReport } from './report.ts'

/** Readings of a clock that are remembered: an odd number, which has a middle. */
const clockLooksMax = 61
const templatesMax = 64
const waitingMax = 32
const elementsMax = 64
const toldMax = 64
/** Records needed before new facts replace older ones. */
const recordsEnough = 500

/** Spans of time that the report covers, milliseconds. Infinity: since the first look. */
export interface Spans {
  /** Rates cover this time, and up to twice as much. */
  rateMs: number
  /** Errors, for findings, likewise. */
  recentMs: number
  /** Facts about records, likewise. */
  recordsMs: number
}

interface Mark {
  atMs: number
  counters: StreamCounters
}

/** Counters at two moments, the older of which is between one and two spans ago: their rise since then is recent. */
class Window {
  readonly #spanMs: number
  #older: Mark
  #newer: Mark

  constructor(spanMs: number, first: Mark) {
    this.#spanMs = spanMs
    this.#older = this.#newer = first
  }

  look(nowMs: number, counters: StreamCounters): void {
    if (nowMs - this.#newer.atMs < this.#spanMs) return
    this.#older = this.#newer
    this.#newer = { atMs: nowMs, counters: { ...counters } }
  }

  get since(): Mark {
    return this.#older
  }
}

interface KnownTemplate {
  definition: Uint8Array
  firstMs: number
}

export class StreamWatch {
  readonly stream: Stream
  reportedMs = Number.NEGATIVE_INFINITY
  readonly #spans: Spans
  readonly #firstMs: number
  readonly #rates: Window
  readonly #recent: Window
  #records = new RecordFacts()
  #earlier: RecordFacts | null = null
  #recordsFromMs: number
  #lookedMs = Number.NEGATIVE_INFINITY
  readonly #clock = new Float64Array(clockLooksMax)
  #clockLooks = 0
  #templates = new Map<number, KnownTemplate>()
  #templateChanges = 0

  constructor(stream: Stream, spans: Spans) {
    this.stream = stream
    this.#spans = spans
    this.#firstMs = this.#recordsFromMs = stream.lastMs
    // The first datagram reports on the time before it came, but that is recent.
    this.#rates = new Window(spans.rateMs, { atMs: stream.lastMs, counters: { ...stream.counters } })
    this.#recent = new Window(spans.recentMs, { atMs: stream.lastMs, counters: createStreamCounters() })
  }

  note(batch: Batch, row: number, exportedTimes: boolean): void {
    this.#records.note(batch, row, this.stream, exportedTimes)
  }

  look(nowMs: number): void {
    const { stream } = this
    this.#rates.look(nowMs, stream.counters)
    this.#recent.look(nowMs, stream.counters)
    if (nowMs - this.#recordsFromMs >= this.#spans.recordsMs) {
      if (this.#records.sampled >= recordsEnough) this.#earlier = this.#records
      this.#records = new RecordFacts()
      this.#recordsFromMs = nowMs
    }
    if (stream.lastMs <= this.#lookedMs) return
    this.#lookedMs = stream.lastMs
    this.#clock[this.#clockLooks++ % clockLooksMax] = stream.clockAheadMs
    this.#lookAtTemplates()
  }

  report(nowMs: number): StreamReport {
    const { stream } = this
    const { address, port, domain, lastMs, counters, templates, waiting } = stream
    const protocol = protocolOf(stream)
    const facts = this.#earlier !== null && this.#records.sampled < recordsEnough ? this.#earlier : this.#records
    this.reportedMs = nowMs
    return {
      address,
      port,
      domain,
      protocol,
      firstMs: this.#firstMs,
      lastMs,
      countedFromMs: this.#firstMs,
      counters: { ...counters },
      recent: rise(this.#recent.since.counters, counters),
      ...this.#ratesAt(this.#spans.rateMs === Number.POSITIVE_INFINITY ? lastMs : nowMs),
      templates: this.#templateReports(),
      templatesTotal: templates.size,
      waiting: [...waiting.sets].slice(0, waitingMax).map(([template, sets]) => ({ template, sets })),
      unknownElements: unknownElements(stream),
      sampling: samplingReport(stream, facts),
      clockAheadMs: protocol === 'sflow5' ? null : this.#clockAheadMs(),
      records: facts.report(lastMs - this.#firstMs),
    }
  }

  #ratesAt(nowMs: number): Pick<StreamReport, 'datagramsPerSecond' | 'recordsPerSecond'> {
    const { atMs, counters: before } = this.#rates.since
    const { datagrams, records } = this.stream.counters
    const seconds = (nowMs - atMs) / 1000
    if (seconds < 1) return { datagramsPerSecond: null, recordsPerSecond: null }
    return {
      datagramsPerSecond: (datagrams - before.datagrams) / seconds,
      recordsPerSecond: (records - before.records) / seconds,
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
    this.#templates = new Map<number, KnownTemplate>()
    for (const [id, { definition }] of templates) {
      const before = known.get(id)
      this.#templates.set(id, before?.definition === definition ? before : { definition, firstMs: lastMs })
    }
  }

  #templateReports(): TemplateReport[] {
    this.#lookAtTemplates()
    const { templates, lastMs } = this.stream
    const isIpfix = protocolOf(this.stream) === 'ipfix'
    const ids = [...templates.keys()].sort((a, b) => a - b).slice(0, templatesMax)
    return ids.flatMap((id) => {
      const template = templates.get(id)
      if (template === undefined) return []
      const { definition, options } = template
      const firstMs = this.#templates.get(id)?.firstMs ?? lastMs
      return [{ id, options, fields: countFields(definition, options, isIpfix), firstMs }]
    })
  }
}

function samplingReport({ sampling }: Stream, facts: RecordFacts): SamplingReport {
  return {
    from: sampling.from,
    rates: facts.rates(),
    told: sampling.entries().slice(0, toldMax),
    doubts: sampling.doubts,
    jumps: sampling.jumps,
  }
}

/** The unknown elements of the templates, each once. */
function unknownElements({ templates }: Stream): ElementReport[] {
  const keys = new Set<number>()
  for (const template of templates.values().take(templatesMax)) {
    for (const key of template.plan.unknownElements) if (keys.size < elementsMax) keys.add(key)
  }
  // As `elementKey` makes them.
  return [...keys].sort((a, b) => a - b).map((key) => ({ enterprise: Math.floor(key / 65_536), id: key % 65_536 }))
}

function rise(before: StreamCounters, now: StreamCounters): StreamCounters {
  const risen = createStreamCounters()
  for (const name of namesOf(risen)) risen[name] = now[name] - before[name]
  return risen
}

/** Counts the fields of a template record. It begins with its id and this number; an options template of NetFlow v9 has octets of scopes and options instead. */
function countFields(definition: Uint8Array, options: boolean, isIpfix: boolean): number {
  const view = new DataView(definition.buffer, definition.byteOffset, definition.byteLength)
  if (definition.length < 6) return definition.length < 4 ? 0 : view.getUint16(2)
  return options && !isIpfix ? (view.getUint16(2) + view.getUint16(4)) >>> 2 : view.getUint16(2)
}
