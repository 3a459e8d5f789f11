// What an operator can set about detection. Every rate is per second, after scaling by the sampling rate.
import { type Static, Type } from 'typebox'

const rate = (text: string, value: number) =>
  Type.Number({ description: `${text} 0: no such limit.`, default: value, minimum: 0, maximum: 1e15 })

const optionalRate = (text: string) => Type.Optional(Type.Number({ description: text, minimum: 0, maximum: 1e15 }))

const seconds = (text: string, value: number, minimum: number, maximum: number) =>
  Type.Integer({ description: `${text} Seconds.`, default: value, minimum, maximum })

const count = (text: string, value: number, maximum: number) =>
  Type.Integer({ description: text, default: value, minimum: 1, maximum })

const prefixSettings = Type.Object(
  {
    prefix: Type.String({ description: 'An IPv4 network, as a.b.c.d/length.', minLength: 9, maxLength: 18 }),
    packetsPerSecond: optionalRate('In place of the limit for all, for targets in the prefix. Packets per second.'),
    bytesPerSecond: optionalRate('In place of the limit for all, for targets in the prefix. Bytes per second.'),
    flowsPerSecond: optionalRate('In place of the limit for all, for targets in the prefix. Flow records per second.'),
    sensitivity: Type.Optional(
      Type.Number({ description: 'In place of the sensitivity for all. A factor.', minimum: 0.1, maximum: 10 }),
    ),
  },
  { additionalProperties: false },
)

export const detectSettings = Type.Object(
  {
    packetsPerSecond: rate('Traffic to one address that is an attack whatever is normal. Packets per second.', 20_000),
    bytesPerSecond: rate('Likewise. Bytes per second; the default is 1 Gbit/s.', 125_000_000),
    flowsPerSecond: rate('Likewise. Flow records per second, as received.', 10_000),
    prefixes: Type.Array(prefixSettings, {
      description: 'Other limits for some networks; of several that hold an address, the longest counts.',
      default: [],
      maxItems: 10_000,
    }),
    sensitivity: Type.Number({
      description:
        'Divides the rates from which the vectors of an attack are recognised, and their multiples of normal: 2 sees smaller attacks, with more false alarms. A factor.',
      default: 1,
      minimum: 0.1,
      maximum: 10,
    }),
    learnSeconds: seconds(
      'How long the traffic of an address is learnt before it is compared with what is normal for it.',
      3_600,
      60,
      604_800,
    ),
    quietSeconds: seconds(
      'An attack is over when its traffic has been low for so long. Pauses below this belong to it.',
      180,
      5,
      3_600,
    ),
    updateSeconds: seconds('How often an event is brought up to date while its attack goes on.', 5, 1, 300),
    targetsMax: count('Addresses whose traffic is followed at a time.', 20_000, 1_000_000),
    incidentsMax: count('Attacks that are followed at a time.', 1_000, 100_000),
  },
  { additionalProperties: false },
)

export type DetectSettings = Static<typeof detectSettings>
export type PrefixSettings = Static<typeof prefixSettings>
