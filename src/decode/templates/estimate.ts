// What records leave out that rates need. Packets, where a firewall's records (Cisco NSEL) have octets and events: what can be said is how many there
// were at least; a connection that was denied, or ended without an octet of payload, is how a flood looks there. And since when they count, where
// they tell of a connection that goes on.
import type { WorkName } from './scratch.ts'
import { type Work, workPlace } from './scratch.ts'

/** No Ethernet packet is longer, as a rule. */
const octetsMax = 1500

/** Values of firewallEvent (233): these two end a connection; its beginning and what comes between count by their octets. */
const deleted = 2
const denied = 3
/** It goes on: the counters are those since the last such record, the start is that of the connection. */
const updated = 5
/** Default interval of such records, milliseconds (Cisco ASA: refresh-interval). */
const updateEveryMs = 60_000

const packetsAt = workPlace('packets')
const bytesAt = workPlace('bytes')
const eventAt = workPlace('firewallEvent')
const startAt = workPlace('startMs')
const endAt = workPlace('endMs')

export type Estimate = (work: Work, row: number, count: number) => void

/** The estimate for a template that fills these columns; null when nothing is missing, or nothing can be estimated. */
export function estimateOf(columns: ReadonlySet<WorkName>): Estimate | null {
  const packets = packetsOf(columns)
  if (!columns.has('firewallEvent') || !columns.has('startMs')) return packets
  return (work, row, count) => {
    packets?.(work, row, count)
    startOfUpdate(work, row, count)
  }
}

function packetsOf(columns: ReadonlySet<WorkName>): Estimate | null {
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

const startOfUpdate: Estimate = (work, row, count) => {
  for (let i = row; i < row + count; i++) {
    if (work[eventAt][i] !== updated) continue
    work[startAt][i] = Math.max(work[startAt][i], work[endAt][i] - updateEveryMs)
  }
}
