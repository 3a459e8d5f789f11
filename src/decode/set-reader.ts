// What the sets of a message mean to its stream: templates are kept, data becomes rows. Common to NetFlow v9 and IPFIX.
import type { DatagramContext } from './finish.ts'
import type { RowWriter } from './row-writer.ts'
import { type Dialect, type SetHandler, walkSets } from './sets.ts'
import type { Stream, StreamTable } from './streams.ts'
import type { TemplateFields } from './template.ts'

export interface Message {
  view: DataView
  stream: Stream
  context: DatagramContext
}

/** Reads the sets of one message. */
export class SetReader implements SetHandler {
  readonly #streams: StreamTable
  readonly #rows: RowWriter
  readonly #view: DataView
  readonly #stream: Stream
  readonly #context: DatagramContext
  #definition: Uint8Array = new Uint8Array(0)
  #uncounted = false

  constructor(streams: StreamTable, rows: RowWriter, { view, stream, context }: Message) {
    this.#streams = streams
    this.#rows = rows
    this.#view = view
    this.#stream = stream
    this.#context = context
  }

  /** Reads the sets from `at` to `end`. Gives how many data records they hold, or -1 when that can't be told. */
  read(at: number, end: number, dialect: Dialect): number {
    const before = recordsOf(this.#stream)
    walkSets(this.#view, at, end, dialect, this)
    return this.#uncounted ? -1 : recordsOf(this.#stream) - before
  }

  isNewTemplate(id: number, at: number, end: number, options: boolean): boolean {
    this.#definition = new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, end - at)
    return !this.#streams.renew(this.#stream, id, this.#definition, options)
  }

  onTemplate(id: number, fields: TemplateFields): void {
    this.#streams.define(this.#stream, id, this.#definition, fields)
  }

  onWithdrawal(id: number, options: boolean): void {
    const { templates, counters } = this.#stream
    for (const known of id >= 256 ? [id] : [...templates.keys()]) {
      const template = templates.get(known)
      if (template?.options !== options) continue
      this.#streams.withdraw(this.#stream, known)
      counters.templatesWithdrawn++
    }
  }

  onData(id: number, at: number, end: number): void {
    const template = this.#stream.templates.get(id)
    if (template === undefined) {
      this.#stream.counters.setsWithoutTemplate++
      this.#uncounted = true
      return
    }
    this.#rows.data(this.#view, at, end, template.plan, this.#stream, this.#context)
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
}

function recordsOf({ counters }: Stream): number {
  return counters.records + counters.optionRecords + counters.recordsWithoutAddress
}
