// The shapes of what is told of names: where they led, what is to be done about them, who tells of them.
import { type Static, type TSchema, Type } from 'typebox'
import { lookUpRecordsMax, nameFindingsMax } from './limits.ts'
import type { nameReportRoutes } from './name-report-routes.ts'
import { PassiveDnsParams } from './name-schemas.ts'
import { QueryMoment } from './query-moment.ts'
import type { EndpointSchemas } from './schemas.ts'
import { SiteProof } from './site-schemas.ts'

const closed = { additionalProperties: false } as const

const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601 with offset, in whole seconds.` })
const Maybe = <Value extends TSchema>(value: Value, description: string) =>
  Type.Union([value, Type.Null()], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

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
        'Who said so last: `resolver`, the resolvers that are asked for the names of sites; `found`, they too, for a name that was looked for; `zone`, a zone transfer; `dnstap`; `import`; `told`, one of the last two of before the start.',
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
    omitted: Count('So many more there are.'),
  },
  closed,
)

const Query = Type.Object({
  at: Type.Optional(QueryMoment('Only what led there then: first seen before, confirmed after or still so.')),
})

export const NameFindings = Type.Object(
  {
    problems: Type.Array(
      Type.Object(
        {
          host: Type.String({ description: 'The site.' }),
          reason: Type.Enum(['failing', 'absent', 'refused'], {
            description:
              '`failing`: no resolver could answer when last asked. `absent`: it has no address. `refused`: there are too many names to have it resolved.',
          }),
          confirmedAt: Maybe(Moment('When it was last seen to lead anywhere.'), 'Null: it is not known.'),
        },
        closed,
      ),
      { description: `Enabled sites that are names and lead nowhere; ${nameFindingsMax} at most.` },
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
      { problems: Count('So many more there are.'), suggestions: Count('Likewise.'), proofs: Count('Likewise.') },
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
          Type.Object({ name: Type.String(), lastAt: Moment('When it was last heard of.') }, closed),
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
        observed: Count('Names at or below sites that others told of, or that were found.'),
        bindings: Count('Pairs of a name and an address that are remembered.'),
        lateSeconds: Type.Number({ minimum: 0, description: 'How long the most overdue name has waited to be asked.' }),
      },
      closed,
    ),
  },
  closed,
)

export const nameReportSchemas = {
  getNames: { response: NameFindings },
  lookUpNames: { params: PassiveDnsParams, query: Query, response: NameRecords },
  getNameSources: { response: NameSources },
} as const satisfies Record<keyof typeof nameReportRoutes, EndpointSchemas>

export type NameRecord = Static<typeof NameRecord>
export type NameFindings = Static<typeof NameFindings>
export type NameSources = Static<typeof NameSources>
