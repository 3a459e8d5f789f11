// Passive DNS in the Common Output Format (draft-dulaunoy-dnsop-passive-dns-cof): questions, and its import.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { Count, closed } from '../shapes.ts'

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

export const NamesImport = Type.Object(
  {
    lines: Count('Lines that were read.'),
    observations: Count('Pairs of a name and an address that were taken.'),
    otherTypes: Count("Lines that say nothing of where a host's name leads: other types, names that no host has."),
    otherNames: Count(
      'Lines about names that are neither at nor below a site. What a name of a site leads to counts all the same.',
    ),
    omitted: Count('Values that there was no room for: more than 256 of a name, or 150,000 in all.'),
    broken: Count('Lines that cannot be read.'),
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
      Count('How often it was seen. Left out where a part of it was before the site of the caller was added.'),
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

export const passiveDnsEndpoints = {
  importNames: endpoint(
    {
      method: 'POST',
      path: '/api/v1/names/observations',
      scope: 'admin',
      role: 'admin',
      takesLines: true,
      tag: 'Names',
      summary: 'Import passive DNS',
      description:
        'Takes records of passive DNS (Common Output Format) of types A and CNAME, one JSON object per line. Names at or below any user’s sites are kept, with their aliases; other names are skipped. Lines that cannot be read are counted, and the first of them reported. Nothing takes effect before all lines are read; repeating an import changes nothing. 429 while another import runs.',
    },
    { body: CofRecord, response: NamesImport },
    {
      body: {
        rrname: 'shop.example.com',
        rrtype: 'A',
        rdata: ['192.0.2.10'],
        time_first: 1_487_000_000,
        time_last: 1_488_967_758,
        count: 17,
      },
      response: {
        lines: 1,
        observations: 1,
        otherTypes: 0,
        otherNames: 0,
        omitted: 0,
        broken: 0,
        errors: [],
      },
    },
  ),
  queryPassiveDns: endpoint(
    {
      method: 'GET',
      path: '/pdns/query/{question}',
      scope: 'read',
      role: 'viewer',
      adminSeesAll: true,
      givesLines: true,
      tag: 'Names',
      summary: 'Query passive DNS',
      description:
        'The addresses of a name, alias by alias, or the names of an address, in the Common Output Format: one JSON object per line, at most 10,000; none if nothing is known. Callers see names at or below their enabled sites, from when the site was added; a token for `admin` sees all.',
    },
    { params: PassiveDnsParams, response: PassiveDnsRecord },
    {
      response: {
        rrname: 'shop.example.com',
        rrtype: 'A',
        rdata: '192.0.2.10',
        time_first: 1_487_000_000,
        time_last: 1_488_967_758,
        count: 17,
      },
    },
  ),
}
