// The size of the watch list, as metrics.
import type { Metric } from '../metrics.ts'
import type { WatchList } from './watch-list.ts'

export const targetMetrics: readonly Metric<WatchList>[] = [
  {
    name: 'floodgauge_watched_addresses',
    help: 'Addresses that are watched.',
    read: ({ addresses }) => addresses,
  },
  {
    name: 'floodgauge_watched_addresses_refused',
    help: 'Addresses that are not watched, since they lie in too many /24 networks.',
    read: ({ refused }) => refused,
  },
]
