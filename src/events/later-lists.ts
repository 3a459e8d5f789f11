// What of an attack's lists came later: the lists of now without what was in those of before. Pure.
import type {
  ExporterEntry,
  InterfaceEntry,
  ListName,
  StatisticEntry,
  Statistics,
} from '../detect/incidents/incident-report.ts'

interface Counted {
  flows: number
  packets: number
  bytes: number
}

const items: readonly ListName[] = [
  'destinationPort',
  'sourcePort',
  'sourceAddress',
  'protocol',
  'flags',
  'length',
  'sourceAs',
]

/** An item that is in one of both alone may have more or less than is said, by as much as the lists may miss. */
export function laterLists(now: Statistics, before: Statistics): Statistics {
  const flowsMissedMax = { ...now.flowsMissedMax }
  for (const name of Object.keys(flowsMissedMax) as (keyof typeof flowsMissedMax)[])
    flowsMissedMax[name] += before.flowsMissedMax[name]
  const lists = Object.fromEntries(
    items.map((name) => [name, later<StatisticEntry>(now[name], before[name], ({ item }) => String(item))]),
  ) as { [Name in ListName]: StatisticEntry[] }
  const byAddress = ({ address }: ExporterEntry) => address
  const byInterface = ({ address, index }: InterfaceEntry) => `${address} ${index}`
  const startMs = before.samples.reduce((latest, sample) => Math.max(latest, sample.startMs), 0)
  return {
    ...now,
    ...lists,
    exporter: later(now.exporter, before.exporter, byAddress),
    ingress: later(now.ingress, before.ingress, byInterface),
    egress: later(now.egress, before.egress, byInterface),
    flowsMissedMax,
    sources: {
      // Sources of before may have gone on: there are as many as are listed at least.
      distinct: Math.max(now.sources.distinct - before.sources.distinct, lists.sourceAddress.length),
      error: now.sources.error,
    },
    samples: now.samples.filter((sample) => sample.startMs > startMs),
  }
}

function later<Entry extends Counted>(now: readonly Entry[], before: readonly Entry[], keyOf: (each: Entry) => string) {
  const known = new Map(before.map((each) => [keyOf(each), each]))
  return now
    .map((each) => {
      const was = known.get(keyOf(each))
      if (was === undefined) return each
      const [flows, packets, bytes] = [each.flows - was.flows, each.packets - was.packets, each.bytes - was.bytes]
      return { ...each, flows, packets: Math.max(0, packets), bytes: Math.max(0, bytes) }
    })
    .filter(({ flows }) => flows > 0)
    .sort((a, b) => b.flows - a.flows)
}
