// Makes the times of records safe to count by: an exporter's clock may be wrong, and a datagram may hold any value.
import type { Batch } from '../../flow/batch.ts'
import { presentBit } from '../../flow/columns.ts'
import type { DatagramContext } from '../templates/finish.ts'

/** The header's time is of whole seconds in NetFlow v9 and IPFIX, and a datagram takes a while: less than this is no wrong clock. */
export const clockToleranceMs = 5_000
/** Longest time from the end of a record to its receipt, milliseconds: exporters hold records back. */
const pastMs = 600_000
/** Longest duration of a record, milliseconds. The longest active timeout of routers is a week, but no rate follows from such a record. */
export const durationMsMax = 86_400_000

export const timeBits = presentBit('startMs') | presentBit('endMs')

/**
 * Takes the exporter's clock error out of the times, puts records that end in the future or long ago at the time of receipt, and repairs records
 * that end before they start. Gives the number of records that were moved or repaired.
 */
export function settleTimes(batch: Batch, row: number, count: number, context: DatagramContext): number {
  const { startMs, endMs, present } = batch.columns
  const { receivedMs } = context
  const latest = receivedMs + clockToleranceMs
  const earliest = receivedMs - pastMs
  const aheadMs = clockAheadMs(context)
  let replaced = 0
  for (let i = row; i < row + count; i++) {
    // Without times of its own a record has that of its receipt.
    if ((present[i] & timeBits) === 0) continue
    let start = startMs[i] - aheadMs
    let end = endMs[i] - aheadMs
    if (!(start <= end && end <= latest && end >= earliest && end - start <= durationMsMax)) {
      const duration = end - start
      if (!(end <= latest && end >= earliest)) end = receivedMs
      start = duration >= 0 && duration <= durationMsMax ? end - duration : end
      replaced++
    }
    startMs[i] = start
    endMs[i] = end
  }
  return replaced
}

/** How far the exporter's clock is ahead of ours, when that is more than it takes to send; else 0. */
export function clockAheadMs({ exportMs, receivedMs }: DatagramContext): number {
  const aheadMs = exportMs - receivedMs
  return Math.abs(aheadMs) > clockToleranceMs ? aheadMs : 0
}
