// The shapes of what is known of names: passive DNS in the Common Output Format (draft-dulaunoy-dnsop-passive-dns-cof), and its import.
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const

const UnixSeconds = (description: string) => Type.Number({ minimum: 0, description: `${description} Unix seconds.` })

/** A line of an import. */
export const CofRecord = Type.Object(
  {
    rrname: Type.String({ description: 'The name.' }),
    rrtype: Type.Union([Type.String(), Type.Integer()], {
      description: 'The type, as text or as its number. A and CNAME are used.',
    }),
    rdata: Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'IPv4 addresses, or names that it is an alias for.',
    }),
    time_first: Type.Optional(UnixSeconds('When it was first seen.')),
    time_last: Type.Optional(UnixSeconds('When it was last seen.')),
    time_first_ms: Type.Optional(Type.Number({ minimum: 0, description: 'The same in milliseconds, instead.' })),
    time_last_ms: Type.Optional(Type.Number({ minimum: 0, description: 'Likewise.' })),
    zone_time_first: Type.Optional(UnixSeconds('Of a record of a zone file, instead: when it was first there.')),
    zone_time_last: Type.Optional(UnixSeconds('Likewise: when it was last there.')),
    count: Type.Optional(Type.Number({ minimum: 0, description: 'How often it was seen.' })),
    bailiwick: Type.Optional(Type.String({ description: 'The zone that the answer was of: the name must lie in it.' })),
    sensor_id: Type.Optional(Type.String({ description: 'Who saw it.' })),
  },
  { description: 'Other members are ignored.' },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const NamesImport = Type.Object(
  {
    lines: count('Lines that were read.'),
    observations: count('Pairs of a name and an address that were taken.'),
    otherTypes: count("Lines that say nothing of where a host's name leads: other types, names that no host has."),
    otherNames: count(
      'Lines about names that are neither at nor below a site. What a name of a site leads to counts all the same.',
    ),
    omitted: count('Values that there was no room for: more than 256 of a name, or 150,000 in all.'),
    broken: count('Lines that cannot be read.'),
    errors: Type.Array(Type.Object({ line: Type.Integer({ minimum: 1 }), reason: Type.String() }, closed), {
      description: 'The first ten of them.',
    }),
  },
  closed,
)

/** A line of an answer. */
export const PassiveDnsRecord = Type.Object(
  {
    rrname: Type.String({ description: 'The name; of a wildcard record with `*.` before it.' }),
    rrtype: Type.Enum(['A', 'CNAME']),
    rdata: Type.String({ description: 'An IPv4 address, or the name that it is an alias for.' }),
    time_first: UnixSeconds('When it was first seen.'),
    time_last: UnixSeconds('When it was last seen.'),
    count: Type.Optional(
      count('How often it was seen. Left out where a part of it was before the site of the caller was added.'),
    ),
    sensor_id: Type.Optional(Type.String({ description: 'Who saw it last: told to `admin` only.' })),
  },
  closed,
)

export const PassiveDnsParams = Type.Object({
  question: Type.String({
    minLength: 1,
    description: 'A domain name or an IPv4 address.',
    examples: ['www.example.com'],
  }),
})

export type NamesImport = Static<typeof NamesImport>
export type PassiveDnsRecord = Static<typeof PassiveDnsRecord>
