// IPFIX (RFC 7011): the message header.
import { expectSequence } from '../sequence.ts'
import type { Message, SetReader } from './set-reader.ts'
import { ipfixSets } from './sets.ts'

export const ipfixHeaderLength = 16

/** The observation domain. */
export function ipfixDomain(view: DataView): number {
  return view.getUint32(12)
}

/** The header's time, Unix milliseconds. */
export function ipfixTime(view: DataView): number {
  return view.getUint32(4) * 1000
}

// Header: version (2), length of the message (2), seconds of export (4), sequence of the first data record (4), observation domain (4).
export function decodeIpfix({ view, stream, context }: Message, reader: SetReader): void {
  const length = view.getUint16(2)
  if (length > view.byteLength) stream.counters.truncated++
  context.exportMs = ipfixTime(view)
  context.bootMs = stream.bootMs
  const records = reader.read(ipfixHeaderLength, Math.min(length, view.byteLength), ipfixSets)
  expectSequence(stream, view.getUint32(8), records, reader.optionRecords)
}
