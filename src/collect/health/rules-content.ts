// Rules about the content of records.
import { type Rule, recordsMin } from './rule.ts'
import { share, shortened } from './words.ts'

export const contentRules: readonly Rule[] = [
  {
    rule: 'no-address',
    severity: 'error',
    about: 'Most flow records have no destination address',
    says: ({ recent: { records, recordsWithoutAddress } }) =>
      recordsWithoutAddress > records
        ? `${share(recordsWithoutAddress / (records + recordsWithoutAddress))} of the flow records have no destination address`
        : null,
    advice:
      "They can not be attributed to a site: let the exporter's record match on the IP destination address (layer 2 and MPLS records do not).",
  },
  {
    rule: 'no-counters',
    severity: 'warning',
    about: 'Records do not count bytes or packets',
    says: ({ records: { sampled, withoutPackets, withoutBytes } }) => {
      const lacking = [
        ...(withoutPackets > sampled / 100 ? ['packets'] : []),
        ...(withoutBytes > sampled / 100 ? ['bytes'] : []),
      ]
      return sampled >= recordsMin && lacking.length > 0 ? `records do not count ${lacking.join(' and ')}` : null
    },
    advice: "Let the exporter's record collect both: rates can not be told without them.",
  },
  {
    rule: 'both-directions',
    severity: 'note',
    about: 'Packets are exported twice: as they come in and as they leave',
    says: ({ recent: { records, recordsPassed, egressAgain } }) =>
      egressAgain >= recordsMin
        ? `${share(egressAgain / (records - recordsPassed))} of the records tell a second time, as packets leave (flowDirection 1), what was told as they came in; they are left out, so that each packet counts once`
        : null,
    advice:
      'Nothing is lost. To export half as much, let only the interfaces at the edge be metered, and only as packets come in (Open vSwitch meters both unless it is told otherwise).',
  },
  {
    rule: 'only-ipv6',
    severity: 'note',
    about: 'All flows are of IPv6',
    says: ({ counters: { records, records6 } }) =>
      records >= recordsMin && records6 === records ? 'all flows are of IPv6' : null,
    advice: 'They are decoded and counted, but no site can be watched by IPv6 yet.',
  },
  {
    rule: 'unknown-elements',
    severity: 'note',
    about: 'Templates have elements that are not known',
    says: ({ unknownElements }) =>
      unknownElements.length === 0
        ? null
        : `elements that are not known are skipped: ${shortened(unknownElements.map(({ enterprise, id }) => (enterprise === 0 ? `${id}` : `${enterprise}/${id}`)))}`,
    advice: 'Nothing is to be changed, unless one of them holds what is missing here.',
  },
]
