// NetFlow v9 (RFC 3954): the header; its sets are read as those of IPFIX are.
import { expectSequence } from '../sequence.ts'
import type { Message, SetReader } from './set-reader.ts'
import { netflow9Sets } from './sets.ts'

export const netflow9HeaderLength = 20

/** The source id. */
export function netflow9Domain(view: DataView): number {
  return view.getUint32(16)
}

/** The header's time, Unix milliseconds. */
export function netflow9Time(view: DataView): number {
  return view.getUint32(8) * 1000
}

// Header: version (2), count of records (2), uptime in ms (4), seconds (4), sequence of the datagram (4), source id (4).
export function decodeNetflow9({ view, stream, context }: Message, reader: SetReader): void {
  context.uptimeMs = view.getUint32(4)
  context.exportMs = netflow9Time(view)
  expectSequence(stream, view.getUint32(12), 1)
  reader.noteUptime()
  reader.read(netflow9HeaderLength, view.byteLength, netflow9Sets)
}
