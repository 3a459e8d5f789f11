// What is measured of zones that are transferred from their servers.
import type { MetricRow, Metrics } from '../../metrics.ts'
import type { Zones } from './zones.ts'

export const zoneMetrics = {
  transfers: {
    name: 'floodgauge_zone_checks_total',
    help: 'Questions to the server of a zone whether it has changed, by what came of them: unchanged, transferred; unreachable, timeout, refused, signature (of the wrong key, or time), broken (no zone transfer), large (more records or octets than there may be).',
    labels: ['zone', 'result'],
  },
  names: {
    name: 'floodgauge_zone_bindings',
    help: 'Pairs of a name and an address that the zone has.',
    labels: ['zone'],
  },
  omitted: {
    name: 'floodgauge_zone_omitted_records',
    help: 'Records of the zone that there is no room for.',
    labels: ['zone'],
  },
  checked: {
    name: 'floodgauge_zone_last_check_timestamp_seconds',
    help: 'When the server of the zone last said what it has; 0: never.',
    labels: ['zone'],
  },
} as const satisfies Record<string, MetricRow>

export function registerZoneMetrics(metrics: Metrics, { zones }: Zones): void {
  const { transfers, names, omitted, checked } = zoneMetrics
  const ofEach = (value: (zone: Zones['zones'][number]) => number) =>
    zones.map((zone) => ({ labels: { zone: zone.zone }, value: value(zone) }))
  metrics.counterFrom(transfers, () =>
    zones.flatMap(({ zone, results }) =>
      Object.entries(results).map(([result, value]) => ({ labels: { zone, result }, value })),
    ),
  )
  metrics.gaugeFrom(names, () => ofEach(({ observations }) => observations.length))
  metrics.gaugeFrom(omitted, () => ofEach((zone) => zone.omitted))
  metrics.gaugeFrom(checked, () => ofEach(({ checkedMs }) => checkedMs / 1_000))
}
