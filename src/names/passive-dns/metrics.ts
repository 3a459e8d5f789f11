// What is measured of imports of passive DNS.
import type { MetricRow, Metrics } from '../../metrics.ts'
import type { Imports } from './imports.ts'

export const importMetrics = {
  lines: { name: 'floodgauge_names_import_lines_total', help: 'Lines of passive DNS that were imported.' },
  observations: {
    name: 'floodgauge_names_import_observations_total',
    help: 'Pairs of a name and an address that were taken from them.',
  },
  passed: {
    name: 'floodgauge_names_import_passed_total',
    help: 'What was passed over: type (lines that say nothing of where a name of a host leads), name (of no site), broken (lines that cannot be read), full (records that there was no room for).',
    labels: ['reason'],
  },
} as const satisfies Record<string, MetricRow>

export function registerImportMetrics(metrics: Metrics, { counts }: Imports): void {
  metrics.counterFrom(importMetrics.lines, () => [{ labels: {}, value: counts.lines }])
  metrics.counterFrom(importMetrics.observations, () => [{ labels: {}, value: counts.observations }])
  metrics.counterFrom(importMetrics.passed, () => [
    { labels: { reason: 'type' }, value: counts.otherTypes },
    { labels: { reason: 'name' }, value: counts.otherNames },
    { labels: { reason: 'broken' }, value: counts.broken },
    { labels: { reason: 'full' }, value: counts.omitted },
  ])
}
