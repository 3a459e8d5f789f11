// Sequence numbers: what exporters sent and we never saw. Each protocol counts something of its own (records or datagrams).
import { noteRestart } from './restarts.ts'
import type { Stream } from './stream.ts'

/** A larger jump is a restart of the exporter, not a loss. */
const lostMax = 1_000_000

/**
 * The datagram is number `sequence` and holds `length` of what is counted (-1: unknown, so the next number is unknown), `options` of which are
 * records of options data; 32-bit numbers that wrap. By the standards a datagram has the number of its first record. Exporters exist that give
 * it the number of the first one after it, and some do not count options data.
 */
export function expectSequence(stream: Stream, sequence: number, length: number, options = 0): void {
  const step = (sequence - stream.sequence) >>> 0
  const { sequenceLength, sequenceOptions } = stream
  // Behind one of unknown length: out of order.
  if (sequenceLength < 0 && stream.counters.datagrams > 1 && 2 ** 32 - step <= lostMax) return
  const expected =
    step === sequenceLength || step === sequenceLength - sequenceOptions || step === length || step === length - options
  if (sequenceLength >= 0 && !expected) {
    const lost = (step - sequenceLength) >>> 0
    // What lies a little behind is a datagram out of order: nothing is lost by it, and the count goes on from the newest.
    if (2 ** 32 - lost <= lostMax) return
    stream.counters.sequenceGaps++
    if (lost <= lostMax) stream.counters.sequenceLost += lost
    else if (sequence <= lostMax) noteRestart(stream)
  }
  stream.sequence = sequence
  stream.sequenceLength = length
  stream.sequenceOptions = options
}
