// Turns data sets into rows: field by field, or record by record when lengths vary, then the finishing steps. Owns the batch and hands it on when it
// is full.
import { type Batch, clearBatch, createBatch, fillRows } from '../../flow/batch.ts'
import { packetsBit } from '../../flow/columns.ts'
import { ipInEthernet } from '../formats/link-layer.ts'
import { PacketReader, type TunnelSide } from '../formats/packet-header.ts'
import { placeAt, placeLength, variableFieldAt } from '../formats/sets.ts'
import { learnSampling } from '../sampling/sampling-steps.ts'
import type { Stream } from '../stream.ts'
import { settleTimes } from '../times/times.ts'
import { Directions } from './directions.ts'
import type { DatagramContext } from './finish.ts'
import type { FixedCopy, Run, VaryingField } from './layout.ts'
import { createWork, type Work, workPlace } from './scratch.ts'
import type { Plan, SectionField } from './template.ts'
import { variableLength } from './template-fields.ts'
import { FlowTotals } from './totals.ts'

const presentAt = workPlace('present')
const bootAt = workPlace('bootMs')

/** Flows whose totals are remembered: 2.3 MB. */
const totalsMax = 1 << 16

/**
 * Moves the records whose IPv4 destination is needed to the front and gives their number. There are `count` records, which begin at `starts` and have their
 * destination at `offset`.
 */
export type ChooseDestinations = (from: DataView, offset: number, starts: Uint32Array, count: number) => number

export interface RowWriterOptions {
  sink: (batch: Batch) => void
  capacity: number
  /** Leave times and counters as they were exported, however odd. */
  exportedTimes: boolean
  /** Records of two directions give a row for each. */
  wayBack: boolean
  /** Destinations that are needed; null: all. Records for others are only counted where that is cheaper. */
  choose: ChooseDestinations | null
  /** Which packet counts among sampled ones that carry another. */
  tunnels: TunnelSide
}

export class RowWriter {
  readonly work: Work
  readonly batch: Batch
  /** Reads sampled packets into rows of the batch. */
  readonly packets: PacketReader
  readonly #options: RowWriterOptions
  /** Where the records at hand begin. */
  readonly #starts: Uint32Array
  /** Where one of them begins, if it is read by itself. */
  readonly #single = new Uint32Array(1)
  /** Made when a template first needs it: few do. */
  #totals: FlowTotals | null = null
  /** Whether the rows at hand are for nobody. */
  #isLeftOut = false

  constructor(options: RowWriterOptions) {
    this.#options = options
    this.batch = createBatch(options.capacity)
    this.work = createWork(this.batch)
    this.#starts = new Uint32Array(options.capacity)
    this.packets = new PacketReader(this.batch.columns, options.tunnels)
  }

  /** Hands what there is to the sink. */
  flush(): void {
    if (this.batch.rows === 0) return
    try {
      if (!this.#isLeftOut) this.#options.sink(this.batch)
    } finally {
      clearBatch(this.batch)
    }
  }

  /** From here on rows are for nobody, until they are again. */
  leaveOut(isLeftOut: boolean): void {
    this.flush()
    this.#isLeftOut = isLeftOut
  }

  /** Drops unfinished rows, and those that are for nobody: after a failure, so that the sink is not called. */
  discard(): void {
    const { rows, capacity } = this.batch
    for (const column of Object.values(this.batch.columns)) column.fill(0, rows * (column.length / capacity))
    if (this.#isLeftOut) clearBatch(this.batch)
    this.#isLeftOut = false
  }

  /** Reads the records of a data set. */
  data(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    if (plan.stride > 0) this.#fixed(view, at, end, plan, stream, context)
    else this.#variable(view, at, end, plan, stream, context)
  }

  #fixed(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    const { stride, runs } = plan
    const starts = this.#starts
    let left = Math.floor((end - at) / stride)
    while (left > 0) {
      const row = this.batch.rows
      const found = Math.min(left, this.batch.capacity - row)
      for (let i = 0; i < found; i++) starts[i] = at + i * stride
      const count = this.#choose(view, found, plan, stream)
      if (count > 0) {
        this.#copies(view, runs[0].copies, starts, count, row)
        if (plan.useful && !plan.options) fillRows(this.work[presentAt], row, count, plan.present)
        this.#finish(plan, row, count, stream, context)
      }
      const next = at + found * stride
      if (plan.reverse !== null && this.#options.wayBack) {
        for (; at < next; at += stride) this.#wayBack(view, at, next, plan.reverse, stream, context)
      }
      at = next
      left -= found
    }
  }

  /** Leaves those of the records at hand that are to be read; the others are counted. */
  #choose(view: DataView, found: number, { destinationAt }: Plan, stream: Stream): number {
    const { choose } = this.#options
    if (choose === null || destinationAt < 0 || stream.links !== null || stream.isReadWhole) return found
    const count = choose(view, destinationAt, this.#starts, found)
    stream.counters.records += found - count
    stream.counters.recordsPassed += found - count
    return count
  }

  /** Whether a sampled packet, whose IPv4 destination is at `at`, is only counted. */
  passes(view: DataView, at: number, stream: Stream): boolean {
    const { choose, tunnels } = this.#options
    if (choose === null || tunnels === 'inner' || stream.isReadWhole) return false
    this.#single[0] = at
    if (choose(view, 0, this.#single, 1) > 0) return false
    stream.counters.records++
    stream.counters.recordsPassed++
    return true
  }

  #variable(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    // What is left when no record fits is padding.
    while (at + plan.lengthMin <= end) {
      const from = at
      const row = this.batch.rows
      const rowsMax = plan.useful ? this.batch.capacity - row : Number.POSITIVE_INFINITY
      let count = 0
      let next = at
      while (count < rowsMax && at + plan.lengthMin <= end) {
        next = recordEnd(view, at, end, plan.runs)
        if (next < 0) break
        if (!plan.useful || this.#record(view, at, next, plan, row + count)) count++
        else stream.counters.samplesSkipped++
        at = next
      }
      if (count > 0) this.#finish(plan, row, count, stream, context)
      if (plan.reverse !== null && this.#options.wayBack) {
        for (let back = from; back < at; back = recordEnd(view, back, end, plan.runs)) {
          this.#wayBack(view, back, end, plan.reverse, stream, context)
        }
      }
      if (next < 0) {
        stream.counters.truncated++
        return
      }
    }
  }

  /** Reads the record from `at` to `end` into a row. False, with an empty row, when its packet is not IP. */
  #record(view: DataView, at: number, end: number, plan: Plan, row: number): boolean {
    this.#runs(view, at, end, plan.runs, row)
    if (!plan.options) this.work[presentAt][row] = plan.present
    if (plan.section === null || this.#section(view, at, end, plan.runs, plan.section, row)) return true
    this.#clearRow(row)
    return false
  }

  /** Copies the fields of the record at `at`, which ends before `end`. */
  #runs(view: DataView, at: number, end: number, runs: readonly Run[], row: number): void {
    for (let i = 0; i < runs.length; i++) {
      const { length, copies, varies } = runs[i]
      this.#single[0] = at
      this.#copies(view, copies, this.#single, 1, row)
      at += length
      if (varies === null) continue
      const found = variableFieldAt(view, at, end, variableLength)
      if (varies.place >= 0) this.#varying(view, found, varies, row)
      at = placeAt(found) + placeLength(found)
    }
  }

  #copies(view: DataView, copies: readonly FixedCopy[], starts: Uint32Array, count: number, row: number): void {
    for (let i = 0; i < copies.length; i++) {
      const { copy, offset, place } = copies[i]
      copy(view, offset, starts, count, this.work[place], row)
    }
  }

  /** The way back of a record of two directions is a row of its own, unless nothing came that way. */
  #wayBack(view: DataView, at: number, end: number, plan: Plan, stream: Stream, context: DatagramContext): void {
    const { rows: row, columns } = this.batch
    this.#runs(view, at, end, plan.runs, row)
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
  #section(
    view: DataView,
    at: number,
    recordsEnd: number,
    runs: readonly Run[],
    { run, offset, length, from }: SectionField,
    row: number,
  ): boolean {
    const { columns } = this.batch
    const found = variableFieldAt(view, recordEnd(view, at, recordsEnd, runs, run) + offset, recordsEnd, length)
    const sectionAt = placeAt(found)
    const end = sectionAt + placeLength(found)
    const ipAt = from === 'ethernet' ? ipInEthernet(view, sectionAt, end) : sectionAt
    if (!this.packets.read(view, ipAt, end, row)) return false
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

  /** `found`: see `variableFieldAt`. */
  #varying(view: DataView, found: number, { kernels, place, scratch }: VaryingField, row: number): void {
    const kernel = kernels[placeLength(found)]
    if (kernel) {
      this.#single[0] = placeAt(found)
      kernel.copy(view, kernel.skip, this.#single, 1, this.work[place], row)
    } else if (scratch) this.work[place][row] = 0
  }

  #finish(plan: Plan, row: number, count: number, stream: Stream, context: DatagramContext): void {
    if (plan.options) stream.counters.optionRecords += count
    else if (!plan.useful) stream.counters.recordsWithoutAddress += count
    if (!plan.useful) return
    for (let i = 0; i < plan.steps.length; i++) plan.steps[i](this.work, row, count, context)
    if (plan.options) {
      this.#learn(row, count, stream, context)
      return
    }
    this.#settleCounters(plan, count, stream)
    if (plan.tellsDirection) stream.directions ??= new Directions()
    this.commit(count, plan.ipVersion, stream, context)
  }

  /** Finishes `count` rows after the last one, all of one IP version, or of their own when it is 0. */
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
    if (stream.directions !== null) {
      stream.counters.egressAgain += stream.directions.mark(batch, row, count, context.receivedMs)
    }
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

  /** Learns the exporter's sampling and its start from options data. */
  #learn(row: number, count: number, stream: Stream, context: DatagramContext): void {
    for (let i = row; i < row + count; i++) {
      const bootMs = this.work[bootAt][i]
      if (bootMs > 0) stream.bootMs = context.bootMs = bootMs
      learnSampling(this.work, i, context)
    }
    // Options data fill this column of a flow as well. Their row is dropped, and the next one may have no interface.
    fillRows(this.batch.columns.ingressInterface, row, count, 0)
  }
}

/** End of the first runs of a record; -1 when it is beyond `end`. */
function recordEnd(view: DataView, at: number, end: number, runs: readonly Run[], count = runs.length): number {
  for (let i = 0; i < count; i++) {
    at += runs[i].length
    if (runs[i].varies === null) continue
    const found = variableFieldAt(view, at, end, variableLength)
    if (found < 0) return -1
    at = placeAt(found) + placeLength(found)
  }
  return at <= end ? at : -1
}
