// The evidence of an attack: bounded lists of its heaviest items, the number of its sources, and some records as they came. statistics.ts makes the report of
// it.
import type { RecordColumns } from '../../aggregate/sealed-slot.ts'
import type { ListName, Statistics } from '../incidents/incident-report.ts'
import { evidence as lines } from '../lines/evidence.ts'
import { protocolBits } from '../rates/protocol-bits.ts'
import { DistinctCount } from './distinct-count.ts'
import { exporterOfInterface, interfaceNumber } from './exporter-numbers.ts'
import type { ListMemory } from './list-memory.ts'
import { SampleRecords } from './sample-records.ts'
import { TopItems } from './top-items.ts'

/**
 * What the lists of an attack are by. `length` is the mean length of a record's packets in whole octets, `sourceAs` the autonomous system of the source as
 * exported; `ingress` and `egress` are the interfaces by which the packets came in and left.
 */
export const dimensions = [
  'destinationPort',
  'sourcePort',
  'sourceAddress',
  'protocol',
  'flags',
  'length',
  'sourceAs',
  'exporter',
  'ingress',
  'egress',
] as const
export type Dimension = (typeof dimensions)[number]

const listed = [
  'destinationPort',
  'sourcePort',
  'sourceAddress',
  'protocol',
  'flags',
  'length',
  'sourceAs',
] as const satisfies ListName[]

/** Most items of a list, powers of two. IP protocols and TCP flags have no more than 256 anyway. */
export type EvidenceLimits = Record<Dimension, number>

export const evidenceLimits: EvidenceLimits = {
  destinationPort: lines.ports,
  sourcePort: lines.ports,
  sourceAddress: lines.sources,
  protocol: lines.octets,
  flags: lines.octets,
  length: lines.lengths,
  sourceAs: lines.systems,
  exporter: lines.octets,
  ingress: lines.interfaces,
  egress: lines.interfaces,
}

export class Evidence {
  readonly lists: Readonly<Record<Dimension, TopItems>>
  readonly samples = new SampleRecords()
  /** Estimates the number of sources; null while their list has all of them. */
  #sources: DistinctCount | null = null
  /** Number of sources before a restart; null when the list has them. */
  #sourcesBefore: Statistics['sources'] | null = null

  constructor(limits: EvidenceLimits, places: ListMemory) {
    const list = (dimension: Dimension, beforeDrop?: () => void) => new TopItems(limits[dimension], places, beforeDrop)
    this.lists = {
      destinationPort: list('destinationPort'),
      sourcePort: list('sourcePort'),
      sourceAddress: list('sourceAddress', () => this.#countSources()),
      protocol: list('protocol'),
      flags: list('flags'),
      length: list('length'),
      sourceAs: list('sourceAs'),
      exporter: list('exporter'),
      ingress: list('ingress'),
      egress: list('egress'),
    }
  }

  /** Adds a record. `share` is the part of its packets and bytes that belongs to the attack, 0 to 1. */
  add(records: RecordColumns, row: number, share = 1): void {
    const { destinationPort, sourcePort, sourceAddress, protocol, flags, length, exporter } = this.lists
    const ipProto = records.ipProto[row]
    const packets = records.packets[row] * share
    const bytes = records.bytes[row] * share
    const bits = protocolBits[ipProto]
    destinationPort.add(records.dstPort[row], 1, packets, bytes, bits)
    sourcePort.add(records.srcPort[row], 1, packets, bytes, bits)
    sourceAddress.add(records.srcAddr[row], 1, packets, bytes, bits)
    this.#sources?.add(records.srcAddr[row])
    protocol.add(ipProto, 1, packets, bytes, bits)
    flags.add(records.tcpFlags[row], 1, packets, bytes, bits)
    if (packets > 0) length.add(Math.round(bytes / packets), 1, packets, bytes, bits)
    exporter.add(records.exporter[row], 1, packets, bytes, bits)
    this.#addOrigin(records, row, packets, bytes, bits)
    this.samples.add(records, row)
  }

  /** Adds where a record came from, as far as the exporter reports it. */
  #addOrigin(records: RecordColumns, row: number, packets: number, bytes: number, bits: number): void {
    const { sourceAs, ingress, egress } = this.lists
    const exporter = records.exporter[row]
    const from = records.ingressInterface[row]
    const to = records.egressInterface[row]
    const system = records.sourceAs[row]
    if (from !== 0) ingress.add(interfaceNumber(exporter, from), 1, packets, bytes, bits)
    if (to !== 0) egress.add(interfaceNumber(exporter, to), 1, packets, bytes, bits)
    if (system !== 0) sourceAs.add(system, 1, packets, bytes, bits)
  }

  /** Continues reported lists. `topMax` is how many items a report has of each; `numberOf` gives the number of an exporter. */
  resume(statistics: Statistics, topMax: number, numberOf: (address: string) => number): void {
    for (const dimension of listed) {
      const entries = statistics[dimension]
      const list = this.lists[dimension]
      for (const { item, flows, packets, bytes, protocols } of entries) {
        const bits = protocols.reduce((set, protocol) => set | protocolBits[protocol], 0) >>> 0
        list.add(item, flows, packets, bytes, bits)
      }
      // A list that was reported whole is as exact as it was; others have lost their lighter items.
      const lost = entries.length < topMax ? 0 : entries[topMax - 1].flows
      list.lost(Math.max(statistics.flowsMissedMax[dimension], lost))
    }
    for (const { address, flows, packets, bytes } of statistics.exporter) {
      this.lists.exporter.add(numberOf(address), flows, packets, bytes, 0)
    }
    this.lists.exporter.lost(statistics.flowsMissedMax.exporter)
    for (const dimension of ['ingress', 'egress'] as const) {
      const list = this.lists[dimension]
      for (const { address, index, flows, packets, bytes } of statistics[dimension]) {
        list.add(interfaceNumber(numberOf(address), index), flows, packets, bytes, 0)
      }
      list.lost(statistics.flowsMissedMax[dimension])
    }
    if (statistics.sourceAddress.length === topMax || statistics.flowsMissedMax.sourceAddress > 0)
      this.#sourcesBefore = statistics.sources
    const records = statistics.protocol.reduce((sum, { flows }) => sum + flows, 0)
    this.samples.resume(statistics.samples, records, numberOf)
  }

  /** Notes that as many records are missing in its lists, whatever their items. */
  lost(records: number): void {
    for (const dimension of dimensions) this.lists[dimension].lost(records)
  }

  /** Sets the places of the exporters that it has to 1. */
  markExporters(used: Uint8Array): void {
    const { exporter, ingress, egress } = this.lists
    for (let row = 0; row < exporter.size; row++) used[exporter.item(row)] = 1
    for (const list of [ingress, egress]) {
      for (let row = 0; row < list.size; row++) used[exporterOfInterface(list.item(row))] = 1
    }
    this.samples.markExporters(used)
  }

  /** Number of different sources. `error` is the relative standard error of an estimate; 0 when they were counted. */
  get sources(): { distinct: number; error: number } {
    const now = this.#sourcesNow
    const before = this.#sourcesBefore
    // Sources before and after a restart may be the same: there are no fewer than on either side.
    if (before === null) return now
    return {
      distinct: Math.max(before.distinct, now.distinct),
      error: Math.max(before.error, now.error, DistinctCount.error),
    }
  }

  get #sourcesNow(): { distinct: number; error: number } {
    if (this.#sources === null) return { distinct: this.lists.sourceAddress.size, error: 0 }
    return { distinct: Math.round(this.#sources.estimate()), error: DistinctCount.error }
  }

  /** Empties the lists and gives their places back. */
  release(): void {
    for (const dimension of dimensions) this.lists[dimension].release()
  }

  /** Begins to estimate, with all sources that the list has before it drops some. */
  #countSources(): void {
    if (this.#sources !== null) return
    const { sourceAddress } = this.lists
    this.#sources = new DistinctCount()
    for (let row = 0; row < sourceAddress.size; row++) this.#sources.add(sourceAddress.item(row))
  }
}
