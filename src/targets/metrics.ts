// What is watched, as metrics.
import type { MetricRow, Sample } from '../metrics.ts'
import type { WatchList } from './watch-list.ts'

export const targetMetrics = [
  { name: 'floodgauge_watched_addresses', help: 'Addresses that are watched.' },
  {
    name: 'floodgauge_watched_addresses_refused',
    help: 'Addresses that are not watched, since they lie in too many /24 networks.',
  },
] as const satisfies readonly MetricRow[]

export function watchListSamples(list: WatchList): Sample[] {
  return [
    { name: 'floodgauge_watched_addresses', labels: {}, value: list.addresses },
    { name: 'floodgauge_watched_addresses_refused', labels: {}, value: list.refused },
  ]
}
