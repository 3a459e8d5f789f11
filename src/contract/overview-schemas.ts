// The shapes of what looks at everything at once: overview, search, status.
import { type Static, type TSchema, Type } from 'typebox'
import { EventRates } from './event-amount-schemas.ts'
import { EventOverview } from './event-schemas.ts'
import type { overviewRoutes } from './overview-routes.ts'
import type { EndpointSchemas } from './schemas.ts'

const closed = { additionalProperties: false } as const

const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601 with offset, in whole seconds.` })
const Maybe = <Value extends TSchema>(value: Value, description: string) =>
  Type.Union([value, Type.Null()], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Amounts = (description: string) => Type.Array(Type.Number({ minimum: 0 }), { description })

const Posture = Type.Enum(['calm', 'attack', 'no-sites', 'no-flows'], {
  description:
    'attack: an attack on a site goes on, and nobody said that it is none; no-sites: no site is monitored; no-flows: no exporter has told of anything for two minutes, so none would be seen. The first that holds.',
})

export const TrafficByMinute = Type.Object(
  {
    from: Moment('Where the first step begins.'),
    stepSeconds: Type.Integer({ minimum: 1, description: 'How long a step is.' }),
    bytesPerSecond: Amounts('An average for each step, the last of which is over.'),
    packetsPerSecond: Amounts('Likewise.'),
    flowsPerSecond: Amounts('Likewise.'),
    addressesOmitted: Count('Of so many addresses the traffic is not in it: it is of 1,000 at most.'),
  },
  {
    ...closed,
    description: 'Of all addresses of enabled sites that the caller has a say over, since they were the caller’s.',
  },
)

export const AttackSpan = Type.Object(
  {
    id: Type.String({ description: 'Of the event.' }),
    start: Moment('When the attack began.'),
    end: Maybe(Moment('When it was over.'), 'Null while it goes on.'),
    site: Type.String(),
    attackType: Maybe(Type.String(), 'Null: of unknown kind.'),
    isTest: Type.Boolean({ description: 'Whether it was simulated.' }),
  },
  closed,
)

export const OpenEvent = Type.Object(
  {
    ...EventOverview.properties,
    current: Maybe(
      Type.Object(
        {
          ...EventRates.properties,
          seconds: Type.Integer({ minimum: 1, description: 'How long the time is that the rates are averages of.' }),
          at: Moment('Where that time ends.'),
        },
        closed,
      ),
      'All traffic to the victim now, as `average` is of all since the start. Null: it is not known.',
    ),
  },
  closed,
)

export const Overview = Type.Object(
  {
    posture: Posture,
    lastDatagramAt: Maybe(Moment('When an exporter was last heard of.'), 'Null: not since the start.'),
    sites: Type.Object({ count: Count('Of the caller.'), enabled: Count('Monitored.') }, closed),
    events: Type.Object(
      {
        open: Count('Events whose attack goes on.'),
        openAcknowledged: Count('Those of them that somebody has taken note of and that are not `openDismissed`.'),
        openDismissed: Count('Those of them that somebody said to be no attack.'),
        unacknowledged: Count('Events of the last 7 days of which nobody has taken note.'),
        lastDay: Count('Events of the last 24 hours.'),
        dayBefore: Count('Events of the 24 hours before them.'),
        lastWeek: Count('Events of the last 7 days.'),
      },
      closed,
    ),
    open: Type.Array(OpenEvent, {
      description:
        'Events whose attack goes on, the worst first: by severity, then by current rate; what was said to be no attack comes last. 50 at most.',
    }),
    lastEvent: Maybe(EventOverview, 'The latest. Null: there was none.'),
    traffic: TrafficByMinute,
    attacks: Type.Array(AttackSpan, {
      description: 'Those of the last 24 hours, simulated ones too, the latest first; 200 at most.',
    }),
    topSites: Type.Array(Type.Object({ site: Type.String(), events: Count('') }, closed), {
      description: 'By events of the last 7 days, the most first; 10 at most.',
    }),
    topVectors: Type.Array(
      Type.Object({ attackType: Maybe(Type.String(), 'Null: of unknown kind.'), events: Count('') }, closed),
      { description: 'Likewise.' },
    ),
  },
  closed,
)

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'What to look for, without regard to case.',
    examples: ['example'],
  }),
})

export const SearchResult = Type.Object(
  {
    sites: Type.Array(Type.Object({ host: Type.String(), isEnabled: Type.Boolean() }, closed)),
    events: Type.Array(EventOverview, { description: 'The latest first.' }),
    addresses: Type.Array(
      Type.Object(
        {
          address: Type.String({ format: 'ipv4' }),
          sites: Type.Array(Type.String(), { description: "The caller's sites that it belongs to now." }),
        },
        closed,
      ),
      { description: 'The address that was looked for, if it is one and the caller may see it.' },
    ),
    exporters: Type.Array(Type.String(), { description: 'Ids. For `admin`.' }),
  },
  closed,
)

const Days = (description: string) => Type.Integer({ minimum: 1, description })

export const Status = Type.Object(
  {
    version: Type.String(),
    startedAt: Moment('When the service started.'),
    uptimeSeconds: Count('Since then.'),
    ready: Type.Boolean({ description: 'Whether it can do its work.' }),
    installation: Maybe(
      Type.Object(
        {
          checks: Type.Array(
            Type.Object(
              { name: Type.String(), ok: Type.Boolean(), detail: Type.String({ description: 'What is known of it.' }) },
              closed,
            ),
            { description: 'What readiness rests on.' },
          ),
          listeners: Type.Array(
            Type.Object(
              {
                protocol: Type.Enum(['netflow', 'ipfix', 'sflow']),
                host: Type.String({ description: 'Where it listens; `0.0.0.0`: at every address.' }),
                port: Type.Integer({ minimum: 1, maximum: 65_535 }),
              },
              closed,
            ),
            { description: 'Where flows are expected. Several protocols may share one.' },
          ),
          addresses: Type.Array(Type.String(), { description: 'Of this machine, but for loopback.' }),
          retentionDays: Type.Object(
            { events: Days('Events.'), series: Days('Traffic by the minute.'), bindings: Days('Names.') },
            closed,
          ),
          storeBytes: Count('Room that the store takes.'),
        },
        closed,
      ),
      'Null: unless the caller may see what belongs to the installation.',
    ),
  },
  closed,
)

/** See `docs/api.md`. */
export const Stream = Type.String()

export const overviewSchemas = {
  getOverview: { response: Overview },
  search: { query: SearchQuery, response: SearchResult },
  getStatus: { response: Status },
  getStream: { response: Stream },
} as const satisfies Record<keyof typeof overviewRoutes, EndpointSchemas>

export type AttackSpan = Static<typeof AttackSpan>
export type OpenEvent = Static<typeof OpenEvent>
export type Overview = Static<typeof Overview>
export type TrafficByMinute = Static<typeof TrafficByMinute>
export type SearchResult = Static<typeof SearchResult>
export type Status = Static<typeof Status>
