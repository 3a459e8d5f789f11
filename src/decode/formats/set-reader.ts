// Applies the sets of a message to its stream: templates are kept, data becomes rows or waits for its template. NetFlow v9 and IPFIX share it.
import { recordsOf } from '../counters.ts'
import type { Stream } from '../stream.ts'
import type { StreamTable } from '../streams.ts'
import type { DatagramContext } from '../templates/finish.ts'
import type { RowWriter } from '../templates/row-writer.ts'
import type { TemplateFields } from '../templates/template.ts'
import { hasRestarted } from '../times/uptime.ts'
import type { WaitingSet } from '../waiting-sets.ts'
import { type Dialect, type SetHandler, walkSets } from './sets.ts'

export interface Message {
  view: DataView
  stream: Stream
  context: DatagramContext
}

const noOctets = new Uint8Array(0)

/** Reads the sets of one message. */
export class SetReader implements SetHandler {
  /** Number of records with options data. */
  optionRecords = 0
  readonly #streams: StreamTable
  readonly #rows: RowWriter
  readonly #view: DataView
  readonly #stream: Stream
  readonly #context: DatagramContext
  #definition: Uint8Array = noOctets
  #uncounted = false
  /** Templates of this message that data sets wait for. */
  #awaited: number[] | null = null

  constructor(streams: StreamTable, rows: RowWriter, { view, stream, context }: Message) {
    this.#streams = streams
    this.#rows = rows
    this.#view = view
    this.#stream = stream
    this.#context = context
  }

  /** Notes the exporter's uptime of the header. */
  noteUptime(): void {
    this.#streams.noteUptime(this.#stream, this.#context)
  }

  /** Reads the sets from `at` to `end` and gives the number of their data records, or -1 when it is unknown. */
  read(at: number, end: number, dialect: Dialect): number {
    const { counters } = this.#stream
    const before = recordsOf(counters)
    const optionsBefore = counters.optionRecords
    walkSets(this.#view, at, end, dialect, this)
    const records = this.#uncounted ? -1 : recordsOf(counters) - before
    this.optionRecords = counters.optionRecords - optionsBefore
    // This comes after all sets: their sampling counts for the sets that waited, whose records do not belong to this message.
    if (this.#awaited !== null) this.#decodeWaiting(this.#awaited)
    return records
  }

  isNewTemplate(id: number, at: number, end: number, options: boolean): boolean {
    this.#definition = new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, end - at)
    return !this.#streams.renew(this.#stream, id, this.#definition, options)
  }

  onTemplate(id: number, fields: TemplateFields): void {
    this.#streams.define(this.#stream, id, this.#definition, fields)
    if (!this.#stream.waiting.sets.has(id)) return
    this.#awaited ??= []
    this.#awaited.push(id)
  }

  onWithdrawal(id: number, options: boolean): void {
    const { templates, counters, waiting } = this.#stream
    for (const known of id >= 256 ? [id] : [...templates.keys()]) {
      const template = templates.get(known)
      if (template?.options !== options) continue
      this.#streams.withdraw(this.#stream, known)
      counters.templatesWithdrawn++
    }
    // What waits came by the template that is withdrawn, not by the next one of that number.
    for (const awaited of id >= 256 ? [id] : [...waiting.sets.keys()]) this.#streams.waiting.giveUp(waiting, awaited)
  }

  onData(id: number, at: number, end: number): void {
    const template = this.#stream.templates.get(id)
    if (template === undefined) {
      this.#wait(id, at, end)
      return
    }
    this.#streams.noteUse(this.#stream, template)
    this.#context.template = id
    this.#rows.data(this.#view, at, end, template.plan, this.#stream, this.#context)
    if (template.options) this.#afterOptions()
  }

  onRefusedTemplate(): void {
    this.#stream.counters.templatesRefused++
  }

  onUnknownSet(): void {
    this.#stream.counters.badSets++
  }

  onMalformed(): void {
    this.#stream.counters.badSets++
    this.#uncounted = true
  }

  onTruncated(): void {
    this.#stream.counters.truncated++
    this.#uncounted = true
  }

  #afterOptions(): void {
    const { sampling, readsInterfaces } = this.#stream
    if (sampling.byInterface && !readsInterfaces) this.#streams.readInterfaces(this.#stream)
  }

  #wait(id: number, at: number, end: number): void {
    const { receivedMs, exportMs, uptimeMs } = this.#context
    this.#stream.counters.setsWithoutTemplate++
    this.#uncounted = true
    const octets = new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, end - at).slice()
    this.#streams.waiting.add(this.#stream.waiting, { template: id, octets, receivedMs, exportMs, uptimeMs })
  }

  /** Reads options data first: it may have the sampling of the rest. */
  #decodeWaiting(awaited: readonly number[]): void {
    const { templates, waiting } = this.#stream
    const isOptions = (id: number) => templates.get(id)?.options === true
    for (const id of [...awaited.filter(isOptions), ...awaited.filter((id) => !isOptions(id))]) {
      for (const set of this.#streams.waiting.take(waiting, id)) this.#decodeLate(set)
      if (isOptions(id)) this.#afterOptions()
    }
  }

  /** Reads a set that waited, with the times of its own datagram. */
  #decodeLate(set: WaitingSet): void {
    const stream = this.#stream
    const { receivedMs, exportMs, uptimeMs, octets, template } = set
    const known = stream.templates.get(template)
    // Template numbers are not valid across a restart (RFC 3954 section 5.1).
    if (known === undefined || hasRestarted(set, this.#context)) {
      stream.counters.setsOutdated++
      return
    }
    this.#streams.noteUse(stream, known)
    stream.counters.setsDecodedLate++
    const context = { ...this.#context, receivedMs, exportMs, uptimeMs, bootMs: stream.bootMs, template }
    const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
    this.#rows.data(view, 0, octets.length, known.plan, stream, context)
  }
}
