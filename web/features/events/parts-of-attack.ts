// What an attack consists of, in shares of the whole: vectors, ports, sources. Pure.
import type { EventListEntry, EventReport } from './queries.ts'

/** What has at least so large a part stands for the whole. */
const dominantShare = 0.6
/** Most ports that are named together. */
const namedMax = 3
/** A port with less is not named. */
const namedShare = 0.1
/** Where the first of the items has less they are all alike, and none tells anything. */
const spreadShare = 0.01
/** So few items are a list all the same. */
const spreadMin = 20

/** Which ports the packets have: few of them, or many; null: they have none, or nothing is known. */
export type Ports = { kind: 'few'; ports: readonly { port: number; share: number }[] } | { kind: 'many'; most: number }

/** By packets, of all that came. */
export function portsOf(list: EventReport['statistics']['sourcePorts'], totalPackets: number): Ports | null {
  const shares = list.entries
    .map((entry) => ({ entry, port: entry.item, share: shareOf(entry.packets, totalPackets) }))
    .toSorted((a, b) => b.share - a.share)
  const [first] = shares
  if (first === undefined || !hasPorts(first.entry)) return null
  const few: { port: number; share: number }[] = []
  let covered = 0
  for (const { port, share } of shares.slice(0, namedMax)) {
    if (share < namedShare) break
    few.push({ port, share })
    covered += share
    if (covered >= dominantShare) return { kind: 'few', ports: few }
  }
  return { kind: 'many', most: first.share }
}

/** Fragments after the first have none, and are exported with port 0. */
function hasPorts({ item, protocols }: EventListEntry): boolean {
  return item !== 0 && protocols.some((protocol) => protocol === 'TCP' || protocol === 'UDP')
}

/** Never more than the whole. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0
}

/** Vectors whose shares sum to one at most, the largest first. */
export function vectorShares({ vectors }: Pick<EventReport, 'vectors'>): EventReport['vectors'] {
  const sum = vectors.reduce((all, { share }) => all + share, 0)
  const fitting = sum <= 1 ? vectors : vectors.map((vector) => ({ ...vector, share: vector.share / sum }))
  return fitting.toSorted((a, b) => b.share - a.share)
}

/** The share of the largest item where items are many and alike; null: the list says something. */
export function spreadOf(shares: readonly number[], distinct: number): number | null {
  const most = Math.max(...shares, 0)
  return distinct >= spreadMin && shares.length > 0 && most < spreadShare ? most : null
}
