// Everything at once: the overview, the search, and the status of the service.
import { type Static, Type } from 'typebox'
import { checkNames } from './checks.ts'
import { EventRates } from './events/amounts.ts'
import { Classification, EventOverview, EventSeverity } from './events/event.ts'
import { overviewExample } from './events/examples.ts'
import { QAlso } from './events/filters.ts'
import { endpoint } from './route.ts'
import { Count, closed, Maybe, Moment } from './shapes.ts'

const Amounts = (description: string) => Type.Array(Type.Number({ minimum: 0 }), { description })

const Posture = Type.Enum(['calm', 'attack', 'no-sites', 'not-ready', 'no-flows'], {
  description:
    'attack: an attack on a site goes on, and nobody has said that it is not an attack; no-sites: no site is monitored; not-ready: the service would not see an attack, as its status says; no-flows: no exporter has sent flows for two minutes, so no attack would be seen. The first that holds.',
})

export const TrafficByMinute = Type.Object(
  {
    from: Moment('Where the first step begins.'),
    stepSeconds: Type.Integer({ minimum: 1, description: 'How long a step is.' }),
    bytesPerSecond: Amounts('An average for each step, the last of which is over.'),
    packetsPerSecond: Amounts('Likewise.'),
    flowsPerSecond: Amounts('Likewise.'),
    addressesOmitted: Count('How many addresses the traffic leaves out: it covers 1,000 at most.'),
  },
  {
    ...closed,
    description: 'The traffic of all addresses of enabled sites that are the caller’s, since they were.',
  },
)

export const AttackSpan = Type.Object(
  {
    id: Type.String({ description: 'Of the event.' }),
    start: Moment('When the attack began.'),
    end: Maybe(Moment('When it was over.'), 'Null while it goes on.'),
    site: Type.String(),
    attackType: Maybe(Type.String(), 'Null: of unknown kind.'),
    severity: EventSeverity,
    classification: Maybe(Classification, 'What people say that it was. Null: nothing was said.'),
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
    lastDatagramAt: Maybe(Moment('When an exporter last sent anything.'), 'Null: not since the start.'),
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
      description:
        'By events of the last 7 days that hit them, whichever site these are named after; the most first, 10 at most.',
    }),
    topVectors: Type.Array(
      Type.Object({ attackType: Maybe(Type.String(), 'Null: of unknown kind.'), events: Count('') }, closed),
      { description: 'By events of the last 7 days, the most first; 10 at most.' },
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
  qAlso: Type.Optional(QAlso),
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

/** A bounded table that strangers or users fill. */
export const Table = Type.Object(
  {
    name: Type.String(),
    used: Count('What it holds, in entries or octets.'),
    max: Count('What it holds at most. When it is full, who holds most gives way.'),
    gaveWay: Count('Entries that lost their place, since the start.'),
    provenGaveWay: Count('Of these, entries that had worked for minutes: attacks may have gone unseen.'),
    lastGaveWay: Maybe(Moment('When an entry last lost its place.'), 'Null: none has.'),
    crowdedBy: Maybe(
      Type.String(),
      'Who was the last to push others out and holds much of it, else who holds most: the address of an exporter, or the e-mails of the users of a name. Null: it is empty.',
    ),
    holds: Count('How much that is.'),
  },
  closed,
)

const Days = (description: string) => Type.Integer({ minimum: 1, description })

export const Status = Type.Object(
  {
    version: Type.String(),
    startedAt: Moment('When the service started.'),
    uptimeSeconds: Count('Since then.'),
    ready: Type.Boolean({ description: 'Whether it would see an attack.' }),
    selfTest: Maybe(
      Type.Object(
        {
          at: Moment('When that was.'),
          seconds: Type.Number({
            minimum: 0,
            description: 'How long it took until it was found, at the slowest port.',
          }),
        },
        closed,
      ),
      'The last simulated attack that the service sent to itself, as it does once a minute, and found. Null: it has found none since its start.',
    ),
    installation: Maybe(
      Type.Object(
        {
          checks: Type.Array(
            Type.Object(
              {
                name: Type.Enum([...checkNames], { description: 'See docs/operate.md.' }),
                ok: Type.Boolean(),
                warning: Type.Boolean({
                  description: 'It is no reason not to be ready, and not as it should be either.',
                }),
                detail: Type.String({ description: 'What is known of it.' }),
                since: Maybe(Moment('Since when it fails or warns.'), 'Null: it does neither.'),
              },
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
          tables: Type.Array(Table, { description: 'The bounded tables that strangers or users fill.' }),
          retentionDays: Type.Object(
            {
              events: Days('Events.'),
              series: Days('Traffic by the minute.'),
              bindings: Days('Names.'),
              audit: Days('The audit log.'),
            },
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

export type AttackSpan = Static<typeof AttackSpan>
export type OpenEvent = Static<typeof OpenEvent>
export type Overview = Static<typeof Overview>
export type TrafficByMinute = Static<typeof TrafficByMinute>
export type SearchResult = Static<typeof SearchResult>
export type Status = Static<typeof Status>
export type Table = Static<typeof Table>

const { id, start, end, site, attackType, severity, classification, isTest, address } = overviewExample

const openOverview: EventOverview = {
  ...overviewExample,
  id: '58bfed6e1f0a4b3c9d2e6f71',
  createdAt: '2017-03-08T11:58:06+00:00',
  state: 'open',
  start: '2017-03-08T11:58:02+00:00',
  end: null,
  attackType: 'tcp@attack@syn_flood_target',
  acknowledged: null,
  classification: null,
}

const openExample: OpenEvent = {
  ...openOverview,
  current: {
    bytesPerSecond: 38_900_000,
    packetsPerSecond: 83_100,
    flowsPerSecond: 870,
    seconds: 5,
    at: '2017-03-08T12:00:02+00:00',
  },
}

const overview: Overview = {
  posture: 'attack',
  lastDatagramAt: '2017-03-08T12:00:03+00:00',
  sites: { count: 12, enabled: 11 },
  events: { open: 1, openAcknowledged: 0, openDismissed: 0, unacknowledged: 1, lastDay: 2, dayBefore: 0, lastWeek: 3 },
  open: [openExample],
  lastEvent: openOverview,
  traffic: {
    from: '2017-03-08T10:08:00+00:00',
    stepSeconds: 60,
    bytesPerSecond: [540_000, 31_560_000],
    packetsPerSecond: [610, 67_600],
    flowsPerSecond: [31, 705],
    addressesOmitted: 0,
  },
  attacks: [
    {
      ...{ id: openOverview.id, start: openOverview.start, end: null, site, isTest },
      ...{ attackType: openOverview.attackType, severity: openOverview.severity, classification: null },
    },
    { id, start, end, site, attackType, severity, classification, isTest },
  ],
  topSites: [{ site, events: 3 }],
  topVectors: [{ attackType, events: 3 }],
}

const found: SearchResult = {
  sites: [{ host: site, isEnabled: true }],
  events: [overviewExample],
  addresses: [{ address, sites: [site] }],
  exporters: [],
}

const status: Status = {
  version: '0.1.0',
  startedAt: '2017-03-01T08:00:00+00:00',
  uptimeSeconds: 612_558,
  ready: true,
  selfTest: { at: '2017-03-08T10:08:01+00:00', seconds: 0.9 },
  installation: {
    checks: [{ name: 'store', ok: true, warning: false, detail: 'writable', since: null }],
    listeners: [{ protocol: 'netflow', host: '0.0.0.0', port: 2055 }],
    addresses: ['192.0.2.5'],
    tables: [
      {
        ...{ name: 'templates', used: 16_384, max: 16_384, gaveWay: 2_212, provenGaveWay: 0 },
        ...{ lastGaveWay: '2017-03-08T10:08:13+00:00', crowdedBy: '203.0.113.9', holds: 15_902 },
      },
    ],
    retentionDays: { events: 400, series: 14, bindings: 400, audit: 400 },
    storeBytes: 41_943_040,
  },
}

export const overviewEndpoints = {
  getOverview: endpoint(
    {
      method: 'GET',
      path: '/api/v1/overview',
      scope: 'read',
      role: 'viewer',
      tag: 'Overview',
      summary: 'Get the overview',
      description:
        "Whether the caller's sites are under attack, counts of sites and events, the traffic of the last 24 hours by the minute with its attacks, and the most attacked sites of the last 7 days. Traffic and the most attacked sites are refreshed once a minute. Simulated attacks are only in the list of attacks.",
    },
    { response: Overview },
    { response: overview },
  ),
  search: endpoint(
    {
      method: 'GET',
      path: '/api/v1/search',
      scope: 'read',
      role: 'viewer',
      tag: 'Overview',
      summary: 'Search',
      description:
        'Sites and events of the caller that contain the text, five of each; sites that match by host come before those that match by group. An id finds its event, an IPv4 address the sites that it belongs to. Exporters are found with the scope `admin`.',
    },
    { query: SearchQuery, response: SearchResult },
    { response: found },
  ),
  getStatus: endpoint(
    {
      method: 'GET',
      path: '/api/v1/status',
      scope: 'read',
      role: 'viewer',
      tag: 'Overview',
      summary: 'Get the status of the service',
      description:
        'Version, uptime, readiness and the last self-test; for `admin` also the checks that readiness rests on, the listening sockets and the retention times.',
    },
    { response: Status },
    { response: status },
  ),
}

export const overviewShapes = { Overview, TrafficByMinute, AttackSpan, OpenEvent, SearchResult, Status }
