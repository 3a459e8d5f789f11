// Who talks to a target, how: one bounded list of top items for each statistic of the interface.
import type { RecordColumns } from '../aggregate/sealed-slot.ts'
import { protocolBits } from './protocol-bits.ts'
import { type Places, TopItems } from './top-items.ts'

/** The statistic lists of the interface, in its words. */
export const dimensions = ['dstport', 'srcport', 'srcip', 'proto', 'flags'] as const
export type Dimension = (typeof dimensions)[number]

/** Most items of a list, powers of two. IP protocols and TCP flags have no more than 256 anyway. */
export type EvidenceLimits = Record<Dimension, number>

export class Evidence {
  readonly lists: readonly TopItems[]

  constructor(limits: EvidenceLimits, places: Places) {
    this.lists = dimensions.map((dimension) => new TopItems(limits[dimension], places))
  }

  add({ srcAddr, srcPort, dstPort, ipProto, tcpFlags, packets, bytes }: RecordColumns, row: number): void {
    const [dstports, srcports, sources, protocols, flags] = this.lists
    const bits = protocolBits[ipProto[row]]
    dstports.add(dstPort[row], 1, packets[row], bytes[row], bits)
    srcports.add(srcPort[row], 1, packets[row], bytes[row], bits)
    sources.add(srcAddr[row], 1, packets[row], bytes[row], bits)
    protocols.add(ipProto[row], 1, packets[row], bytes[row], bits)
    flags.add(tcpFlags[row], 1, packets[row], bytes[row], bits)
  }

  /** Empties the lists and gives their places back. */
  release(): void {
    for (const list of this.lists) list.release()
  }
}
