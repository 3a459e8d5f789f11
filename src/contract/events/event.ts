// The shapes of the events' part of the interface under /api/v1: an event, its report, its course.
import { type Static, type TNull, type TNumber, type TSchema, type TUnion, Type } from 'typebox'
import { Amount, Count, closed, Maybe, Moment } from '../shapes.ts'
import { EventEpisode, eventAmount, eventProgress } from './amounts.ts'
import { classifications } from './classifications.ts'
import { type EventNumberName, type eventNumbers, ofEachNumber } from './numbers.ts'
import { EventExporterEntry, EventOrigins, flowsMissedMax, place, toldOrigin } from './origins.ts'

const Address = (description: string) => Type.String({ format: 'ipv4', description })

export const Saying = Type.Object(
  { by: Type.String({ description: 'The e-mail of the user.' }), at: Moment('When.') },
  closed,
)

export const Classification = Type.Enum([...classifications])

export const EventSeverity = Type.Enum(['low', 'medium', 'high', 'critical'], {
  description:
    'By the averages of its worst episode: critical from ten times normal and 100 kpps or 1 Gbps on, high from five times and 10 kpps or 100 Mbps, medium from twice and 1 kpps or 10 Mbps. Where normal is not known, by packets and bits alone.',
})

type NumberSchemas = {
  [Name in EventNumberName]: (typeof eventNumbers)[Name]['isNullable'] extends true ? TUnion<[TNumber, TNull]> : TNumber
}

const numberSchemas = ofEachNumber<TSchema, NumberSchemas>((_, { description, isNullable, minimum }) => {
  const bounds = minimum === null ? {} : { minimum }
  return isNullable ? Maybe(Type.Number(bounds), description) : Type.Number({ ...bounds, description })
})

const overview = {
  id: Type.String({
    pattern: '^[0-9a-f]{24}$',
    description: 'Unique id; it leads to the report. The same under `/open`.',
  }),
  createdAt: Moment('When the event became listable: what the window of the list is about.'),
  ...eventProgress,
  address: Address('The victim.'),
  site: Type.String({
    description:
      'The monitored host record that the event is named after: the best of those that the victim belongs to (the address itself, the longest network, the name, the longest wildcard).',
  }),
  domain: Type.String({ description: 'Host name that led to the victim during the attack; may be empty.' }),
  view: Type.Enum(['all', 'totals'], {
    description:
      '`totals`: some of the addresses that are hit are not the caller’s, who has only a name that leads there; statistics are empty then.',
  }),
  attackType: Maybe(Type.String(), 'The vector: an open vocabulary. Null: a spike of traffic of unknown kind.'),
  ...eventAmount,
  acknowledged: Maybe(Saying, 'Who has taken note of it. Null: nobody.'),
  classification: Maybe(Classification, 'What people say that it was. Null: nothing was said.'),
  severity: EventSeverity,
  ...numberSchemas,
  isTest: Type.Boolean({
    description: 'Whether the attack was simulated: it counts nowhere, and is not shown under `/open`.',
  }),
  network: Maybe(
    Type.Object(
      {
        prefix: Type.String({
          description: 'The network that they are in, /24 or larger.',
          examples: ['192.0.2.0/24'],
        }),
        addresses: Type.Integer({ minimum: 2, description: 'Addresses of the caller’s sites that are hit, or were.' }),
      },
      closed,
    ),
    'Carpet bombing: the addresses of the caller’s sites that are hit. Null: `address` alone is.',
  ),
}

export const EventOverview = Type.Object(overview, closed)

export const EventOverviews = Type.Object({ events: Type.Array(EventOverview) }, closed)

/** Items as numbers, and as people read them. */
export const EventListEntry = Type.Object(
  {
    item: Count('Port, address as an unsigned 32-bit number, protocol, TCP flags, or packet length.'),
    text: Type.String({ description: 'The same for people: `192.0.2.1`, `UDP`, `......S.`.' }),
    flows: Amount('Flow records.'),
    packets: Amount('Scaled by the sampling rate.'),
    bytes: Amount('Scaled by the sampling rate.'),
    protocols: Type.Array(Type.String(), { description: 'Protocols seen with the item, by name or number.' }),
  },
  closed,
)

/** A source, and where it is. */
export const EventSource = Type.Object({ ...EventListEntry.properties, ...place }, closed)

const List = (what: string) =>
  Type.Object(
    { flowsMissedMax, entries: Type.Array(EventListEntry, { description: 'Most flow records first, 100 at most.' }) },
    { ...closed, description: `By ${what}.` },
  )

export const EventSample = Type.Object(
  {
    start: Moment('First packet.'),
    end: Moment('Last packet.'),
    source: Address('Where it came from.'),
    sourcePort: Count('Its port.'),
    destination: Address('Where it went to.'),
    destinationPort: Count('Its port.'),
    protocol: Type.String({ description: 'By name or number.' }),
    tcpFlags: Type.String({ description: 'Eight positions, `.` where a flag is not set.' }),
    packets: Amount('Scaled by the sampling rate.'),
    bytes: Amount('Scaled by the sampling rate.'),
    samplingRate: Maybe(Type.Number({ minimum: 1 }), '1 of how many packets. Null: it is not known.'),
    exporter: Maybe(Type.String(), 'Who exported it. Null: unless the token is for `admin`.'),
  },
  closed,
)

export const EventStatistics = Type.Object(
  {
    destinationPorts: List('destination port'),
    sourcePorts: List('source port'),
    sources: Type.Object(
      { flowsMissedMax, entries: Type.Array(EventSource, { description: 'Most flow records first, 100 at most.' }) },
      { ...closed, description: 'By source address.' },
    ),
    origins: Maybe(
      EventOrigins,
      'The entries of `sources` by where they are, as the databases say now: of the sources with most flow records alone, not of all. Null: there is no database.',
    ),
    protocols: List('IP protocol'),
    tcpFlags: List('TCP flags'),
    packetLengths: List('mean length of the packets of a record, in octets'),
    ...toldOrigin,
    exporters: Maybe(
      Type.Object({ flowsMissedMax, entries: Type.Array(EventExporterEntry) }, closed),
      'By exporter. Null: unless the token is for `admin`.',
    ),
    distinctSources: Type.Object(
      {
        count: Count('How many different sources there are.'),
        standardError: Amount('Of an estimate: its standard deviation, as a part of the count. 0: it is counted.'),
      },
      closed,
    ),
    samples: Type.Array(EventSample, {
      description: 'Some records to addresses of the caller’s sites, each with the same chance to be here; by time.',
    }),
  },
  { ...closed, description: 'Of everything that came to the victim since the attack began, so far while it goes on.' },
)

export const EventWhy = Type.Object(
  {
    metric: Type.String({
      description: 'What crossed its line, such as `packets`, `bytes`, `flows`: an open vocabulary.',
    }),
    valuePerSecond: Amount('How much there was of it.'),
    linePerSecond: Amount('The line that it crossed.'),
    normalPerSecond: Maybe(Amount('What is normal.'), 'Null: it was not learnt.'),
    band: Maybe(
      Type.Object({ lowPerSecond: Amount('Seldom less.'), highPerSecond: Amount('Seldom more.') }, closed),
      'Between what normal varies. Null: it was not learnt.',
    ),
    standardError: Type.Number({
      minimum: 0,
      description: 'How certain the value is: its standard deviation over the value, from sampling. 0: exact.',
    }),
    source: Type.String({ description: 'Where the line comes from: an open vocabulary.' }),
  },
  closed,
)

export const EventVector = Type.Object(
  {
    attackType: Type.String({ description: 'An open vocabulary.' }),
    share: Type.Number({ minimum: 0, maximum: 1, description: 'Of all packets to the victim, 0 to 1.' }),
    packetsPerSecond: Amount('Scaled by the sampling rate.'),
  },
  closed,
)

export const EventVictim = Type.Object(
  {
    address: Address('Of the site.'),
    packetsPerSecond: Amount("Of the attack's vector, scaled by the sampling rate."),
    bytesPerSecond: Amount('Likewise.'),
  },
  closed,
)

export const EventVictimNetwork = Type.Object(
  {
    network: Type.String({ description: 'A /24.', examples: ['192.0.2.0/24'] }),
    addresses: Type.Integer({
      minimum: 1,
      description: 'Addresses of the caller’s sites in it that are hit, or were.',
    }),
    packetsPerSecond: Amount('What these get together, as of each victim.'),
    bytesPerSecond: Amount('Likewise.'),
  },
  closed,
)

export const EventDns = Type.Object(
  {
    domain: Type.String({ description: 'The host name.' }),
    addresses: Type.Array(
      Type.Object({ address: Type.String(), confirmedAt: Moment('When it last led there.') }, closed),
    ),
    aliases: Type.Array(Type.Object({ name: Type.String(), confirmedAt: Moment('When it last was one.') }, closed), {
      description: 'Names that the domain is an alias for.',
    }),
  },
  closed,
)

export const EventNote = Type.Object(
  {
    acknowledged: overview.acknowledged,
    classification: overview.classification,
    text: Type.String({ description: 'Plain text.' }),
    said: Maybe(Saying, 'Who changed classification or text last. Null: nobody.'),
  },
  { ...closed, description: 'What people have said of it.' },
)

export const TimelineEntry = Type.Object(
  {
    what: Type.Enum(['began', 'peaked', 'listed', 'ended', 'returned', 'acknowledged', 'classified'], {
      description:
        '`listed`: it could be seen here. `ended`, `returned`: once for each episode. `classified`: somebody said last what it was.',
    }),
    at: Moment('When.'),
    by: Maybe(Type.String(), 'Who did it, by e-mail. Null: nobody.'),
  },
  closed,
)

export const EventAlert = Type.Object(
  {
    channel: Type.String({ description: 'As its user calls it.' }),
    kind: Type.String({ description: 'Of the channel.' }),
    notice: Type.Enum(['started', 'worsened', 'vector', 'continues', 'escalated', 'ended', 'resumed'], {
      description: 'What was told.',
    }),
    state: Type.Enum(['held', 'due', 'sending', 'joined', 'done', 'dead', 'superseded'], {
      description: 'As in `GET /api/v1/alerts/deliveries`.',
    }),
    at: Moment('When it arrived, or was given up; while it waits, when it is tried next.'),
  },
  closed,
)

export const EventReport = Type.Object(
  {
    ...overview,
    sites: Type.Array(Type.String(), {
      description:
        'Every site of the caller that the attack has hit so far, also those that are deleted since: `site` first, then the others that it affects. 1,000 at most.',
    }),
    episodes: Type.Array(EventEpisode, {
      description:
        'From each beginning to the end that was reported, in order; the latest 1,000. Their totals sum up to that of the event.',
    }),
    why: Type.Array(EventWhy, { description: 'Which rate crossed which line.' }),
    vectors: Type.Array(EventVector, {
      description: 'What the attack consists of, the largest part first; the shares are no more than 1 together.',
    }),
    networks: Type.Array(EventVictimNetwork, {
      description:
        'Of an attack on a network: the /24s with addresses of the caller’s sites that are hit, or were, the hardest hit first. Empty: `address` alone is.',
    }),
    victims: Type.Array(EventVictim, {
      description:
        'Likewise, the addresses, the hardest hit first. When more than 1,024 are hit, of all owners, the hardest hit ones of each /24; `networks` counts all.',
    }),
    note: EventNote,
    timeline: Type.Array(TimelineEntry, { description: 'In the order of time.' }),
    alerts: Type.Array(EventAlert, {
      description:
        'Which channels of the caller are told what about it, in the order of what was told; the latest 500.',
    }),
    statistics: EventStatistics,
    dns: Type.Array(EventDns, { description: 'DNS evidence about the victim.' }),
    isShared: Type.Boolean({
      description:
        'Whether the victim is an address that many sites share, by the operator\u2019s word or by the caller\u2019s own names: the target may be a neighbour.',
    }),
  },
  closed,
)

/** An average for each step; null: nothing is known of it. */
const Averages = () => Type.Array(Maybe(Amount(''), ''))

export const EventCourse = Type.Object(
  { bytesPerSecond: Averages(), packetsPerSecond: Averages(), flowsPerSecond: Averages() },
  {
    ...closed,
    description:
      'An average for each step, over those of its seconds that something is known of. Null, in all three: nothing is, since the service was down. 0: there was no traffic.',
  },
)

export const EventBand = Type.Object(
  {
    lowPacketsPerSecond: Amount('Traffic is seldom less.'),
    highPacketsPerSecond: Amount('Traffic is seldom more.'),
  },
  closed,
)

export const EventSeries = Type.Object(
  {
    id: Type.String({ description: 'Of the event.' }),
    from: Moment('Where the first step begins.'),
    stepSeconds: Type.Integer({ minimum: 1, description: 'How long a step is. The last one may not be over yet.' }),
    total: EventCourse,
    attack: EventCourse,
    normal: Maybe(
      Type.Object({ total: EventBand, attack: EventBand }, closed),
      'Between what packets per second normally are. Null: it is not learnt.',
    ),
  },
  {
    ...closed,
    description:
      "All traffic of the victim (`total`), and that of the attack's vector. Arrays of the same length, which is 0 when nothing is known yet.",
  },
)

export type EventNote = Static<typeof EventNote>
export type EventAlert = Static<typeof EventAlert>
export type EventOverview = Static<typeof EventOverview>
export type EventReport = Static<typeof EventReport>
export type EventSource = Static<typeof EventSource>
export type EventListEntry = Static<typeof EventListEntry>
export type EventStatistics = Static<typeof EventStatistics>
export type EventSample = Static<typeof EventSample>
export type EventSeries = Static<typeof EventSeries>
