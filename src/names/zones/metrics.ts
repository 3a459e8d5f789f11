// What is measured of zones that are transferred from their servers.
import type { Metric } from '../../metrics.ts'
import type { Zones } from './zones.ts'

const each =
  (value: (zone: Zones['zones'][number]) => number) =>
  ({ zones }: Zones) =>
    zones.map((zone) => ({ labels: { zone: zone.zone }, value: value(zone) }))

export const zoneMetrics: readonly Metric<Zones>[] = [
  {
    name: 'floodgauge_zone_checks_total',
    help: 'Questions to the server of a zone whether it has changed, by what came of them: unchanged, transferred; unreachable, timeout, refused, signature (of the wrong key, or time), broken (no zone transfer), large (more records or octets than there may be).',
    labels: ['zone', 'result'],
    read: ({ zones }) =>
      zones.flatMap(({ zone, results }) =>
        Object.entries(results).map(([result, value]) => ({ labels: { zone, result }, value })),
      ),
  },
  {
    name: 'floodgauge_zone_bindings',
    help: 'Pairs of a name and an address that the zone has.',
    labels: ['zone'],
    read: each(({ observations }) => observations.length),
  },
  {
    name: 'floodgauge_zone_omitted_records',
    help: 'Records of the zone that there is no room for.',
    labels: ['zone'],
    read: each(({ omitted }) => omitted),
  },
  {
    name: 'floodgauge_zone_last_check_timestamp_seconds',
    help: 'When the server of the zone last said what it has; 0: never.',
    labels: ['zone'],
    read: each(({ checkedMs }) => checkedMs / 1_000),
  },
]
