// Turns data sets into rows: strided copies, or record by record when lengths vary, then the finishing steps. Owns the batch and hands it on when it
// is full.
import { type Batch, clearBatch, createBatch, fillRows } from '../flow/batch.ts'
import { presentBit } from '../flow/columns.ts'
import type { DatagramContext } from './finish.ts'
import { readEthernet, readIp } from './packet-header.ts'
import { rateOfRow } from './sampling.ts'
import { createWork, type Work, workPlace } from './scratch.ts'
import { placeAt, placeLength, variableFieldAt } from './sets.ts'
import type { Stream } from './streams.ts'
import type { Plan, SectionField, VariableField } from './template.ts'
import { settleTimes } from './times.ts'

const packetsBit = presentBit('packets')
const presentAt = workPlace('present')
const bootAt = workPlace('bootMs')
const samplerAt = workPlace('samplerId')

export interface RowWriterOptions {
  sink: (batch: Batch) => void
  capacity: number
  /** In place of every rate that exporters tell; 0: none. */
  samplingOverride: number
  /** Leave times as they were exported, however odd. */
  exportedTimes: boolean
}

export class RowWriter {
  readonly work: Work
  readonly batch: Batch
  readonly #options: RowWriterOptions

  constructor(options: RowWriterOptions) {
    this.#options = options
    this.batch = createBatch(options.capacity)
    this.work = createWork(this.batch)
  }

  /** Hands what there is to the sink. */
  flush(): void {
    if (this.batch.rows === 0) return
    this.#options.sink(this.batch)
    clearBatch(this.batch)
  }

  /** Drops unfinished rows: after a failure. */
  discard(): void {
    const { rows, capacity } = this.batch
    for (const column of Object.values(this.batch.columns)) column.fill(0, rows * (column.length / capacity))
  }

  /** Reads the records of a data set. */
  data(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    if (plan.stride > 0) this.#fixed(view, at, end, plan, stream, context)
    else this.#variable(view, at, end, plan, stream, context)
  }

  #fixed(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    const { stride, copies } = plan
    let left = Math.floor((end - at) / stride)
    while (left > 0) {
      const row = this.batch.rows
      const count = plan.useful ? Math.min(left, this.batch.capacity - row) : left
      for (let i = 0; i < copies.length; i++) {
        const { copy, offset, place } = copies[i]
        copy(view, at + offset, stride, count, this.work[place], row)
      }
      if (plan.useful && !plan.options) fillRows(this.work[presentAt], row, count, plan.present)
      this.#finish(plan, row, count, stream, context)
      at += count * stride
      left -= count
    }
  }

  #variable(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    // What is left when no record fits is padding.
    while (at + plan.lengthMin <= end) {
      const next = this.#recordEnd(view, at, end, plan)
      if (next < 0) {
        stream.counters.truncated++
        return
      }
      const row = this.batch.rows
      let sectionAt = at
      let sectionEnd = at
      for (let i = 0; i < plan.fields.length; i++) {
        const field = plan.fields[i]
        const found = variableFieldAt(view, at, end, field.length)
        const length = placeLength(found)
        at = placeAt(found)
        if (field.place >= 0) this.#field(view, at, length, field, row)
        if (i === plan.section?.field) [sectionAt, sectionEnd] = [at, at + length]
        at += length
      }
      at = next
      if (plan.useful && !plan.options) this.work[presentAt][row] = plan.present
      if (plan.section === null || this.#section(view, sectionAt, sectionEnd, plan.section, row)) {
        this.#finish(plan, row, 1, stream, context)
      } else {
        stream.counters.samplesSkipped++
        this.#clearRow(row)
      }
    }
  }

  /** The row of a sampled packet, from its first octets. */
  #section(view: DataView, at: number, end: number, { from }: SectionField, row: number): boolean {
    const { columns } = this.batch
    const read = from === 'ethernet' ? readEthernet : readIp
    if (!read(view, at, end, columns, row)) return false
    if ((columns.present[row] & packetsBit) === 0) columns.packets[row] = 1
    columns.present[row] |= packetsBit
    return true
  }

  #clearRow(row: number): void {
    for (const column of Object.values(this.batch.columns)) {
      const width = column.length / this.batch.capacity
      column.fill(0, row * width, (row + 1) * width)
    }
  }

  #field(view: DataView, at: number, length: number, { kernels, place, scratch }: VariableField, row: number): void {
    const kernel = kernels[length]
    if (kernel) kernel.copy(view, at + kernel.skip, 0, 1, this.work[place], row)
    else if (scratch) this.work[place][row] = 0
  }

  /** Where the record ends; -1 when it reaches beyond `end`. */
  #recordEnd(view: DataView, at: number, end: number, plan: Plan): number {
    for (const { length } of plan.fields) {
      const found = variableFieldAt(view, at, end, length)
      if (found < 0) return -1
      at = placeAt(found) + placeLength(found)
    }
    return at
  }

  #finish(plan: Plan, row: number, count: number, stream: Stream, context: DatagramContext): void {
    if (plan.options) stream.counters.optionRecords += count
    else if (!plan.useful) stream.counters.recordsWithoutAddress += count
    if (!plan.useful) return
    for (const step of plan.steps) step(this.work, row, count, context)
    if (plan.options) this.#learn(row, count, stream, context)
    else this.commit(count, stream, context)
  }

  /** The rows after the last are whole: `count` of them. */
  commit(count: number, stream: Stream, context: DatagramContext): void {
    const { batch } = this
    const row = batch.rows
    const { exporter, exportProtocol, samplingRate } = batch.columns
    fillRows(exporter, row, count, stream.index)
    fillRows(exportProtocol, row, count, context.exportProtocol)
    const { samplingOverride, exportedTimes } = this.#options
    if (samplingOverride > 0) fillRows(samplingRate, row, count, samplingOverride)
    if (!exportedTimes) stream.counters.timesReplaced += settleTimes(batch, row, count, context)
    stream.counters.records += count
    batch.rows = row + count
    if (batch.rows === batch.capacity) this.flush()
  }

  /** Options data: what the exporter says of its sampling and of its start. */
  #learn(row: number, count: number, stream: Stream, context: DatagramContext): void {
    for (let i = row; i < row + count; i++) {
      const bootMs = this.work[bootAt][i]
      if (bootMs > 0) stream.bootMs = context.bootMs = bootMs
      const rate = rateOfRow(this.work, i)
      if (rate === 0) continue
      const samplerId = this.work[samplerAt][i]
      if (samplerId > 0) stream.sampling.setSampler(samplerId, rate)
      else stream.sampling.setRate(rate)
    }
  }
}
