// The frozen endpoints of events, under /open.
import { type Static, Type } from 'typebox'
import { lastDays, pageEvents } from '../limits.ts'
import { endpoint } from '../route.ts'
import { closed, Members, Moment, QueryMoment, queryExamples } from '../shapes.ts'

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
      description: `Events of the last days, as many as this says. ${lastDays.default} when none of \`last\`, \`start\` and \`end\` is given.`,
      examples: [7],
    }),
  ),
  start: Type.Optional(QueryMoment('Events at or after this moment.', queryExamples.start)),
  end: Type.Optional(QueryMoment('Events before this moment; not before `start`.', queryExamples.end)),
  limit: Type.Optional(
    Type.Integer({
      minimum: pageEvents.min,
      maximum: pageEvents.max,
      description: 'Answers by pages of at most this many events.',
      examples: [100],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{36}$',
      description: 'Where the page before ended; taken from its `Link` header. Not to be made by hand.',
      examples: ['015aad64f0b058bfd7ae1f0a4b3c9d2e6f70'],
    }),
  ),
})

export const EventParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of an event.', examples: ['58bfd7ae1f0a4b3c9d2e6f70'] }),
})

export type DdosEvent = Static<typeof DdosEvent>
export type DdosEventDetail = Static<typeof DdosEventDetail>
export type StatisticEntry = Static<typeof StatisticEntry>
export type DnsSnapshot = Static<typeof DnsSnapshot>

const event = {
  _id: '58bfd7ae1f0a4b3c9d2e6f70',
  cts: '2017-03-08T10:09:18+00:00',
  curavg_bps: 1_893_600_000,
  curavg_flows: 42_300,
  curavg_pps: 4_056_000,
  deviate: 38.2,
  ip: '192.0.2.10',
  domain: 'www.example.com',
  site: '*.example.com',
}

export const openEventEndpoints = {
  listEvents: endpoint(
    {
      method: 'GET',
      path: '/open/event/ddos',
      scope: 'read',
      role: 'viewer',
      tag: 'Events',
      summary: 'List DDoS events',
      description:
        'Events of the caller with `start` <= `cts` < `end`, ascending by (`cts`, `_id`). Without `last`, `start` and `end`: the last 30 days. `end` alone: the 30 days before it. `last` with the others: what lies in both. Without `limit` the whole window is answered; with it a page, and a `Link` header with `rel="next"` when there is more.',
      givesPages: true,
      links: {
        detail: {
          endpoint: 'getEvent',
          id: '$response.body#/data/0/_id',
          description: 'The detail of the first event.',
        },
      },
    },
    { query: EventQuery, response: EventList },
    { response: { data: [{ ...event, attack_type: 'udp@attack@amp_flood_target-NTP' }] } },
  ),
  getEvent: endpoint(
    {
      method: 'GET',
      path: '/open/event/ddos/detail/{id}',
      scope: 'read',
      role: 'viewer',
      tag: 'Events',
      summary: 'Get attack details',
      description:
        'The statistics of one event, so far while the attack goes on. `data` is empty when there is no such event, or it is not of the caller.',
    },
    { params: EventParams, response: EventAnswer },
    {
      response: {
        data: {
          ...event,
          dac: [
            {
              domain: 'www.example.com',
              a: { '192.0.2.10': '2017-03-08T10:05:00+00:00' },
              cname: { 'edge.example.net': '2017-03-08T10:05:00+00:00' },
            },
          ],
          dstport: [{ Item: 443, Bytes: 315_600_000, Flows: 7050, Packets: 676_000, Prots: { '17': {} } }],
          srcport: [{ Item: 123, Bytes: 315_600_000, Flows: 7050, Packets: 676_000, Prots: { '17': {} } }],
          srcip: [{ Item: 3_325_256_705, Bytes: 468_000, Flows: 12, Packets: 1000, Prots: { '17': {} } }],
          proto: [{ Item: 17, Bytes: 315_600_000, Flows: 7050, Packets: 676_000, Prots: { '17': {} } }],
          flags: [],
        },
      },
    },
  ),
}
