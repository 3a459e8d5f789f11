// The shapes of the interface, under the names of routes.ts. From these come validation, serialization, OpenAPI and the types of the
// handlers and of the client.
import { type Static, type TSchema, Type } from 'typebox'
import { accountSchemas } from './account-schemas.ts'
import { eventFilters } from './event-filters.ts'
import { noteSchemas } from './event-note-schemas.ts'
import { EventOverviews, EventReport, EventSeries } from './event-schemas.ts'
import { ExporterDetail, ExporterList, ExporterParams } from './exporter-schemas.ts'
import { groupSchemas, SiteChange } from './group-schemas.ts'
import { hostsMax, lastDays, pageEvents } from './limits.ts'
import { nameReportSchemas } from './name-report-schemas.ts'
import { CofRecord, NamesImport, PassiveDnsParams, PassiveDnsRecord } from './name-schemas.ts'
import { overviewSchemas } from './overview-schemas.ts'
import { QueryMoment } from './query-moment.ts'
import type { RouteName } from './routes.ts'
import { simulationSchemas } from './simulation-schemas.ts'
import { ProofList, SiteParams, SiteReport } from './site-schemas.ts'
import { Target, TargetParams } from './target-schemas.ts'
import { trafficSchemas } from './traffic-schemas.ts'

const closed = { additionalProperties: false } as const

const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601 with offset, in whole seconds.` })

/** An object whose members have names from outside: any text, line breaks too, which the pattern of `Type.Record` leaves out. */
const Members = <Value extends TSchema>(value: Value, description?: string) =>
  Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    ...(description === undefined ? {} : { description }),
  })

export const Site = Type.Object(
  {
    create_time: Moment('When the site was added.'),
    group_id: Type.Union([Type.String(), Type.Null()], { description: 'Group of the site; null when it has none.' }),
    group_name: Type.String({ description: 'Name of the group; empty when there is none.' }),
    host: Type.String({
      description:
        'The host record in canonical form: lower case, no trailing dot, international names as A-labels, host bits of a range cleared.',
    }),
    is_enable: Type.Boolean({ description: 'Whether the site is monitored.' }),
    user_email: Type.String({ description: 'E-mail of the owner.' }),
  },
  closed,
)

export const SiteList = Type.Object(
  {
    data: Type.Array(Site),
    status: Type.Integer({ enum: [0, 1], description: '1: success; 0: the list could not be read, `data` is empty.' }),
  },
  closed,
)

export const HostBatch = Type.Object(
  {
    hosts: Type.Array(Type.String(), {
      minItems: 1,
      description: `Host records: a full domain name, \`*.\` and a domain, an IPv4 address, or an IPv4 range with a prefix length of at least 24. More than ${hostsMax} are answered with 413.`,
    }),
  },
  { description: 'Other members are ignored.' },
)

const AnyHostBatch = Type.Object(
  {
    hosts: Type.Array(Type.String(), {
      minItems: 1,
      description: `As of \`/open/site/add\`, and IPv4 ranges with a prefix length from 16 to 23. More than ${hostsMax} are answered with 413.`,
    }),
  },
  { description: 'Other members are ignored.' },
)

const Verdict = Type.Integer({ enum: [1, 0, -1], description: '1: all succeeded; 0: some failed; -1: all failed.' })
const Success = Type.Array(Type.String(), { description: 'The hosts for which it was done, as the caller spelt them.' })

export const AddOutcome = Type.Object(
  {
    status: Verdict,
    success: Success,
    error: Type.Array(Members(Type.String()), {
      description:
        'An object for each rejected host, with one member: the host, as the caller spelt it, and the reason.',
    }),
  },
  closed,
)

export const BatchOutcome = Type.Object(
  {
    status: Verdict,
    success: Success,
    error: Type.Array(Type.String(), {
      description: 'The hosts that are no sites of the caller, as the caller spelt them.',
    }),
  },
  closed,
)

const eventFields = {
  _id: Type.String({ pattern: '^[0-9a-f]{24}$', description: 'Unique id; it leads to the detail.' }),
  cts: Moment('When the event was detected and became listable.'),
  curavg_bps: Type.Number({ minimum: 0, description: 'Bytes (not bits) per minute.' }),
  curavg_flows: Type.Number({ minimum: 0, description: 'Flows per minute.' }),
  curavg_pps: Type.Number({ minimum: 0, description: 'Packets per minute.' }),
  deviate: Type.Number({ description: 'Traffic during the attack compared with normal traffic.' }),
  ip: Type.String({ format: 'ipv4', description: 'Address of the victim.' }),
  domain: Type.String({ description: 'Host name that led to the victim during the attack; may be empty.' }),
  site: Type.String({ description: 'The monitored host record that the victim belongs to.' }),
}

export const DdosEvent = Type.Object(
  {
    ...eventFields,
    attack_type: Type.Optional(
      Type.String({
        description:
          'Attack vector, a label with parts separated by `@`: an open vocabulary. Absent: a traffic spike of unknown kind.',
      }),
    ),
  },
  closed,
)

export const EventList = Type.Object({ data: Type.Array(DdosEvent) }, closed)

export const StatisticEntry = Type.Object(
  {
    Item: Type.Integer({
      minimum: 0,
      description: 'Port, address as an unsigned 32-bit number, protocol, or TCP flags.',
    }),
    Bytes: Type.Number({ minimum: 0 }),
    Flows: Type.Number({ minimum: 0 }),
    Packets: Type.Number({ minimum: 0 }),
    Prots: Members(Type.Object({}), 'A member for each IP protocol seen with the item.'),
  },
  closed,
)

export const DnsSnapshot = Type.Object(
  {
    domain: Type.String({ description: 'The host name.' }),
    a: Members(Moment('When the address was last confirmed.')),
    cname: Members(Moment('When the alias was last confirmed.')),
  },
  {
    ...closed,
    description: 'With a `cname`, the domain is an alias for that name, which leads to the address in `a`.',
  },
)

const Statistics = (item: string) => Type.Array(StatisticEntry, { description: `By ${item}; largest \`Flows\` first.` })

export const DdosEventDetail = Type.Object(
  {
    ...eventFields,
    dac: Type.Array(DnsSnapshot, { description: 'DNS evidence about the victim.' }),
    dstport: Statistics('destination port'),
    srcport: Statistics('source port'),
    srcip: Statistics('source address (1.1.1.1 = 16843009)'),
    proto: Statistics('IP protocol'),
    flags: Statistics('TCP flags'),
  },
  closed,
)

export const NoEvent = Type.Object({}, { ...closed, description: 'There is no such event for the caller.' })

export const EventAnswer = Type.Object({ data: Type.Union([DdosEventDetail, NoEvent]) }, closed)

export const EventQuery = Type.Object({
  last: Type.Optional(
    Type.Integer({
      minimum: lastDays.min,
      maximum: lastDays.max,
      description: `Events of the last so many days. ${lastDays.default} when none of \`last\`, \`start\` and \`end\` is given.`,
    }),
  ),
  start: Type.Optional(QueryMoment('Events at or after this moment.')),
  end: Type.Optional(QueryMoment('Events before this moment; not before `start`.')),
  limit: Type.Optional(
    Type.Integer({
      minimum: pageEvents.min,
      maximum: pageEvents.max,
      description: 'Answer a page of at most so many events.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{36}$',
      description: 'Where the page before ended; taken from its `Link` header. Not to be made by hand.',
    }),
  ),
})

export const FindEventsQuery = Type.Object({ ...EventQuery.properties, ...eventFilters })

export const EventParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of an event.' }),
})

export const Problem = Type.Object(
  {
    title: Type.String({ description: 'What kind of problem it is.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          parameter: Type.Optional(Type.String({ description: 'The query parameter or header that is wrong.' })),
          pointer: Type.Optional(Type.String({ description: 'The place in the body that is wrong (JSON Pointer).' })),
          detail: Type.String(),
        }),
      ),
    ),
  },
  { description: 'RFC 9457.' },
)

export interface EndpointSchemas {
  params?: TSchema
  query?: TSchema
  body?: TSchema
  response: TSchema
}

export const schemas = {
  listSites: { response: SiteList },
  addSites: { body: HostBatch, response: AddOutcome },
  addAnySites: { body: AnyHostBatch, response: AddOutcome },
  deleteSites: { body: HostBatch, response: BatchOutcome },
  enableSites: { body: HostBatch, response: BatchOutcome },
  disableSites: { body: HostBatch, response: BatchOutcome },
  listEvents: { query: EventQuery, response: EventList },
  getEvent: { params: EventParams, response: EventAnswer },
  findEvents: { query: FindEventsQuery, response: EventOverviews },
  getEventReport: { params: EventParams, response: EventReport },
  getEventSeries: { params: EventParams, response: EventSeries },
  getTarget: { params: TargetParams, response: Target },
  getSite: { params: SiteParams, response: SiteReport },
  importNames: { body: CofRecord, response: NamesImport },
  queryPassiveDns: { params: PassiveDnsParams, response: PassiveDnsRecord },
  verifySite: { params: SiteParams, response: SiteReport },
  listProofs: { response: ProofList },
  listExporters: { response: ExporterList },
  getExporter: { params: ExporterParams, response: ExporterDetail },
  ...overviewSchemas,
  ...trafficSchemas,
  ...nameReportSchemas,
  ...noteSchemas(EventParams),
  changeSites: { body: SiteChange, response: BatchOutcome },
  ...groupSchemas,
  ...simulationSchemas,
  ...accountSchemas,
} as const satisfies Record<RouteName, EndpointSchemas>

type Part<Name extends RouteName, Key extends keyof EndpointSchemas> = (typeof schemas)[Name] extends {
  [K in Key]: infer Schema extends TSchema
}
  ? Static<Schema>
  : undefined

export type Body<Name extends RouteName> = Part<Name, 'body'>
export type Params<Name extends RouteName> = Part<Name, 'params'>
export type Query<Name extends RouteName> = Part<Name, 'query'>
export type Response<Name extends RouteName> = Static<(typeof schemas)[Name]['response']>

export type Site = Static<typeof Site>
export type DdosEvent = Static<typeof DdosEvent>
export type DdosEventDetail = Static<typeof DdosEventDetail>
export type StatisticEntry = Static<typeof StatisticEntry>
export type DnsSnapshot = Static<typeof DnsSnapshot>
export type HostBatch = Static<typeof HostBatch>
export type AddOutcome = Static<typeof AddOutcome>
export type BatchOutcome = Static<typeof BatchOutcome>
export type EventQuery = Static<typeof EventQuery>
export type Problem = Static<typeof Problem>
