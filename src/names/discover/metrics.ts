// What is measured of names that are found by asking.
import { byLabel, type Metric } from '../../metrics.ts'
import type { Discovery } from './discovery.ts'

export const discoveryMetrics: readonly Metric<Discovery>[] = [
  {
    name: 'floodgauge_discovery_asked_total',
    help: 'Questions asked to find names, by what they were about: zones (of wildcards), addresses (in the reverse DNS), names (observed elsewhere, before they are given up), certificates.',
    labels: ['what'],
    read: ({ counts, certificates }) =>
      byLabel('what', {
        zones: counts.zones,
        addresses: counts.addresses,
        names: counts.followed,
        certificates: certificates.counts.read + certificates.counts.failed,
      }),
  },
  {
    name: 'floodgauge_discovery_found_total',
    help: 'Pairs of a name and an address that were found or confirmed so.',
    read: ({ counts }) => counts.found,
  },
  {
    name: 'floodgauge_discovery_lost_total',
    help: 'Names observed elsewhere that no longer existed when they were asked for.',
    read: ({ counts }) => counts.lost,
  },
  {
    name: 'floodgauge_discovery_certificates_failed_total',
    help: 'Addresses that were asked for a certificate, and had none to show: no TLS server, or none in time.',
    read: ({ certificates }) => certificates.counts.failed,
  },
  {
    name: 'floodgauge_discovery_certificate_names_total',
    help: 'Names that certificates show: confirmed (they lead back), misleading (they do not), foreign (of other zones), broken (in odd characters).',
    labels: ['result'],
    read: ({ counts, certificates }) =>
      byLabel('result', {
        confirmed: counts.shown,
        misleading: counts.misled,
        foreign: certificates.counts.foreign,
        broken: certificates.counts.broken,
      }),
  },
  {
    name: 'floodgauge_discovery_suggestions',
    help: 'Names of watched addresses that their owners may want as sites.',
    read: ({ suggestions }) => suggestions.size,
  },
  {
    name: 'floodgauge_discovery_omitted_total',
    help: 'What there was no room for: names (to be asked before they are given up), suggestions, certificate names, certificate addresses (of a zone, in a day).',
    labels: ['what'],
    read: ({ counts, suggestions, certificates }) =>
      byLabel('what', {
        names: counts.omitted,
        suggestions: suggestions.omitted,
        'certificate names': certificates.counts.omitted,
        'certificate addresses': certificates.counts.addressesOmitted,
      }),
  },
]
