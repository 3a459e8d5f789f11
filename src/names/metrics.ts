// What is measured of names and their resolution.
import type { Histogram } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { MetricRow, Metrics } from '../metrics.ts'
import type { Names } from './names.ts'

export const namesMetrics = {
  queries: {
    name: 'floodgauge_dns_queries_total',
    help: 'Questions to each resolver, by response code; TIMEOUT: no answer.',
    labels: ['resolver', 'rcode'],
  },
  duration: { name: 'floodgauge_dns_query_duration_seconds', help: 'Time until a resolver answered.' },
  foreign: {
    name: 'floodgauge_dns_foreign_messages_total',
    help: 'Messages that answered no question of ours: broken, or forged.',
    labels: ['resolver'],
  },
  dropped: {
    name: 'floodgauge_dns_dropped_total',
    help: 'Addresses not bound to a name: not allowed (private or none of a host), evicted (too many of one name), full (too many in all).',
    labels: ['reason'],
  },
  close: {
    name: 'floodgauge_dns_close_names',
    help: 'Names asked every few seconds, since they lead to an address under attack.',
  },
  closeRefused: {
    name: 'floodgauge_dns_close_names_refused',
    help: 'Names that lead to an address under attack and are asked as seldom as any, since there are too many.',
  },
  late: {
    name: 'floodgauge_dns_late_seconds',
    help: 'How long the name that is most overdue has waited to be asked: more than a few seconds when names.queriesPerSecond is too low.',
  },
  zones: {
    name: 'floodgauge_dns_failing_zones',
    help: 'Zones that no resolver can answer for: one of their names is asked in place of all.',
  },
  names: { name: 'floodgauge_dns_names', help: 'Names that are kept resolved.' },
  namesRefused: {
    name: 'floodgauge_dns_names_refused',
    help: 'Names that are not resolved, since there are too many.',
  },
  bindings: { name: 'floodgauge_dns_bindings', help: 'Pairs of a name and an address that are remembered.' },
  observed: {
    name: 'floodgauge_observed_names',
    help: 'Names at or below sites that nobody registered: told of by others, or found.',
  },
  observedBindings: {
    name: 'floodgauge_observed_bindings',
    help: 'Pairs of such a name and an address that are remembered.',
  },
  observedDropped: {
    name: 'floodgauge_observed_dropped_total',
    help: 'Of such names: zone (given up for others of its zone), full (given up, too many in all), outweighed (told again of one that lasts, but those that are known are worth as much), addresses (addresses given up, too many of one name), chain (aliases that are a loop, or too many).',
    labels: ['reason'],
  },
  stale: { name: 'floodgauge_dns_stale_sites', help: 'Names that no resolver could answer for when last asked.' },
} as const satisfies Record<string, MetricRow>

/** Made before the `Names` whose `onQueryDuration` observes it. */
export function createQueryHistogram(metrics: Metrics): Histogram {
  return metrics.histogram(namesMetrics.duration, [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5])
}

export function registerNamesMetrics(metrics: Metrics, names: Names, clock: Clock): void {
  const { queries, foreign, dropped, close, closeRefused, late, zones, namesRefused, bindings, stale } = namesMetrics
  const { observed, observedBindings, observedDropped } = namesMetrics
  const single = (value: number) => [{ labels: {}, value }]
  metrics.counterFrom(queries, () =>
    names.resolvers.flatMap(({ label, queries }) =>
      Object.entries(queries).map(([rcode, value]) => ({ labels: { resolver: label, rcode }, value })),
    ),
  )
  metrics.counterFrom(foreign, () =>
    names.resolvers.map(({ label, foreign }) => ({ labels: { resolver: label }, value: foreign })),
  )
  metrics.counterFrom(dropped, () => [
    { labels: { reason: 'not_allowed' }, value: names.discarded },
    { labels: { reason: 'evicted' }, value: names.bindings.evicted },
    { labels: { reason: 'full' }, value: names.bindings.refused },
  ])
  metrics.gaugeFrom(namesMetrics.names, () => single(names.schedule.size))
  metrics.gaugeFrom(namesRefused, () => single(names.schedule.refused))
  metrics.gaugeFrom(bindings, () => single(names.bindings.size))
  metrics.gaugeFrom(observed, () => single(names.observed.size))
  metrics.gaugeFrom(observedBindings, () => single(names.observed.bindings.size))
  metrics.counterFrom(observedDropped, () => [
    { labels: { reason: 'zone' }, value: names.observed.evicted.zone },
    { labels: { reason: 'full' }, value: names.observed.evicted.full },
    { labels: { reason: 'outweighed' }, value: names.observed.outweighed },
    { labels: { reason: 'addresses' }, value: names.observed.bindings.evicted },
    { labels: { reason: 'chain' }, value: names.observed.broken },
  ])
  metrics.gaugeFrom(close, () => single(names.schedule.close))
  metrics.gaugeFrom(closeRefused, () => single(names.schedule.closeRefused))
  metrics.gaugeFrom(late, () => single(names.schedule.lateMs(clock.now()) / 1_000))
  metrics.gaugeFrom(zones, () => single(names.schedule.zones.size))
  metrics.gaugeFrom(stale, () => single(names.schedule.failing))
}
