// The sealed slot: what a collector sends to the detector up to four times a second, counters and records in columns. Two slots merge by adding, so
// the same message serves between threads and between machines. A slot describes itself: an address names the target and a key each traffic class,
// so that no table has to be shared (see slot-reader.ts).
import type { Away } from '../flow/away.ts'
import { ColumnMemory, type ColumnWidths, octetsOf } from './column-memory.ts'
import type { SlotMemory } from './slot-memory.ts'

/**
 * Version of the layout. It changes with every column that is added, removed or given another type, unit or meaning, and with the marks (marks.ts): slots
 * of another layout are refused.
 */
export const slotLayout = 1

/**
 * Counter differences: the value of (address, traffic class) at `second` rises by `packets`, `bytes`, `flows` a second from
 * `second` on. A record spread over [start, end] is two rows, one that adds at its start and one that takes away after its end,
 * so its cost does not depend on its duration. Rows are sorted by address, class, second; the differences of an (address, class)
 * sum to zero. `packets` and `bytes` are scaled by the sampling rate; `flows` are records, `observed` are packets as exported.
 *
 * All columns lie in one buffer, and may have room for more rows. Those of a folder's slots are lent: see `lentMemory`.
 */
export interface CounterColumns {
  rows: number
  /** IPv4 address of the target. */
  address: Uint32Array
  /** Traffic class: a place in `SealedSlot.classKeys`. */
  trafficClass: Uint16Array
  /** Unix time, seconds. */
  second: Uint32Array
  packets: Float64Array
  bytes: Float64Array
  flows: Float64Array
  /** Packets before scaling: what the certainty of the other counters rests on. */
  observed: Float64Array
  /** Marks of the sources of the records that begin in `second` (see marks.ts), merged by OR. */
  sources: Uint32Array
  /** Marks of their ports, likewise. */
  ports: Uint32Array
}

/** The records that the counters of the slot count, in the order of their arrival. The lists of an attack are made from them. Their memory is as that of counters. */
export interface RecordColumns {
  rows: number
  /** IPv4 address of the target. */
  address: Uint32Array
  srcAddr: Uint32Array
  srcPort: Uint16Array
  dstPort: Uint16Array
  ipProto: Uint8Array
  tcpFlags: Uint8Array
  /** Packets and bytes are scaled by the sampling rate. */
  packets: Float64Array
  bytes: Float64Array
  /** One of how many packets was sampled; 0: unknown. */
  samplingRate: Float32Array
  /** Unix time of its first packet, seconds. */
  second: Uint32Array
  /** Seconds from its first packet to its last. */
  lasted: Uint16Array
  /** The exporter: a place in `SealedSlot.exporters`. */
  exporter: Uint16Array
  /** SNMP indices of the interfaces by which the packets came in and left; 0: unknown. */
  ingressInterface: Uint32Array
  egressInterface: Uint32Array
  /** Autonomous system of the source, by the exporter's routing table; 0: unknown. */
  sourceAs: Uint32Array
}

export interface SealedSlot {
  /** See `slotLayout`. */
  layout: number
  /** The key of each traffic class (see vectors/class-keys.ts), by its number in this slot. */
  classKeys: Uint32Array
  /** Unix time at which it was sealed, milliseconds. */
  sealedMs: number
  /** When the collector was away since its slot before, so that it has not seen all of that time. */
  away?: Away
  counters: CounterColumns
  records: RecordColumns
  /** Addresses of exporters, as text. Place 0 is empty: it stands for those that found no place. */
  exporters: string[]
}

const counterWidths = { 8: 4, 4: 4, 2: 1 }
const recordWidths = { 8: 2, 4: 7, 2: 4, 1: 2 }

/** Columns for at least as many rows, in memory that is lent. */
export function lendCounterColumns(memory: SlotMemory, rows: number): CounterColumns {
  const lent = memory.lend(octetsOf(rows, counterWidths))
  return createCounterColumns(roomIn(lent, counterWidths), lent)
}

/** Likewise. */
export function lendRecordColumns(memory: SlotMemory, rows: number): RecordColumns {
  const lent = memory.lend(octetsOf(rows, recordWidths))
  return createRecordColumns(roomIn(lent, recordWidths), lent)
}

function roomIn({ byteLength }: SharedArrayBuffer, widths: ColumnWidths): number {
  return Math.floor(byteLength / octetsOf(1, widths))
}

export function createCounterColumns(rows: number, buffer?: ArrayBufferLike): CounterColumns {
  const memory = new ColumnMemory(rows, counterWidths, buffer)
  return {
    rows: 0,
    address: memory.u32(),
    trafficClass: memory.u16(),
    second: memory.u32(),
    packets: memory.f64(),
    bytes: memory.f64(),
    flows: memory.f64(),
    observed: memory.f64(),
    sources: memory.u32(),
    ports: memory.u32(),
  }
}

export function createRecordColumns(rows: number, buffer?: ArrayBufferLike): RecordColumns {
  const memory = new ColumnMemory(rows, recordWidths, buffer)
  return {
    rows: 0,
    address: memory.u32(),
    srcAddr: memory.u32(),
    srcPort: memory.u16(),
    dstPort: memory.u16(),
    ipProto: memory.u8(),
    tcpFlags: memory.u8(),
    packets: memory.f64(),
    bytes: memory.f64(),
    samplingRate: memory.f32(),
    second: memory.u32(),
    lasted: memory.u16(),
    exporter: memory.u16(),
    ingressInterface: memory.u32(),
    egressInterface: memory.u32(),
    sourceAs: memory.u32(),
  }
}

/** The memory of columns that is lent, to be given back when they are not used any more. */
export function lentMemory(...tables: readonly (CounterColumns | RecordColumns)[]): SharedArrayBuffer[] {
  return tables.flatMap(({ address: { buffer } }) => (buffer instanceof SharedArrayBuffer ? buffer : []))
}

/** Copies the rows to columns that have room for them. */
export function copyCounters(from: CounterColumns, to: CounterColumns): CounterColumns {
  to.rows = from.rows
  to.address.set(from.address.subarray(0, from.rows))
  to.trafficClass.set(from.trafficClass.subarray(0, from.rows))
  to.second.set(from.second.subarray(0, from.rows))
  to.packets.set(from.packets.subarray(0, from.rows))
  to.bytes.set(from.bytes.subarray(0, from.rows))
  to.flows.set(from.flows.subarray(0, from.rows))
  to.observed.set(from.observed.subarray(0, from.rows))
  to.sources.set(from.sources.subarray(0, from.rows))
  to.ports.set(from.ports.subarray(0, from.rows))
  return to
}

/** Likewise. */
export function copyRecords(from: RecordColumns, to: RecordColumns): RecordColumns {
  to.rows = from.rows
  to.address.set(from.address.subarray(0, from.rows))
  to.srcAddr.set(from.srcAddr.subarray(0, from.rows))
  to.srcPort.set(from.srcPort.subarray(0, from.rows))
  to.dstPort.set(from.dstPort.subarray(0, from.rows))
  to.ipProto.set(from.ipProto.subarray(0, from.rows))
  to.tcpFlags.set(from.tcpFlags.subarray(0, from.rows))
  to.packets.set(from.packets.subarray(0, from.rows))
  to.bytes.set(from.bytes.subarray(0, from.rows))
  to.samplingRate.set(from.samplingRate.subarray(0, from.rows))
  to.second.set(from.second.subarray(0, from.rows))
  to.lasted.set(from.lasted.subarray(0, from.rows))
  to.exporter.set(from.exporter.subarray(0, from.rows))
  to.ingressInterface.set(from.ingressInterface.subarray(0, from.rows))
  to.egressInterface.set(from.egressInterface.subarray(0, from.rows))
  to.sourceAs.set(from.sourceAs.subarray(0, from.rows))
  return to
}
