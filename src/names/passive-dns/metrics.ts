// What is measured of imports of passive DNS.
import { byLabel, type Metric } from '../../metrics.ts'
import type { Imports } from './imports.ts'

export const importMetrics: readonly Metric<Imports>[] = [
  {
    name: 'floodgauge_names_import_lines_total',
    help: 'Lines of passive DNS that were imported.',
    read: ({ counts }) => counts.lines,
  },
  {
    name: 'floodgauge_names_import_observations_total',
    help: 'Pairs of a name and an address that were taken from them.',
    read: ({ counts }) => counts.observations,
  },
  {
    name: 'floodgauge_names_import_passed_total',
    help: 'What was passed over: type (lines that say nothing of where a name of a host leads), name (of no site), broken (lines that cannot be read), full (records that there was no room for).',
    labels: ['reason'],
    read: ({ counts }) =>
      byLabel('reason', {
        type: counts.otherTypes,
        name: counts.otherNames,
        broken: counts.broken,
        full: counts.omitted,
      }),
  },
]
