// Settings of flow reception: addresses and ports, buffers, who may send, sampling.
import { type Static, Type } from 'typebox'
import { parseAddressRange } from '../net/address-range.ts'
import { samplingSettings } from './sampling-overrides.ts'

const listen = (description: string, value: string) =>
  Type.String({
    default: value,
    pattern: '^((\\[[0-9a-fA-F:.]+\\]|[^:\\s\\[\\]]+):[0-9]{1,5})?$',
    expects: 'HOST:PORT, or nothing',
    description: `${description}, as HOST:PORT over UDP. Every version is told apart on any port. Empty: not at all.`,
  })

export const ingestSettings = Type.Object(
  {
    netflow: listen('Where NetFlow is expected', '0.0.0.0:2055'),
    ipfix: listen('Where IPFIX is expected', '0.0.0.0:4739'),
    sflow: listen('Where sFlow is expected', '0.0.0.0:6343'),
    receiveBufferBytes: Type.Integer({
      default: 8_388_608,
      minimum: 65_536,
      maximum: 1_073_741_824,
      description:
        'Room in the kernel for datagrams that wait, of each socket, in bytes. The kernel may grant less: see net.core.rmem_max.',
    }),
    exporters: Type.Array(
      Type.Refine(
        Type.String({ maxLength: 60 }),
        (text) => parseAddressRange(text) !== null,
        () => 'must be an address or a prefix (192.0.2.7, 192.0.2.0/24, 2001:db8::/32)',
      ),
      {
        default: [],
        maxItems: 10_000,
        description:
          'Who may send flows: addresses and prefixes, IPv4 or IPv6. Datagrams of others are counted and dropped. Empty: everybody may.',
      },
    ),
    sampling: samplingSettings,
    templateHours: Type.Integer({
      default: 24,
      minimum: 0,
      maximum: 8_760,
      description:
        'How long the templates and sampling rates of an exporter that is silent are kept over restarts, in hours. 0: not at all.',
    }),
    waiting: Type.Object(
      {
        megabytes: Type.Integer({
          default: 32,
          minimum: 0,
          maximum: 65_536,
          description: 'Room for them, of each worker, in MiB; half of it for one stream. 0: they are dropped.',
        }),
        seconds: Type.Integer({
          default: 300,
          minimum: 1,
          maximum: 86_400,
          description: 'How long they wait, in seconds.',
        }),
      },
      { additionalProperties: false, description: 'Data that came before its template, and waits for it.' },
    ),
    tunnels: Type.Enum(['outer', 'inner'], {
      default: 'outer',
      description:
        'Which packet counts when a sampled one (sFlow, PSAMP) carries another through GRE, VXLAN, Geneve, GTP-U, EtherIP, or IP or MPLS in IP: outer, the one on the wire, or inner, the one that it carries.',
    }),
    workers: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 64,
      description: 'Threads that receive and decode; more than one share the ports.',
    }),
  },
  { additionalProperties: false, description: 'The reception of flows.' },
)

export type IngestSettings = Static<typeof ingestSettings>
