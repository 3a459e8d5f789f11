// The operator's settings about who may watch what.
import { type Static, Type } from 'typebox'
import { policies } from './policy.ts'

export const accessSettings = Type.Object(
  {
    policy: Type.Enum([...policies], {
      description:
        'What users may watch, unless a user has another policy. single: anything, as in one organisation. assigned: what the operator allows each. verified: that, and what they prove to control by DNS records. open: anything, though users have nothing to do with each other: whoever asks is told who sends traffic to any address.',
      default: 'single',
    }),
    sharedNetworks: Type.Array(
      Type.String({ pattern: '^[0-9.]{7,15}(/[0-9]{1,2})?$', description: 'An IPv4 address or network.' }),
      {
        description:
          'Addresses and networks (CIDR) that sites of many users share, as those of web hosting: under assigned and verified, users whose names lead there are told the totals of an attack, and not who sends it.',
        default: [],
        maxItems: 10_000,
      },
    ),
    sharedDomains: Type.Integer({
      description:
        'An address that names of more registered domains than this lead to is marked as shared: an attack on it may be meant for another of them.',
      default: 3,
      minimum: 1,
      maximum: 1_000,
    }),
  },
  { additionalProperties: false, description: 'Who may watch what: see docs/names.md.' },
)

export type AccessSettings = Static<typeof accessSettings>
