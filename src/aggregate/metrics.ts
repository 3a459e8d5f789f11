// The counters of a folder, as metrics.
import { byLabel, type Metric } from '../metrics.ts'

/** Records since the folder was made. */
export interface FolderCounters {
  /** For watched targets. */
  folded: number
  /** Those of them that were left out: see exclusions.ts. */
  excluded: number
  /** Those whose begin or end was out of bounds, and was moved to the bound. */
  timeClipped: number
}

/** What a folder counts, and what its bounded tables turned away. */
interface FolderState {
  counted: FolderCounters
  refused: { counters: number; records: number }
  /** Long flows that gave way to others. */
  replaced: number
}

export const foldMetrics: readonly Metric<FolderState>[] = [
  {
    name: 'floodgauge_fold_flows_total',
    help: 'Flow records for watched addresses.',
    read: ({ counted }) => counted.folded,
  },
  {
    name: 'floodgauge_fold_excluded_total',
    help: 'Flow records for watched addresses that were left out, by `excludePorts` and `excludeSources`.',
    read: ({ counted }) => counted.excluded,
  },
  {
    name: 'floodgauge_fold_time_clipped_total',
    help: 'Flow records whose times could not be true, or that reach too far back.',
    read: ({ counted }) => counted.timeClipped,
  },
  {
    name: 'floodgauge_fold_refused_total',
    help: 'Flow records that found no place in a bounded table: counters (not counted at all), records (not in the lists).',
    labels: ['table'],
    read: ({ refused }) => byLabel('table', refused),
  },
  {
    name: 'floodgauge_fold_long_flows_replaced_total',
    help: 'Long flows that gave way to others in the table of those that are reported again and again; their next record counts as it is dated.',
    read: ({ replaced }) => replaced,
  },
]
