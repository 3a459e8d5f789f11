// Which datagrams are read whole, though most of their records are for nobody: the health of their exporter rests on these.
import type { Stream } from './stream.ts'

/** The first of as many datagrams of a stream is read whole. */
const oneIn = 32
/** The least time between two of a stream, milliseconds: of a busy exporter these are records enough. */
const everyMs = 10

type Reading = Pick<Stream, 'isReadWhole' | 'readWholeMs'> & { counters: Pick<Stream['counters'], 'datagrams'> }

/** Settles it for the datagram that has just been counted. */
export function settleWholeRead(stream: Reading, receivedMs: number): void {
  const isTurn = stream.counters.datagrams % oneIn === 1
  // The clock may have been set back since.
  stream.isReadWhole = isTurn && Math.abs(receivedMs - stream.readWholeMs) >= everyMs
  if (stream.isReadWhole) stream.readWholeMs = receivedMs
}
