// What is measured of databases of countries and networks.
import type { Metric } from '../metrics.ts'
import type { GeoDatabases } from './databases.ts'

export const geoMetrics: readonly Metric<GeoDatabases>[] = [
  {
    name: 'floodgauge_geo_loads_total',
    help: 'Databases of countries and networks that were read.',
    read: ({ counts }) => counts.loads,
  },
  {
    name: 'floodgauge_geo_failures_total',
    help: 'Such databases that could not be read: missing, too large, or damaged. Counted at each attempt.',
    read: ({ counts }) => counts.failures,
  },
  {
    name: 'floodgauge_geo_lookups_total',
    help: 'Addresses that were looked up, in each database.',
    read: ({ counts }) => counts.lookups,
  },
  {
    name: 'floodgauge_geo_lookup_failures_total',
    help: 'Lookups that failed because the database is damaged there.',
    read: ({ counts }) => counts.lookupFailures,
  },
  {
    name: 'floodgauge_geo_build_timestamp_seconds',
    help: 'When the database that is in use was built.',
    labels: ['file'],
    read: (geo) => geo.list().map(({ file, builtMs }) => ({ labels: { file }, value: builtMs / 1_000 })),
  },
]
