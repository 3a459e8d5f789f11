// The shapes of what is known of one site.
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const

const MaybeMoment = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

export const SiteAddress = Type.Object(
  {
    address: Type.String({ format: 'ipv4' }),
    names: Type.Array(Type.String(), {
      description: "The caller's names that lead there, those known for longest first, at most 20.",
    }),
    since: MaybeMoment('Since when a name leads there without a break. Null: it is an address of the site itself.'),
    confirmedAt: MaybeMoment('When a name was last seen to lead there. Null: likewise.'),
    traffic: Type.Enum(['seen', 'none', 'unknown'], {
      description:
        '`seen`: exporters told of traffic to it in the last 24 hours. `none`: they did not, in 24 hours or more of watching it, although they tell of other traffic: it cannot be observed, or nobody goes there. `unknown`: it is not watched for so long, or no exporter tells of anything.',
    }),
    lastTrafficAt: MaybeMoment('The latest minute with traffic to it in the last 24 hours. Null: there is none.'),
    sharedWith: Type.Array(Type.String(), {
      description:
        "Other registered domains of the caller's whose names lead there: an attack on it may be meant for one of them.",
    }),
    isOwn: Type.Boolean({
      description:
        'Whether the caller has a say over the address (see "Who may watch what" in the documentation), rather than over a name only that leads there. False: its traffic is not told, and of attacks on it totals at most.',
    }),
  },
  closed,
)

export const SiteReport = Type.Object(
  {
    host: Type.String({ description: 'The host record in canonical form.' }),
    isEnabled: Type.Boolean({
      description: 'Whether the site is monitored. The addresses of one that is not are not known.',
    }),
    addedAt: Type.String({ format: 'date-time', description: 'When the site was added.' }),
    addresses: Type.Array(SiteAddress, { description: 'What the site stands for now, at most 256, in order.' }),
    addressesOmitted: Type.Integer({ minimum: 0, description: 'So many more addresses there are.' }),
  },
  closed,
)

export const SiteParams = Type.Object({
  host: Type.String({
    minLength: 1,
    description: 'A host record of the caller, percent-encoded.',
    examples: ['www.example.com'],
  }),
})

export type SiteReport = Static<typeof SiteReport>
export type SiteAddress = Static<typeof SiteAddress>
