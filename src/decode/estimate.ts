// Packets of records that do not count them: a firewall's records (Cisco NSEL) have octets and events. What can be said is how many there were at
// least; a connection that was denied, or ended without an octet of payload, is how a flood looks there.
import type { WorkName } from './scratch.ts'
import { type Work, workPlace } from './scratch.ts'

/** No Ethernet packet is longer, as a rule. */
const octetsMax = 1500

/** Values of firewallEvent (233): these two end a connection; its beginning and what comes between count by their octets. */
const deleted = 2
const denied = 3

const packetsAt = workPlace('packets')
const bytesAt = workPlace('bytes')
const eventAt = workPlace('firewallEvent')

export type Estimate = (work: Work, row: number, count: number) => void

/** For a template that fills these columns; null: it counts packets, or nothing is known of any. */
export function estimateOf(columns: ReadonlySet<WorkName>): Estimate | null {
  if (columns.has('packets')) return null
  if (columns.has('firewallEvent')) return fromEvent
  return columns.has('bytes') ? fromBytes : null
}

const fromBytes: Estimate = (work, row, count) => {
  for (let i = row; i < row + count; i++) work[packetsAt][i] = Math.ceil(work[bytesAt][i] / octetsMax)
}

const fromEvent: Estimate = (work, row, count) => {
  for (let i = row; i < row + count; i++) {
    const event = work[eventAt][i]
    const least = event === deleted || event === denied ? 1 : 0
    work[packetsAt][i] = Math.max(least, Math.ceil(work[bytesAt][i] / octetsMax))
  }
}
