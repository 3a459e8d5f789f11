// What is measured of names and their resolution.
import { byLabel, type HistogramRow, type Metric } from '../metrics.ts'
import type { Names } from './names.ts'

export const queryDuration: HistogramRow = {
  name: 'floodgauge_dns_query_duration_seconds',
  help: 'Time until a resolver answered.',
  buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
}

export const namesMetrics: readonly Metric<Names>[] = [
  {
    name: 'floodgauge_dns_queries_total',
    help: 'Questions to each resolver, by response code; TIMEOUT: no answer.',
    labels: ['resolver', 'rcode'],
    read: ({ resolvers }) =>
      resolvers.flatMap(({ label, queries }) =>
        Object.entries(queries).map(([rcode, value]) => ({ labels: { resolver: label, rcode }, value })),
      ),
  },
  {
    name: 'floodgauge_dns_foreign_messages_total',
    help: 'Messages that answered no question of ours: broken, or forged.',
    labels: ['resolver'],
    read: ({ resolvers }) => resolvers.map(({ label, foreign }) => ({ labels: { resolver: label }, value: foreign })),
  },
  {
    name: 'floodgauge_dns_dropped_total',
    help: 'Addresses not bound to a name: not allowed (private, or one that no host has), evicted (too many of one name), full (too many in all).',
    labels: ['reason'],
    read: ({ discarded, bindings }) =>
      byLabel('reason', { not_allowed: discarded, evicted: bindings.evicted, full: bindings.crowding().gaveWay }),
  },
  {
    name: 'floodgauge_dns_crowded_forgotten_total',
    help: 'Names without some of their addresses, as there are too many of all, of which that is not told any more: too many of these, too.',
    read: ({ bindings }) => bindings.crowdedOut.forgotten,
  },
  {
    name: 'floodgauge_dns_own_answers_total',
    help: 'Answers that sensors told within seconds of a question of the service itself, one a question and sensor: they are no observations.',
    read: ({ echoes }) => echoes,
  },
  {
    name: 'floodgauge_dns_open_questions',
    help: 'Names that resolvers are asked for now, times resolvers.',
    read: ({ openQuestions }) => openQuestions,
  },
  {
    name: 'floodgauge_dns_close_names',
    help: 'Names asked every few seconds, since they lead to an address under attack.',
    read: ({ schedule }) => schedule.close,
  },
  {
    name: 'floodgauge_dns_close_names_refused',
    help: 'Names that lead to an address under attack and are asked as seldom as any, since there are too many.',
    read: ({ schedule }) => schedule.closeRefused,
  },
  {
    name: 'floodgauge_dns_late_seconds',
    help: 'How long the name that is most overdue has waited to be asked: more than a few seconds when names.queriesPerSecond is too low.',
    read: ({ lateMs }) => lateMs / 1_000,
  },
  {
    name: 'floodgauge_dns_failing_zones',
    help: 'Zones that no resolver can answer for: one of their names is asked in place of all.',
    read: ({ schedule }) => schedule.zones.size,
  },
  {
    name: 'floodgauge_dns_names',
    help: 'Names that are kept resolved.',
    read: ({ schedule }) => schedule.size,
  },
  {
    name: 'floodgauge_dns_names_refused',
    help: 'Names that are not resolved, since there are too many.',
    read: ({ schedule }) => schedule.refused,
  },
  {
    name: 'floodgauge_dns_bindings',
    help: 'Pairs of a name and an address that are remembered.',
    read: ({ bindings }) => bindings.size,
  },
  {
    name: 'floodgauge_observed_names',
    help: 'Names at or below sites that nobody registered: observed elsewhere, or found.',
    read: ({ observed }) => observed.size,
  },
  {
    name: 'floodgauge_observed_bindings',
    help: 'Pairs of such a name and an address that are remembered.',
    read: ({ observed }) => observed.bindings.size,
  },
  {
    name: 'floodgauge_observed_dropped_total',
    help: 'Such names and addresses that were not kept: zone (given up for others of its zone), full (given up, too many in all), outweighed (a lasting name observed again, while those that are known are worth as much), addresses (addresses given up, too many of one name), chain (aliases that are a loop, or too many).',
    labels: ['reason'],
    read: ({ observed }) =>
      byLabel('reason', {
        zone: observed.evicted.zone,
        full: observed.evicted.full,
        outweighed: observed.outweighed,
        addresses: observed.bindings.evicted,
        chain: observed.broken,
      }),
  },
  {
    name: 'floodgauge_dns_stale_sites',
    help: 'Names that no resolver could answer for when last asked.',
    read: ({ schedule }) => schedule.failing,
  },
]
