// What is measured of databases of countries and networks.
import type { MetricRow, Metrics } from '../metrics.ts'
import type { GeoDatabases } from './databases.ts'

export const geoMetrics = {
  loads: { name: 'floodgauge_geo_loads_total', help: 'Databases of countries and networks that were read.' },
  failures: {
    name: 'floodgauge_geo_failures_total',
    help: 'Such databases that could not be read: missing, too large, or damaged. Counted at each attempt.',
  },
  lookups: { name: 'floodgauge_geo_lookups_total', help: 'Addresses that were looked up, in each database.' },
  lookupFailures: {
    name: 'floodgauge_geo_lookup_failures_total',
    help: 'Of these, those at which the database is damaged.',
  },
  built: {
    name: 'floodgauge_geo_build_timestamp_seconds',
    help: 'When the database that is in use was built.',
    labels: ['file'],
  },
} as const satisfies Record<string, MetricRow>

export function registerGeoMetrics(metrics: Metrics, geo: GeoDatabases): void {
  const { loads, failures, lookups, lookupFailures, built } = geoMetrics
  const single = (value: number) => [{ labels: {}, value }]
  metrics.counterFrom(loads, () => single(geo.counts.loads))
  metrics.counterFrom(failures, () => single(geo.counts.failures))
  metrics.counterFrom(lookups, () => single(geo.counts.lookups))
  metrics.counterFrom(lookupFailures, () => single(geo.counts.lookupFailures))
  metrics.gaugeFrom(built, () => geo.list().map(({ file, builtMs }) => ({ labels: { file }, value: builtMs / 1_000 })))
}
