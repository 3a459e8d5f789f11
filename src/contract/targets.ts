// What is known of one address: its settings, its traffic and what is normal for it.
import { type Static, type TSchema, Type } from 'typebox'
import { endpoint } from './route.ts'
import { Count, closed } from './shapes.ts'

const Rate = (description: string) => Type.Number({ minimum: 0, description: `${description} Per second.` })

const SettingSource = Type.String({
  description:
    'Where it comes from: `default`; `all`, the setting for all addresses; `prefix` and a network; `site` and a host record, or `site` alone where the token is not for `admin`.',
})

/** What holds, and who says so. */
const Setting = <Value extends TSchema>(value: Value) => Type.Object({ value, source: SettingSource }, closed)

export const TargetSettings = Type.Object(
  {
    enabled: Setting(Type.Boolean({ description: 'Whether its traffic is judged.' })),
    packetsPerSecond: Setting(Rate('Absolute limit of packets; 0: none.')),
    bytesPerSecond: Setting(Rate('Absolute limit of bytes; 0: none.')),
    flowsPerSecond: Setting(Rate('Absolute limit of flow records; 0: none.')),
    sensitivity: Setting(Type.Number({ minimum: 0.1, maximum: 10, description: 'Divides the floors of vectors.' })),
    excludePorts: Setting(Type.Array(Type.String(), { description: 'Ports whose traffic is left out.' })),
    excludeSources: Type.Optional(
      Setting(Type.Array(Type.String(), { description: 'Senders whose traffic is left out.' })),
    ),
  },
  {
    ...closed,
    description: 'What holds for the address. `excludeSources` is told to tokens for `admin` alone.',
  },
)

export const TargetClass = Type.Object(
  {
    attackType: Type.Union([Type.String(), Type.Null()], {
      description: 'The vector that such packets are of; null: all traffic.',
    }),
    matches: Type.Union([Type.String(), Type.Null()], {
      description: 'Which packets of that vector, in words, where several classes have the same one. Null: all of it.',
    }),
    packetsPerSecond: Rate('Packets in the 10 seconds that `ratesAgeSeconds` is about.'),
    bytesPerSecond: Rate('Bytes in these seconds.'),
    flowsPerSecond: Rate('Flow records in these seconds, as received.'),
    normal: Type.Union(
      [
        Type.Object(
          {
            packetsPerSecond: Rate('Up to there packets are normal, before any margin.'),
            spread: Rate('Standard deviation of the packets.'),
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: 'Null: not learnt yet.' },
    ),
    line: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description:
        'Packets per second above which it is an attack when it has the whole signature of the vector. Null: it is not judged by packets.',
    }),
    partialLine: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'The same when it has not: few sources, unusual sizes.',
    }),
  },
  closed,
)

export const Target = Type.Object(
  {
    address: Type.String({ format: 'ipv4' }),
    settings: TargetSettings,
    knownSince: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        "When it first had traffic; for a token without `admin` not before the address was one of the caller's: the site was added, and its name led there. Null: not yet.",
    }),
    learnSecondsLeft: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Until its traffic is compared with what is normal for it, in seconds; 0: it is. Null: it has had no traffic.',
    }),
    seasonHours: Type.Union([Type.Integer({ minimum: 0, maximum: 168 }), Type.Null()], {
      description:
        'Hours of the week whose usual traffic is known: of 24 the hour of the day counts, of 168 that of the week. Null: it has had no traffic.',
    }),
    ratesAgeSeconds: Type.Integer({
      minimum: 0,
      description:
        'How long ago the 10 seconds were over that rates are of, in seconds: the last ones of which exporters have told all. What came later they hold back.',
    }),
    classes: Type.Array(TargetClass, {
      description: 'All traffic first, then the vectors of which it has packets or a normal, the heaviest first.',
    }),
    incidents: Type.Array(
      Type.Object(
        {
          id: Type.Union([Type.String(), Type.Null()], {
            description: 'Id of the incident. Null: of an attack on its network, unless the token is for `admin`.',
          }),
          attackType: Type.Union([Type.String(), Type.Null()], { description: 'Null: unknown.' }),
        },
        closed,
      ),
      {
        description:
          'Attacks that go on, on it or on its network as one of the victims; for a token without `admin` those that began when the address was already one of its sites.',
      },
    ),
  },
  closed,
)

const octet = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'

export const TargetParams = Type.Object({
  address: Type.String({
    pattern: `^(${octet}\\.){3}${octet}$`,
    description: 'An IPv4 address.',
    examples: ['192.0.2.10'],
  }),
})

export const VectorRow = Type.Object(
  {
    matches: Type.String({ description: 'Which packets the row is about, in words.' }),
    packetsPerSecond: Rate('Floor: with fewer packets than this there is no attack.'),
    partialPacketsPerSecond: Rate('The floor when the signature is not whole: few sources, or unusual sizes.'),
    unlearntPacketsPerSecond: Rate('The floor while the baseline of the address is not learnt.'),
    ratio: Type.Number({ minimum: 1, description: 'How many times the baseline the packets must be as well.' }),
    seconds: Count('How long the rate must hold, on average.'),
    sourcesMin: Count('Sources that make the signature whole.'),
    packetBytes: Type.Object(
      { min: Count('Octets.'), max: Count('Octets.') },
      { ...closed, description: 'Mean packet length that makes the signature whole.' },
    ),
  },
  closed,
)

export const VectorList = Type.Object(
  {
    vectors: Type.Array(
      Type.Object(
        {
          attackType: Type.String({ description: 'The label of the vector, as events have it.' }),
          rows: Type.Array(VectorRow, { description: 'Each packet belongs to one row only, of all vectors.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)

export type VectorList = Static<typeof VectorList>
export type Target = Static<typeof Target>
export type TargetClass = Static<typeof TargetClass>

export const targetEndpoints = {
  listVectors: endpoint(
    {
      method: 'GET',
      path: '/api/v1/vectors',
      scope: 'any',
      role: 'viewer',
      tag: 'Targets',
      summary: 'List attack vectors',
      description:
        'The vectors that the detector knows, with the packets and the default floors of each. The sensitivity of an address divides the floors.',
    },
    { response: VectorList },
    {
      response: {
        vectors: [
          {
            attackType: 'udp@attack@amp_flood_target-NTP',
            rows: [
              {
                matches: 'UDP from port 123',
                packetsPerSecond: 100,
                partialPacketsPerSecond: 1_000,
                unlearntPacketsPerSecond: 100,
                ratio: 3,
                seconds: 3,
                sourcesMin: 8,
                packetBytes: { min: 100, max: 1_500 },
              },
            ],
          },
        ],
      },
    },
  ),
  getTarget: endpoint(
    {
      method: 'GET',
      path: '/api/v1/targets/{address}',
      scope: 'read',
      role: 'viewer',
      adminSeesAll: true,
      tag: 'Targets',
      summary: 'Get the state of an address',
      description:
        'The settings that apply to an address, the state of its baseline, and its traffic beside the thresholds. A token for `admin` sees any address; others see the addresses of enabled sites of the caller, and get 404 for any other. The answer comes from the detector: 503 if it does not answer within five seconds.',
      mayBeMissing: true,
    },
    { params: TargetParams, response: Target },
    {
      response: {
        address: '192.0.2.10',
        settings: {
          enabled: { value: true, source: 'default' },
          packetsPerSecond: { value: 200_000, source: 'prefix 192.0.2.0/28' },
          bytesPerSecond: { value: 125_000_000, source: 'default' },
          flowsPerSecond: { value: 10_000, source: 'default' },
          sensitivity: { value: 2, source: 'site www.example.com' },
          excludePorts: { value: ['udp/src/53'], source: 'all' },
          excludeSources: { value: [], source: 'default' },
        },
        knownSince: '2017-03-01T08:00:00+00:00',
        learnSecondsLeft: 0,
        seasonHours: 168,
        ratesAgeSeconds: 12,
        classes: [
          {
            attackType: null,
            matches: null,
            packetsPerSecond: 67_600,
            bytesPerSecond: 31_560_000,
            flowsPerSecond: 705,
            normal: { packetsPerSecond: 1_770, spread: 210 },
            line: 200_000,
            partialLine: 200_000,
          },
          {
            attackType: 'udp@attack@amp_flood_target-NTP',
            matches: null,
            packetsPerSecond: 65_800,
            bytesPerSecond: 30_794_400,
            flowsPerSecond: 688,
            normal: { packetsPerSecond: 0, spread: 0 },
            line: 50,
            partialLine: 500,
          },
        ],
        incidents: [{ id: '58bfd7aec000020a0000000c', attackType: 'udp@attack@amp_flood_target-NTP' }],
      },
    },
  ),
}

export const targetShapes = { VectorRow, Target, TargetClass, TargetSettings }
