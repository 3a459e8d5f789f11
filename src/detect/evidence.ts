// Who talks to a target, how: bounded lists of top items, how many sources there are, and some records as they came. What is told of it is
// statistics.ts.
import type { RecordColumns } from '../aggregate/sealed-slot.ts'
import { DistinctCount } from './distinct-count.ts'
import { exporterOfInterface, interfaceNumber } from './exporter-numbers.ts'
import type { ListName, Statistics } from './incident-report.ts'
import type { Places } from './places.ts'
import { protocolBits } from './protocol-bits.ts'
import { SampleRecords } from './sample-records.ts'
import { TopItems } from './top-items.ts'

/**
 * The statistic lists of the interface, in its words; the mean length of a record's packets in whole octets, the autonomous system of the source as
 * exported, who exported the record, and by which interfaces its packets came in and left.
 */
export const dimensions = [
  'dstport',
  'srcport',
  'srcip',
  'proto',
  'flags',
  'length',
  'sourceAs',
  'exporter',
  'ingress',
  'egress',
] as const
export type Dimension = (typeof dimensions)[number]

const listed = ['dstport', 'srcport', 'srcip', 'proto', 'flags', 'length', 'sourceAs'] as const satisfies ListName[]

/** Most items of a list, powers of two. IP protocols and TCP flags have no more than 256 anyway. */
export type EvidenceLimits = Record<Dimension, number>

export const evidenceLimits: EvidenceLimits = {
  dstport: 65_536,
  srcport: 65_536,
  srcip: 65_536,
  proto: 256,
  flags: 256,
  length: 2_048,
  sourceAs: 8_192,
  exporter: 256,
  ingress: 1_024,
  egress: 1_024,
}

export class Evidence {
  readonly lists: Readonly<Record<Dimension, TopItems>>
  readonly samples = new SampleRecords()
  /** Null while the list of sources has all of them. */
  #sources: DistinctCount | null = null
  /** How many there were before a restart; null: the list has them. */
  #sourcesBefore: Statistics['sources'] | null = null

  constructor(limits: EvidenceLimits, places: Places) {
    const list = (dimension: Dimension, beforeDrop?: () => void) => new TopItems(limits[dimension], places, beforeDrop)
    this.lists = {
      dstport: list('dstport'),
      srcport: list('srcport'),
      srcip: list('srcip', () => this.#countSources()),
      proto: list('proto'),
      flags: list('flags'),
      length: list('length'),
      sourceAs: list('sourceAs'),
      exporter: list('exporter'),
      ingress: list('ingress'),
      egress: list('egress'),
    }
  }

  add(records: RecordColumns, row: number): void {
    const { dstport, srcport, srcip, proto, flags, length, exporter } = this.lists
    const protocol = records.ipProto[row]
    const packets = records.packets[row]
    const bytes = records.bytes[row]
    const bits = protocolBits[protocol]
    dstport.add(records.dstPort[row], 1, packets, bytes, bits)
    srcport.add(records.srcPort[row], 1, packets, bytes, bits)
    srcip.add(records.srcAddr[row], 1, packets, bytes, bits)
    this.#sources?.add(records.srcAddr[row])
    proto.add(protocol, 1, packets, bytes, bits)
    flags.add(records.tcpFlags[row], 1, packets, bytes, bits)
    if (packets > 0) length.add(Math.round(bytes / packets), 1, packets, bytes, bits)
    exporter.add(records.exporter[row], 1, packets, bytes, bits)
    this.#addOrigin(records, row, packets, bytes, bits)
    this.samples.add(records, row)
  }

  /** Where it came from, as far as the exporter said. */
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

  /** Goes on with what was told of it. `topMax`: how many items a list tells of; `numberOf`: of an exporter. */
  resume(statistics: Statistics, topMax: number, numberOf: (address: string) => number): void {
    for (const dimension of listed) {
      const entries = statistics[dimension]
      const list = this.lists[dimension]
      for (const { item, flows, packets, bytes, protocols } of entries) {
        const bits = protocols.reduce((set, protocol) => set | protocolBits[protocol], 0) >>> 0
        list.add(item, flows, packets, bytes, bits)
      }
      // A list that was told of in full is as exact as it was; of others the lighter items are lost.
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
    if (statistics.srcip.length === topMax || statistics.flowsMissedMax.srcip > 0)
      this.#sourcesBefore = statistics.sources
    const records = statistics.proto.reduce((sum, { flows }) => sum + flows, 0)
    this.samples.resume(statistics.samples, records, numberOf)
  }

  /** So many records are missing in its lists, of whatever items. */
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

  /** How many different sources there are. `error`: of an estimate, its standard deviation over what it is of; 0: counted. */
  get sources(): { distinct: number; error: number } {
    const now = this.#sourcesNow
    const before = this.#sourcesBefore
    // Who came before a restart and after it, too, is not known: no fewer than either.
    if (before === null) return now
    return {
      distinct: Math.max(before.distinct, now.distinct),
      error: Math.max(before.error, now.error, DistinctCount.error),
    }
  }

  get #sourcesNow(): { distinct: number; error: number } {
    if (this.#sources === null) return { distinct: this.lists.srcip.size, error: 0 }
    return { distinct: Math.round(this.#sources.estimate()), error: DistinctCount.error }
  }

  /** Empties the lists and gives their places back. */
  release(): void {
    for (const dimension of dimensions) this.lists[dimension].release()
  }

  /** The list tells how many there are for as long as it has them all. */
  #countSources(): void {
    if (this.#sources !== null) return
    const { srcip } = this.lists
    this.#sources = new DistinctCount()
    for (let row = 0; row < srcip.size; row++) this.#sources.add(srcip.item(row))
  }
}
