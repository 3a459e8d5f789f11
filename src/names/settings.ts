// What an operator can set about the resolution of names.
import { type Static, Type } from 'typebox'
import { seconds } from '../settings.ts'
import { dnstapSettings } from './dnstap/settings.ts'
import { zonesSettings } from './zones/settings.ts'

const discoverySettings = Type.Object(
  {
    zones: Type.Enum(['off', 'daily'], {
      description:
        'Whether the zone of each wildcard is asked once a day for its name and mail servers, its services and the usual names of hosts. Names that were found, by whichever way, are asked for in any case before they are given up.',
      default: 'daily',
    }),
    reverse: Type.Enum(['off', 'daily'], {
      description:
        'Whether the reverse DNS of all watched addresses is asked once a day: names that lead back are known if they are of sites, and else suggested to the owner of the address.',
      default: 'off',
    }),
    certificates: Type.Enum(['off', 'daily'], {
      description:
        'Whether the addresses that names below each wildcard lead to are asked once a day, over TLS at port 443, for a certificate: the names of the zone that it shows are known if they lead back.',
      default: 'off',
    }),
  },
  { additionalProperties: false, description: 'Names found by asking, when nothing else is to be asked.' },
)

export type DiscoverySettings = Static<typeof discoverySettings>

export const namesSettings = Type.Object(
  {
    resolvers: Type.Array(Type.String({ minLength: 2, maxLength: 320 }), {
      description:
        'Recursive resolvers to ask, as ADDRESS or ADDRESS:PORT (an IPv6 address with a port in brackets); over TLS as tls://ADDRESS:PORT#NAME, with the name that the certificate must be for. All are asked and their answers united. Empty: those of the system.',
      default: [],
      maxItems: 8,
    }),
    authoritiesFile: Type.String({
      description:
        'File with the certificates (PEM) of the authorities that resolvers over TLS are trusted by. Empty: those of Mozilla, as they come with Node.js.',
      default: '',
      maxLength: 4_096,
    }),
    timeoutSeconds: seconds('How long to wait for each answer of a resolver.', 1, 1, 30),
    attempts: Type.Integer({
      description: 'Questions to a resolver before it counts as failed.',
      default: 3,
      minimum: 1,
      maximum: 10,
    }),
    intervalMinSeconds: seconds('A name is asked again when its TTL ends, but not before this.', 30, 1, 3_600),
    intervalMaxSeconds: seconds(
      'A name is asked again when its TTL ends, and at the latest after this.',
      300,
      1,
      86_400,
    ),
    attackIntervalSeconds: seconds(
      'A name that leads to an address under attack is asked again after this, and up to half as much later.',
      10,
      1,
      300,
    ),
    graceSeconds: seconds('How long an address is watched after the name last led to it.', 1_800, 0, 86_400),
    staleSeconds: seconds(
      'How long the last known addresses are kept while no resolver answers.',
      259_200,
      0,
      2_592_000,
    ),
    queriesPerSecond: Type.Integer({
      description:
        'Questions to all resolvers together, averaged over some seconds: names wait for their turn. Per second.',
      default: 500,
      minimum: 1,
      maximum: 100_000,
    }),
    allowPrivate: Type.Boolean({
      description:
        'Whether names may lead to private, shared, link-local and loopback addresses (a laboratory, an internal network).',
      default: false,
    }),
    zones: zonesSettings,
    discovery: discoverySettings,
    dnstap: dnstapSettings,
  },
  { additionalProperties: false },
)

export type NamesSettings = Static<typeof namesSettings>
