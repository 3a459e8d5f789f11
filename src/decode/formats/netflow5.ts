// NetFlow v5: a header, and records of one fixed layout. The layout is a template that never changes, so the plans of NetFlow v9 and IPFIX serve.

import { noteUptime } from '../restarts.ts'
import { expectSequence } from '../sequence.ts'
import { elementKey } from '../templates/elements.ts'
import type { RowWriter } from '../templates/row-writer.ts'
import { compileTemplate } from '../templates/template.ts'
import type { Message } from './set-reader.ts'

export const netflow5HeaderLength = 24
export const netflow5RecordLength = 48

/** Element and octets of each field; 0: no element of ours. */
const record: readonly [id: number, octets: number][] = [
  [8, 4], // source address
  [12, 4], // destination address
  [0, 4], // next hop
  [10, 2], // input interface
  [14, 2], // output interface
  [2, 4], // packets
  [1, 4], // octets
  [22, 4], // uptime at the first packet
  [21, 4], // uptime at the last packet
  [7, 2], // source port
  [11, 2], // destination port
  [0, 1],
  [6, 1], // TCP flags
  [4, 1], // protocol
  [0, 1], // type of service
  [16, 2], // source AS
  [0, 2], // destination AS
  [0, 4], // masks, padding
]

const plan = compileTemplate({
  keys: record.map(([id]) => (id === 0 ? -1 : elementKey(0, id))),
  lengths: record.map(([, octets]) => octets),
  options: false,
})

/** Engine type and engine id. */
export function netflow5Domain(view: DataView): number {
  return view.getUint16(20)
}

/** The header's time, Unix milliseconds. */
export function netflow5Time(view: DataView): number {
  const nanoseconds = view.getUint32(12)
  return view.getUint32(8) * 1000 + (nanoseconds < 1e9 ? nanoseconds / 1e6 : 0)
}

// Header: version (2), count (2), uptime in ms (4), seconds (4), nanoseconds (4), sequence of the first record (4), engine type (1) and id (1),
// sampling mode (2 bits) and interval (14 bits).
export function decodeNetflow5({ view, stream, context }: Message, rows: RowWriter): void {
  const count = view.getUint16(2)
  context.uptimeMs = view.getUint32(4)
  context.exportMs = netflow5Time(view)
  stream.sampling.setHeaderRate(view.getUint16(22) & 0x3fff)
  noteUptime(stream, context)
  expectSequence(stream, view.getUint32(16), count)

  const end = Math.min(netflow5HeaderLength + count * netflow5RecordLength, view.byteLength)
  if (end < netflow5HeaderLength + count * netflow5RecordLength) stream.counters.truncated++
  rows.data(view, netflow5HeaderLength, end, plan, stream, context)
}
