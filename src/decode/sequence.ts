// Sequence numbers: what exporters sent and we never saw. Each protocol counts something of its own (records or datagrams).
import type { Stream } from './streams.ts'

/** A larger jump is a restart of the exporter, not a loss. */
const lostMax = 1_000_000

/** The datagram begins at `sequence` and holds `length` (-1: unknown, so the next one can't be told); 32-bit numbers that wrap. */
export function expectSequence(stream: Stream, sequence: number, length: number): void {
  const lost = (sequence - stream.nextSequence) >>> 0
  if (stream.nextSequence >= 0 && lost !== 0) {
    // What lies behind is a datagram out of order, or a restart: nothing is lost by it, and the count goes on from the newest.
    const behind = lost > 2 ** 31
    if (behind && 2 ** 32 - lost <= lostMax) return
    stream.counters.sequenceGaps++
    if (lost <= lostMax) stream.counters.sequenceLost += lost
  }
  stream.nextSequence = length < 0 ? -1 : (sequence + length) >>> 0
}
