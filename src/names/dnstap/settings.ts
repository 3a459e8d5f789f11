// What an operator can set about the reception of dnstap.
import { type Static, Type } from 'typebox'
import { parseAddressRange } from '../../net/address-range.ts'

export const dnstapSettings = Type.Object(
  {
    listen: Type.Array(
      Type.String({
        pattern: '^(/[^\\s]{1,100}|(\\[[0-9a-fA-F:.]+\\]|[^:/\\s\\[\\]]+):[0-9]{1,5})$',
        expects: 'the path of a unix socket (/run/floodgauge/dnstap.sock) or HOST:PORT',
      }),
      {
        default: [],
        maxItems: 16,
        description:
          'Where resolvers and DNS servers send dnstap: paths of unix sockets, which the service makes for its user and group, and HOST:PORT over TCP. Empty: not at all.',
      },
    ),
    senders: Type.Array(
      Type.Refine(
        Type.String({ maxLength: 60 }),
        (text) => parseAddressRange(text) !== null,
        () => 'must be an address or a prefix (192.0.2.7, 192.0.2.0/24, 2001:db8::/32)',
      ),
      {
        default: ['127.0.0.0/8', '::1'],
        maxItems: 1_000,
        description:
          'Who may send dnstap over TCP: addresses and prefixes, IPv4 or IPv6. Connections of others are counted and closed. What a sender says is believed, and TCP carries it unprotected.',
      },
    ),
  },
  { additionalProperties: false, description: 'Names below wildcards, learnt from what resolvers are asked.' },
)

export type DnstapSettings = Static<typeof dnstapSettings>
