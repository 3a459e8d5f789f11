// What is measured of names that are found by asking.
import type { MetricRow, Metrics } from '../metrics.ts'
import type { Discovery } from './discovery.ts'

export const discoveryMetrics = {
  asked: {
    name: 'floodgauge_discovery_asked_total',
    help: 'What was asked for to find names: zones (of wildcards), addresses (in the reverse DNS), names (told of by others, before they are given up), certificates.',
    labels: ['what'],
  },
  found: {
    name: 'floodgauge_discovery_found_total',
    help: 'Pairs of a name and an address that were found or confirmed so.',
  },
  lost: { name: 'floodgauge_discovery_lost_total', help: 'Names told of by others that were there no more.' },
  certificates: {
    name: 'floodgauge_discovery_certificates_failed_total',
    help: 'Addresses that were asked for a certificate, and had none to show: no TLS server, or none in time.',
  },
  certificateNames: {
    name: 'floodgauge_discovery_certificate_names_total',
    help: 'Names that certificates show: confirmed (they lead back), misleading (they do not), foreign (of other zones), broken (in odd characters).',
    labels: ['result'],
  },
  suggestions: {
    name: 'floodgauge_discovery_suggestions',
    help: 'Names of watched addresses that their owners may want as sites.',
  },
  omitted: {
    name: 'floodgauge_discovery_omitted_total',
    help: 'For which there was no room: names (to be asked before they are given up), suggestions, certificate names, certificate addresses (of a zone, in a day).',
    labels: ['what'],
  },
} as const satisfies Record<string, MetricRow>

export function registerDiscoveryMetrics(metrics: Metrics, { counts, suggestions, certificates }: Discovery): void {
  const { asked, found, lost, omitted } = discoveryMetrics
  const single = (value: number) => [{ labels: {}, value }]
  metrics.counterFrom(asked, () => [
    { labels: { what: 'zones' }, value: counts.zones },
    { labels: { what: 'addresses' }, value: counts.addresses },
    { labels: { what: 'names' }, value: counts.followed },
    { labels: { what: 'certificates' }, value: certificates.counts.read + certificates.counts.failed },
  ])
  metrics.counterFrom(found, () => single(counts.found))
  metrics.counterFrom(lost, () => single(counts.lost))
  metrics.gaugeFrom(discoveryMetrics.suggestions, () => single(suggestions.size))
  metrics.counterFrom(discoveryMetrics.certificates, () => single(certificates.counts.failed))
  metrics.counterFrom(discoveryMetrics.certificateNames, () => [
    { labels: { result: 'confirmed' }, value: counts.shown },
    { labels: { result: 'misleading' }, value: counts.misled },
    { labels: { result: 'foreign' }, value: certificates.counts.foreign },
    { labels: { result: 'broken' }, value: certificates.counts.broken },
  ])
  metrics.counterFrom(omitted, () => [
    { labels: { what: 'names' }, value: counts.omitted },
    { labels: { what: 'suggestions' }, value: suggestions.omitted },
    { labels: { what: 'certificate names' }, value: certificates.counts.omitted },
    { labels: { what: 'certificate addresses' }, value: certificates.counts.addressesOmitted },
  ])
}
