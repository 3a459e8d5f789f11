// What the service as a whole measures; the components' own metrics are declared beside them.
import type { HistogramRow, Metric, Reading } from '../metrics.ts'
import type { Store } from '../store/store.ts'

export const serviceMetrics: readonly Metric<
  { version: string; store: Pick<Store, 'sizeBytes'> },
  Reading | Promise<Reading>
>[] = [
  {
    name: 'floodgauge_build_info',
    help: 'Always 1; the label says which version runs.',
    labels: ['version'],
    read: ({ version }) => [{ labels: { version }, value: 1 }],
  },
  { name: 'floodgauge_db_size_bytes', help: 'Room that the store takes.', read: ({ store }) => store.sizeBytes() },
]

/** Passes take milliseconds; one that takes a second delays the next. */
export const passDuration: HistogramRow = {
  name: 'floodgauge_detect_tick_duration_seconds',
  help: 'Time that a detection pass took.',
  buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
}
