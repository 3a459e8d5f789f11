// What a folder counts, as metrics.
import type { MetricRow, Sample } from '../metrics.ts'

/** Since it was made. */
export interface FolderCounters {
  /** Records for watched targets. */
  folded: number
  /** Of these, those that were left out: see exclusions.ts. */
  excluded: number
  /** Records whose begin or end was out of bounds, and was moved to the bound. */
  timeClipped: number
}

export const foldMetrics = [
  { name: 'floodgauge_fold_flows_total', help: 'Flow records for watched addresses.' },
  {
    name: 'floodgauge_fold_excluded_total',
    help: 'Flow records for watched addresses that were left out, by `excludePorts` and `excludeSources`.',
  },
  {
    name: 'floodgauge_fold_time_clipped_total',
    help: 'Flow records whose times could not be true, or that reach too far back.',
  },
  {
    name: 'floodgauge_fold_refused_total',
    help: 'Flow records that found no place in a bounded table: counters (not counted at all), records (not in the lists).',
    labels: ['table'],
  },
] as const satisfies readonly MetricRow[]

export function samplesOf(counted: FolderCounters, refused: { counters: number; records: number }): Sample[] {
  return [
    { name: 'floodgauge_fold_flows_total', labels: {}, value: counted.folded },
    { name: 'floodgauge_fold_excluded_total', labels: {}, value: counted.excluded },
    { name: 'floodgauge_fold_time_clipped_total', labels: {}, value: counted.timeClipped },
    { name: 'floodgauge_fold_refused_total', labels: { table: 'counters' }, value: refused.counters },
    { name: 'floodgauge_fold_refused_total', labels: { table: 'records' }, value: refused.records },
  ]
}
