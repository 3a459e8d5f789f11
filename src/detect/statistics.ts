// What is told of the evidence of an attack.
import { type Dimension, dimensions, type Evidence } from './evidence.ts'
import type { ExporterNumbers } from './exporter-numbers.ts'
import type { StatisticEntry, Statistics } from './incident-report.ts'
import { protocolsOf } from './protocol-bits.ts'
import type { TopItems } from './top-items.ts'

/** Items of a list. */
export const topMax = 100

export function statisticsOf(evidence: Evidence, exporters: ExporterNumbers): Statistics {
  const { proto, exporter } = evidence.lists
  const protocols = proto.heaviest(topMax).map((row) => proto.item(row))
  const entries = (dimension: Dimension) => entriesOf(evidence.lists[dimension], protocols)
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

/** Each has all of its items, but for those that it dropped. */
function missedOf({ lists }: Evidence): Statistics['flowsMissedMax'] {
  const missed = { dstport: 0, srcport: 0, srcip: 0, proto: 0, flags: 0, length: 0, exporter: 0 }
  for (const dimension of dimensions) missed[dimension] = lists[dimension].cut
  return missed
}
