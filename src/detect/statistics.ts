// What is told of the evidence of an attack.
import { dimensions, type Evidence } from './evidence.ts'
import { type ExporterNumbers, exporterOfInterface, indexOfInterface } from './exporter-numbers.ts'
import {
  type InterfaceEntry,
  type ListName,
  noStatistics,
  type StatisticEntry,
  type Statistics,
} from './incident-report.ts'
import { protocolsOf } from './protocol-bits.ts'
import type { TopItems } from './top-items.ts'

/** Items of a list. */
export const topMax = 100

export function statisticsOf(evidence: Evidence, exporters: ExporterNumbers): Statistics {
  const { proto, exporter } = evidence.lists
  const protocols = proto.heaviest(topMax).map((row) => proto.item(row))
  const entries = (dimension: ListName) => entriesOf(evidence.lists[dimension], protocols)
  const addressOf = (number: number) => exporters.addressOf(number)
  return {
    dstport: entries('dstport'),
    srcport: entries('srcport'),
    srcip: entries('srcip'),
    proto: entries('proto').map((entry) => ({ ...entry, protocols: [entry.item] })),
    flags: entries('flags'),
    length: entries('length'),
    exporter: exporter.heaviest(topMax).map((row) => ({
      address: addressOf(exporter.item(row)),
      flows: exporter.flows(row),
      packets: exporter.packets(row),
      bytes: exporter.bytes(row),
    })),
    sourceAs: entries('sourceAs'),
    ingress: interfacesOf(evidence.lists.ingress, addressOf),
    egress: interfacesOf(evidence.lists.egress, addressOf),
    flowsMissedMax: missedOf(evidence),
    sources: evidence.sources,
    samples: evidence.samples.list(addressOf),
  }
}

function entriesOf(list: TopItems, protocols: number[]): StatisticEntry[] {
  return list.heaviest(topMax).map((row) => ({
    item: list.item(row),
    flows: list.flows(row),
    packets: list.packets(row),
    bytes: list.bytes(row),
    protocols: protocolsOf(list.protocols(row), protocols),
  }))
}

function interfacesOf(list: TopItems, addressOf: (exporter: number) => string): InterfaceEntry[] {
  return list.heaviest(topMax).map((row) => ({
    address: addressOf(exporterOfInterface(list.item(row))),
    index: indexOfInterface(list.item(row)),
    flows: list.flows(row),
    packets: list.packets(row),
    bytes: list.bytes(row),
  }))
}

/** Each has all of its items, but for those that it dropped. */
function missedOf({ lists }: Evidence): Statistics['flowsMissedMax'] {
  const missed = { ...noStatistics.flowsMissedMax }
  for (const dimension of dimensions) missed[dimension] = lists[dimension].cut
  return missed
}
