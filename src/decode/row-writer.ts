// Turns data sets into rows: strided copies, or record by record when lengths vary, then the finishing steps. Owns the batch and hands it on when it
// is full.
import { type Batch, clearBatch, createBatch, fillRows } from '../flow/batch.ts'
import { presentBit } from '../flow/columns.ts'
import type { DatagramContext } from './finish.ts'
import { ipInEthernet } from './link-layer.ts'
import { PacketReader, type TunnelSide } from './packet-header.ts'
import { learnSampling } from './sampling-steps.ts'
import { createWork, type Work, workPlace } from './scratch.ts'
import { placeAt, placeLength, variableFieldAt } from './sets.ts'
import type { Stream } from './streams.ts'
import type { Plan, SectionField, VariableField } from './template.ts'
import { settleTimes } from './times.ts'
import { FlowTotals } from './totals.ts'

const packetsBit = presentBit('packets')
const presentAt = workPlace('present')
const bootAt = workPlace('bootMs')

/** Flows whose totals are remembered: 2.3 MB. */
const totalsMax = 1 << 16

export interface RowWriterOptions {
  sink: (batch: Batch) => void
  capacity: number
  /** Leave times and counters as they were exported, however odd. */
  exportedTimes: boolean
  /** Records of two directions give a row for each. */
  wayBack: boolean
  /** Of sampled packets that carry another. */
  tunnels: TunnelSide
}

export class RowWriter {
  readonly work: Work
  readonly batch: Batch
  /** Reads sampled packets into rows of the batch. */
  readonly packets: PacketReader
  readonly #options: RowWriterOptions
  /** Made when a template first needs it: few do. */
  #totals: FlowTotals | null = null

  constructor(options: RowWriterOptions) {
    this.#options = options
    this.batch = createBatch(options.capacity)
    this.work = createWork(this.batch)
    this.packets = new PacketReader(this.batch.columns, options.tunnels)
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
      const next = at + count * stride
      if (plan.reverse !== null && this.#options.wayBack) {
        for (; at < next; at += stride) this.#wayBack(view, at, next, plan.reverse, stream, context)
      }
      at = next
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
      const section = this.#fields(view, at, end, plan, row)
      if (plan.useful && !plan.options) this.work[presentAt][row] = plan.present
      if (plan.section === null || this.#section(view, section, plan.section, row)) {
        this.#finish(plan, row, 1, stream, context)
      } else {
        stream.counters.samplesSkipped++
        this.#clearRow(row)
      }
      if (plan.reverse !== null && this.#options.wayBack) {
        this.#wayBack(view, at, end, plan.reverse, stream, context)
      }
      at = next
    }
  }

  /** Copies the fields of the record at `at`, which ends before `end`. Gives the place of its section, if its plan has one. */
  #fields(view: DataView, at: number, end: number, plan: Plan, row: number): number {
    let section = 0
    for (let i = 0; i < plan.fields.length; i++) {
      const field = plan.fields[i]
      const found = variableFieldAt(view, at, end, field.length)
      const length = placeLength(found)
      at = placeAt(found)
      if (field.place >= 0) this.#field(view, at, length, field, row)
      if (i === plan.section?.field) section = found
      at += length
    }
    return section
  }

  /** The way back of a record of two directions is a row of its own, unless nothing came that way. */
  #wayBack(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    const { rows: row, columns } = this.batch
    if (plan.stride === 0) this.#fields(view, at, end, plan, row)
    else
      for (const { copy, offset, place } of plan.copies) copy(view, at + offset, plan.stride, 1, this.work[place], row)
    if (columns.packets[row] === 0 && columns.bytes[row] === 0) {
      this.#clearRow(row)
      return
    }
    columns.present[row] = plan.present
    for (const step of plan.steps) step(this.work, row, 1, context)
    this.#settleCounters(plan, 1, stream)
    stream.counters.reverseRecords++
    this.#append(1, stream, context)
  }

  /** The row of a sampled packet, from its first octets. */
  #section(view: DataView, place: number, { from }: SectionField, row: number): boolean {
    const { columns } = this.batch
    const at = placeAt(place)
    const end = at + placeLength(place)
    if (!this.packets.read(view, from === 'ethernet' ? ipInEthernet(view, at, end) : at, end, row)) return false
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
    if (plan.options) {
      this.#learn(row, count, stream, context)
      return
    }
    this.#settleCounters(plan, count, stream)
    this.commit(count, plan.ipVersion, stream, context)
  }

  /** The rows after the last are whole: `count` of them, all of one IP version, or 0: each says. */
  commit(count: number, ipVersion: number, stream: Stream, context: DatagramContext): void {
    stream.counters.records += count
    if (ipVersion === 6) stream.counters.records6 += count
    else if (ipVersion === 0) stream.counters.records6 += this.#count6(count)
    this.#append(count, stream, context)
  }

  /** Makes the counters of the next rows safe to count by, as `settleTimes` does their times. */
  #settleCounters({ totals, estimate }: Plan, count: number, stream: Stream): void {
    if (this.#options.exportedTimes) return
    const row = this.batch.rows
    if (totals !== null) {
      this.#totals ??= new FlowTotals(totalsMax)
      stream.counters.totalsContinued += this.#totals.settle(this.batch, row, count, stream.index, totals)
    }
    if (estimate !== null) estimate(this.work, row, count)
  }

  #count6(count: number): number {
    const { rows, columns } = this.batch
    let found = 0
    for (let i = rows; i < rows + count; i++) if (columns.ipVersion[i] === 6) found++
    return found
  }

  #append(count: number, stream: Stream, context: DatagramContext): void {
    const { batch } = this
    const row = batch.rows
    const { exporter, exportProtocol, samplingRate } = batch.columns
    fillRows(exporter, row, count, stream.index)
    fillRows(exportProtocol, row, count, context.exportProtocol)
    const { override } = stream.sampling
    if (override > 0) fillRows(samplingRate, row, count, override)
    if (!this.#options.exportedTimes) stream.counters.timesReplaced += settleTimes(batch, row, count, context)
    if (stream.links !== null) {
      stream.links.weigh(batch.columns, row, count, context.receivedMs)
      stream.sampling.measuredDoubt = stream.links.isAbove ? 'aboveLinks' : null
    }
    batch.rows = row + count
    if (batch.rows === batch.capacity) this.flush()
  }

  /** Options data: what the exporter says of its sampling and of its start. */
  #learn(row: number, count: number, stream: Stream, context: DatagramContext): void {
    for (let i = row; i < row + count; i++) {
      const bootMs = this.work[bootAt][i]
      if (bootMs > 0) stream.bootMs = context.bootMs = bootMs
      learnSampling(this.work, i, context)
    }
  }
}
