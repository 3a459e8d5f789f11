// The report of an attack's evidence.

import {
  type InterfaceEntry,
  type ListName,
  noStatistics,
  type StatisticEntry,
  type Statistics,
} from '../incidents/incident-report.ts'
import { evidence as lines } from '../lines/evidence.ts'
import { protocolsOf } from '../rates/protocol-bits.ts'
import { dimensions, type Evidence } from './evidence.ts'
import { type ExporterNumbers, exporterOfInterface, indexOfInterface } from './exporter-numbers.ts'
import type { TopItems } from './top-items.ts'

const { listed: topMax } = lines

export function statisticsOf(evidence: Evidence, exporters: ExporterNumbers): Statistics {
  const { protocol, exporter } = evidence.lists
  const protocols = protocol.heaviest(topMax).map((row) => protocol.item(row))
  const entries = (dimension: ListName) => entriesOf(evidence.lists[dimension], protocols)
  const addressOf = (number: number) => exporters.addressOf(number)
  return {
    destinationPort: entries('destinationPort'),
    sourcePort: entries('sourcePort'),
    sourceAddress: entries('sourceAddress'),
    protocol: entries('protocol').map((entry) => ({ ...entry, protocols: [entry.item] })),
    flags: entries('flags'),
    length: entries('length'),
    exporter: exporter.heaviest(topMax).map((row) => ({
      address: addressOf(exporter.item(row)),
      ...amountsOf(exporter, row),
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
    ...amountsOf(list, row),
    protocols: protocolsOf(list.protocols(row), protocols),
  }))
}

function interfacesOf(list: TopItems, addressOf: (exporter: number) => string): InterfaceEntry[] {
  return list.heaviest(topMax).map((row) => ({
    address: addressOf(exporterOfInterface(list.item(row))),
    index: indexOfInterface(list.item(row)),
    ...amountsOf(list, row),
  }))
}

/** Whole amounts. Lists hold fractions of packets and bytes because a record that began before the attack counts in part. */
function amountsOf(list: TopItems, row: number): { flows: number; packets: number; bytes: number } {
  return { flows: list.flows(row), packets: Math.round(list.packets(row)), bytes: Math.round(list.bytes(row)) }
}

/** The most flows that each list may miss of an item. */
function missedOf({ lists }: Evidence): Statistics['flowsMissedMax'] {
  const missed = { ...noStatistics.flowsMissedMax }
  for (const dimension of dimensions) missed[dimension] = lists[dimension].cut
  return missed
}
