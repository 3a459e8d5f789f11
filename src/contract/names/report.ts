// Where names led, what is to be done about the caller's names, and the sources of names.
import { type Static, Type } from 'typebox'
import { lookUpRecordsMax, nameFindingsMax } from '../limits.ts'
import { endpoint } from '../route.ts'
import { Count, closed, Maybe, Moment, QueryMoment } from '../shapes.ts'
import { SiteProof } from '../sites/report.ts'
import { PassiveDnsParams } from './passive-dns.ts'

export const NameRecord = Type.Object(
  {
    name: Type.String({ description: 'The name; of a wildcard record with `*.` before it.' }),
    aliases: Type.Array(Type.String(), { description: 'Names on the way to the address, in order.' }),
    address: Type.String({ format: 'ipv4' }),
    firstAt: Moment('When it was first seen to lead there; not before the site of the caller was added.'),
    confirmedAt: Moment('When it was last seen to.'),
    isCurrent: Type.Boolean({ description: 'Whether it leads there now, as far as is known.' }),
    source: Type.Enum(['resolver', 'found', 'zone', 'dnstap', 'import', 'told'], {
      description:
        'Who said so last: `resolver`, the resolvers that are asked for the names of sites; `found`, they too, for a name that was looked for; `zone`, a zone transfer; `dnstap`; `import`; `told`, one of the last two, by a version that did not keep which.',
    }),
    sensor: Maybe(Type.String(), 'By name. Null: there is none, or the token is not for `admin`.'),
  },
  closed,
)

export const NameRecords = Type.Object(
  {
    records: Type.Array(NameRecord, {
      description: `Current ones first, then those confirmed last; ${lookUpRecordsMax} at most.`,
    }),
    omitted: Count('How many more there are.'),
    isRefused: Type.Boolean({
      description:
        'Whether addresses of the name had no place, since there are too many of all names: it leads to more than is here.',
    }),
  },
  closed,
)

const Query = Type.Object({
  at: Type.Optional(
    QueryMoment(
      'Only what led there then: first seen before, confirmed after or still so.',
      '2017-03-08T10:09:18+00:00',
    ),
  ),
})

export const NameFindings = Type.Object(
  {
    problems: Type.Array(
      Type.Object(
        {
          host: Type.String({ description: 'The site.' }),
          reason: Type.Enum(['failing', 'absent', 'refused'], {
            description:
              '`failing`: no resolver could answer when last asked. `absent`: it has no address. `refused`: there are too many names to have it resolved, or too many addresses of names to keep all of its.',
          }),
          confirmedAt: Maybe(Moment('When it was last seen to lead anywhere.'), 'Null: it is not known.'),
        },
        closed,
      ),
      {
        description: `Enabled sites that are names and lead nowhere, or not to all of their addresses; ${nameFindingsMax} at most.`,
      },
    ),
    suggestions: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          address: Type.String({ format: 'ipv4' }),
          site: Type.String({ description: 'The site that the address belongs to.' }),
          confirmedAt: Moment('When the name was last seen to lead there.'),
        },
        closed,
      ),
      {
        description: `Names that the reverse DNS has for addresses and networks of the caller, that lead there, and that are at or below none of their sites; ${nameFindingsMax} at most.`,
      },
    ),
    proofs: Type.Array(
      Type.Object({ host: Type.String({ description: 'The site.' }), ...SiteProof.properties }, closed),
      {
        description: `What has to be proved and is not, or not any more; ${nameFindingsMax} at most.`,
      },
    ),
    omitted: Type.Object(
      { problems: Count('How many more there are.'), suggestions: Count('Likewise.'), proofs: Count('Likewise.') },
      closed,
    ),
  },
  closed,
)

export const NameSources = Type.Object(
  {
    resolvers: Type.Array(
      Type.Object(
        {
          resolver: Type.String({ description: 'As it is asked: ADDRESS:PORT, or with `tls://` before it.' }),
          state: Type.Enum(['ok', 'silent', 'refused'], {
            description:
              '`silent`: it has not answered the last questions. `refused`: the last question could not even be asked.',
          }),
          detail: Maybe(Type.String(), 'Of `refused`: why. Null: nothing.'),
          asked: Count('Questions since the start.'),
          unanswered: Count('Of these, those without an answer.'),
          failed: Count('Those answered with SERVFAIL, REFUSED and the like.'),
          foreign: Count('Messages that answered no question: broken, or forged.'),
        },
        closed,
      ),
    ),
    dnstap: Type.Object(
      {
        listeners: Type.Array(Type.String(), { description: 'Where it is expected. Empty: nowhere.' }),
        connections: Count('Open ones.'),
        frames: Count('Since the start.'),
        answers: Count('Of these, about names of sites.'),
        refused: Type.Array(Type.Object({ reason: Type.String(), count: Count('Since the start.') }, closed), {
          description: 'What was turned away, by reason: see `floodgauge_dnstap_refused_total`.',
        }),
        sensors: Type.Array(
          Type.Object({ name: Type.String(), lastAt: Moment('When it last sent anything.') }, closed),
          { description: 'Who sends it, by the name that each gives itself.' },
        ),
      },
      closed,
    ),
    zones: Type.Array(
      Type.Object(
        {
          zone: Type.String(),
          server: Type.String({ description: 'ADDRESS:PORT.' }),
          serial: Maybe(Count('Of the zone.'), 'Null: it was not transferred yet.'),
          checkedAt: Maybe(Moment('When its server last said what it has.'), 'Null: never.'),
          failure: Maybe(Type.String(), 'Why the last question failed: an open vocabulary. Null: it did not.'),
          names: Count('Pairs of a name and an address in it.'),
          omitted: Count('Records that there was no room for.'),
        },
        closed,
      ),
    ),
    names: Type.Object(
      {
        resolved: Count('Names that are kept resolved.'),
        failing: Count('Of these, those that no resolver could answer for when last asked.'),
        observed: Count('Names at or below sites that others reported, or that were found.'),
        bindings: Count('Pairs of a name and an address that are remembered.'),
        lateSeconds: Type.Number({ minimum: 0, description: 'How long the most overdue name has waited to be asked.' }),
      },
      closed,
    ),
  },
  closed,
)

export type NameRecord = Static<typeof NameRecord>
export type NameFindings = Static<typeof NameFindings>
export type NameSources = Static<typeof NameSources>

const record: NameRecord = {
  name: 'www.example.com',
  aliases: ['edge.example.net'],
  address: '192.0.2.10',
  firstAt: '2017-02-01T08:00:00+00:00',
  confirmedAt: '2017-03-08T10:05:00+00:00',
  isCurrent: true,
  source: 'resolver',
  sensor: null,
}

const findings: NameFindings = {
  problems: [{ host: 'old.example.com', reason: 'absent', confirmedAt: '2017-03-07T22:14:09+00:00' }],
  suggestions: [
    {
      name: 'shop.example.org',
      address: '192.0.2.25',
      site: '192.0.2.0/28',
      confirmedAt: '2017-03-08T09:58:31+00:00',
    },
  ],
  proofs: [
    {
      host: 'www.example.com',
      state: 'pending',
      misses: 0,
      confirmedAt: null,
      checkedAt: '2017-03-08T06:12:40+00:00',
      expiresAt: null,
      watchedUntil: null,
      record: {
        name: '_floodgauge-host-challenge.www.example.com',
        type: 'TXT',
        text: 'token=qvsrzxkgbwn6mdbjcwpa5y6ksetqb4xa expiry=2018-03-08',
      },
    },
  ],
  omitted: { problems: 0, suggestions: 0, proofs: 0 },
}

const sources: NameSources = {
  resolvers: [
    {
      ...{ resolver: '192.0.2.53:53', state: 'ok', detail: null },
      ...{ asked: 184_022, unanswered: 31, failed: 2, foreign: 0 },
    },
  ],
  dnstap: {
    ...{ listeners: ['/run/floodgauge/dnstap.sock'], connections: 1, frames: 912_004, answers: 40_113, refused: [] },
    sensors: [{ name: 'ns1', lastAt: '2017-03-08T10:09:18+00:00' }],
  },
  zones: [
    {
      ...{ zone: 'example.com', server: '192.0.2.54:53', serial: 2_017_030_801 },
      ...{ checkedAt: '2017-03-08T10:00:00+00:00', failure: null, names: 212, omitted: 0 },
    },
  ],
  names: { resolved: 418, failing: 1, observed: 96, bindings: 733, lateSeconds: 0 },
}

export const nameReportEndpoints = {
  getNames: endpoint(
    {
      method: 'GET',
      path: '/api/v1/names',
      scope: 'read',
      role: 'viewer',
      tag: 'Names',
      summary: 'List findings about names',
      description:
        'For the sites of the caller: names without an address or without an answer, names that the reverse DNS suggests, and missing proofs. Names and suggestions are refreshed every ten seconds.',
    },
    { response: NameFindings },
    { response: findings },
  ),
  lookUpNames: endpoint(
    {
      method: 'GET',
      path: '/api/v1/names/records/{question}',
      scope: 'read',
      role: 'viewer',
      adminSeesAll: true,
      tag: 'Names',
      summary: 'Look up a name or an address',
      description:
        'The addresses of a name, or the names of an address, with aliases, when each was seen, and its source. Callers see names at or below their enabled sites, from when the site was added; a token for `admin` sees all.',
    },
    { params: PassiveDnsParams, query: Query, response: NameRecords },
    { response: { records: [record], omitted: 0, isRefused: false } },
  ),
  getNameSources: endpoint(
    {
      method: 'GET',
      path: '/api/v1/names/sources',
      scope: 'admin',
      role: 'admin',
      tag: 'Names',
      summary: 'List sources of names',
      description: 'The state of resolvers, dnstap senders and transferred zones, and the number of known names.',
    },
    { response: NameSources },
    { response: sources },
  ),
}
