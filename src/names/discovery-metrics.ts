// What is measured of names that are found by asking.
import type { MetricRow, Metrics } from '../metrics.ts'
import type { Discovery } from './discovery.ts'

export const discoveryMetrics = {
  asked: {
    name: 'floodgauge_discovery_asked_total',
    help: 'What was asked for to find names: zones (of wildcards), addresses (in the reverse DNS), names (told of by others, before they are given up).',
    labels: ['what'],
  },
  found: {
    name: 'floodgauge_discovery_found_total',
    help: 'Pairs of a name and an address that were found or confirmed so.',
  },
  lost: { name: 'floodgauge_discovery_lost_total', help: 'Names told of by others that were there no more.' },
  suggestions: {
    name: 'floodgauge_discovery_suggestions',
    help: 'Names of watched addresses that their owners may want as sites.',
  },
  omitted: {
    name: 'floodgauge_discovery_omitted_total',
    help: 'For which there was no room: names (to be asked before they are given up), suggestions.',
    labels: ['what'],
  },
} as const satisfies Record<string, MetricRow>

export function registerDiscoveryMetrics(metrics: Metrics, { counts, suggestions }: Discovery): void {
  const { asked, found, lost, omitted } = discoveryMetrics
  const single = (value: number) => [{ labels: {}, value }]
  metrics.counterFrom(asked, () => [
    { labels: { what: 'zones' }, value: counts.zones },
    { labels: { what: 'addresses' }, value: counts.addresses },
    { labels: { what: 'names' }, value: counts.followed },
  ])
  metrics.counterFrom(found, () => single(counts.found))
  metrics.counterFrom(lost, () => single(counts.lost))
  metrics.gaugeFrom(discoveryMetrics.suggestions, () => single(suggestions.size))
  metrics.counterFrom(omitted, () => [
    { labels: { what: 'names' }, value: counts.omitted },
    { labels: { what: 'suggestions' }, value: suggestions.omitted },
  ])
}
