// Flow records as a test writes them, put into a batch as a decoder would.
import { type Batch, clearBatch, createBatch, fillRows } from '../../src/flow/batch.ts'
import { presentBit } from '../../src/flow/columns.ts'
import { parseIpv4 } from '../../src/net/ipv4.ts'

/** Columns that a row has a number for. */
const columnNames = [
  'srcAddr',
  'dstAddr',
  'srcPort',
  'dstPort',
  'ipProto',
  'fragment',
  'packets',
  'bytes',
  'startMs',
  'endMs',
  'samplingRate',
  'ipVersion',
  'exporter',
  'ingressInterface',
  'egressInterface',
  'sourceAs',
  'direction',
] as const

export interface FlowRow {
  srcAddr: number
  dstAddr: number
  srcPort: number
  dstPort: number
  ipProto: number
  /** Undefined: the exporter sent none. */
  tcpFlags: number | undefined
  fragment: number
  packets: number
  bytes: number
  startMs: number
  endMs: number
  samplingRate: number
  ipVersion: number
  exporter: number
  ingressInterface: number
  egressInterface: number
  sourceAs: number
  /** See `directions`. */
  direction: number
}

const usual: FlowRow = {
  srcAddr: 0x0a000001,
  dstAddr: 0,
  srcPort: 40_000,
  dstPort: 443,
  ipProto: 6,
  tcpFlags: 0x1b,
  fragment: 0,
  packets: 1,
  bytes: 100,
  startMs: 0,
  endMs: 0,
  samplingRate: 1,
  ipVersion: 4,
  exporter: 0,
  ingressInterface: 0,
  egressInterface: 0,
  sourceAs: 0,
  direction: 0,
}

export function address(text: string): number {
  const parsed = parseIpv4(text)
  if (parsed === null) throw new Error(`${text} is no address`)
  return parsed
}

/** Fills the batch, or one of its own, with the rows. */
export function batchOf(rows: Partial<FlowRow>[], batch: Batch = createBatch(Math.max(1, rows.length))): Batch {
  clearBatch(batch)
  for (const row of rows) appendRows(batch, row, 1)
  return batch
}

const portBits = presentBit('srcPort') | presentBit('dstPort')

/** Adds the row to a batch that has room for it, `count` times. */
export function appendRows(batch: Batch, row: Partial<FlowRow>, count: number): void {
  const { columns, rows: from } = batch
  for (const name of columnNames) fillRows(columns[name], from, count, row[name] ?? usual[name])
  const tcpFlags = Object.hasOwn(row, 'tcpFlags') ? row.tcpFlags : usual.tcpFlags
  const flagsBit = tcpFlags === undefined ? 0 : presentBit('tcpFlags')
  fillRows(columns.present, from, count, portBits | flagsBit)
  if (tcpFlags !== undefined) fillRows(columns.tcpFlags, from, count, tcpFlags)
  batch.rows += count
}
