// What the console is shown in tests that have no service: a small hoster on one morning, in answers of the interface, the same each time.

import type { Response } from '../../src/contract/endpoints.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { EventOverview } from '../../src/contract/events/event.ts'
import type { SiteOverview } from '../../src/contract/sites/groups.ts'
import { formatTime } from '../../src/contract/time.ts'
import { alertAnswers, kinds as channelKinds, channelsOf, deliveriesOf, places } from './alerts/data.ts'
import { type Answers, Refusal } from './canned.ts'

/** When the pictures are taken. */
export const nowMs = Date.UTC(2017, 2, 8, 10, 30)
const minuteMs = 60_000
const ago = (minutes: number) => formatTime(nowMs - minutes * minuteMs)
const range = (count: number) => Array.from({ length: count }, (_, i) => i)
/** A number from 0 to 1 for a place in a series, the same each time. */
const noise = (at: number) => Math.abs(Math.sin(at * 12.9898) * 43758.5453) % 1
const round = (value: number) => Math.round(value * 10) / 10
const seriesOf = (rates: readonly number[], octets: number) => ({
  bytesPerSecond: rates.map((rate) => round(rate * octets)),
  packetsPerSecond: rates.map(round),
  flowsPerSecond: rates.map((rate) => round(rate / 40)),
})

const [eventExample] = endpoints.findEvents.example.response.events
const [siteExample] = endpoints.findSites.example.response.sites
const report = endpoints.getEventReport.example.response

const kinds: readonly [type: string | null, packets: number, times: number][] = [
  ['udp@attack@amp_flood_target-NTP', 312_000, 164],
  ['tcp@attack@syn_flood_target', 48_000, 21],
  ['udp@attack@amp_flood_target-DNS', 9_400, 6.2],
  [null, 5_100, 3.1],
  ['tcp@attack@conn_flood_target', 2_300, 4.4],
  ['ip@attack@proto_flood_target-GRE', 122_000, 88],
  ['udp@attack@simple_flood_target', 31_000, 12.5],
]
const severities = ['critical', 'high', 'medium', 'low', 'low', 'critical', 'high'] as const
const victims: readonly [host: string, address: string][] = [
  ['shop.example.net', '203.0.113.21'],
  ['api.example.net', '203.0.113.30'],
  ['play.example.org', '198.51.100.77'],
  ['', '198.51.100.8'],
  ['mail.example.net', '203.0.113.25'],
]

function eventOf(n: number): EventOverview {
  const [attackType, packetsPerSecond, deviation] = kinds[n % kinds.length]
  const [domain, address] = victims[n % victims.length]
  const isOpen = n < 2
  const startMinutes = isOpen ? 4 + 7 * n : 40 * n
  return {
    ...eventExample,
    id: `${(0x58bfd7ae - n).toString(16)}1f0a4b3c9d2e6f70`,
    createdAt: ago(startMinutes - 0.1),
    start: ago(startMinutes),
    end: isOpen ? null : ago(startMinutes - 2 - (n % 5)),
    state: isOpen ? 'open' : 'ended',
    phase: isOpen ? 'active' : 'closed',
    activeSeconds: isOpen ? startMinutes * 60 : (2 + (n % 5)) * 60,
    address,
    domain,
    site: domain === '' ? '198.51.100.0/24' : domain,
    attackType,
    deviation,
    average: { bytesPerSecond: packetsPerSecond * 468, packetsPerSecond, flowsPerSecond: packetsPerSecond / 90 },
    normalPacketsPerSecond: n % 4 === 3 ? null : round(packetsPerSecond / deviation),
    severity: severities[n % severities.length],
    acknowledged: n % 3 === 1 ? eventExample.acknowledged : null,
    classification: n % 6 === 4 ? 'flash_crowd' : null,
    isTest: n === 5,
  }
}

export const events: readonly EventOverview[] = range(60).map(eventOf)

function siteOf(host: string, kind: SiteOverview['kind'], changed: Partial<SiteOverview> = {}): SiteOverview {
  const packetsPerSecond = 240 + 37 * host.length
  return {
    ...siteExample,
    host,
    kind,
    group: null,
    addresses: { count: 1, observable: 1 },
    rates: { bytesPerSecond: packetsPerSecond * 640, packetsPerSecond, flowsPerSecond: 12 },
    deviation: 1.04,
    lastEvent: null,
    ...changed,
  }
}

const lastOf = ({ id, createdAt, state, attackType }: EventOverview) => ({ id, createdAt, state, attackType })
const { group } = siteExample

export const sites: readonly SiteOverview[] = [
  siteOf('*.example.org', 'wildcard', {
    addresses: { count: 0, observable: 0 },
    rates: null,
    deviation: null,
    learnt: null,
  }),
  siteOf('192.0.2.53', 'ipv4', { learnt: 0.4 }),
  siteOf('198.51.100.0/24', 'cidr', { addresses: { count: 256, observable: 31 }, lastEvent: lastOf(events[3]) }),
  siteOf('api.example.net', 'fqdn', { group, openEvents: 1, deviation: 21, lastEvent: lastOf(events[1]) }),
  siteOf('cdn.example.org', 'fqdn', { isEnabled: false, rates: null, deviation: null, learnt: null }),
  siteOf('mail.example.net', 'fqdn', { lastEvent: lastOf(events[4]) }),
  siteOf('old.example.net', 'fqdn', {
    addresses: { count: 0, observable: 0 },
    rates: null,
    deviation: null,
    learnt: null,
  }),
  siteOf('play.example.org', 'fqdn', { lastEvent: lastOf(events[2]) }),
  siteOf('shop.example.net', 'fqdn', {
    group,
    addresses: { count: 2, observable: 2 },
    openEvents: 1,
    deviation: 164,
    lastEvent: lastOf(events[0]),
  }),
  siteOf('www.example.net', 'fqdn', { group }),
]

/** Traffic that swells over the day, with the attacks of the scene in it. */
function trafficOf(minutes: number, stepMinutes: number, scale: number) {
  const rates = range(minutes / stepMinutes).map((step) => {
    const before = minutes - step * stepMinutes
    const attack = before < 4 ? 312_000 : before > 78 && before < 82 ? 9_400 : before > 232 && before < 240 ? 31_000 : 0
    const day = 1 + 0.4 * Math.sin((before / 1_440) * 2 * Math.PI)
    return (2_600 * day * (0.94 + 0.12 * noise(step)) + attack) * scale
  })
  return seriesOf(rates, 560)
}

/** Its busiest minutes have half as much again as its steps on average. */
function courseOf(average: ReturnType<typeof seriesOf>) {
  const { bytesPerSecond, packetsPerSecond, flowsPerSecond } = average
  const of = (scale: number) => ({
    bytesPerSecond: bytesPerSecond.map((rate) => rate * scale),
    packetsPerSecond: packetsPerSecond.map((rate) => rate * scale),
    flowsPerSecond: flowsPerSecond.map((rate) => rate * scale),
  })
  const peak = {
    bytesPerSecond: Math.max(...bytesPerSecond) * 2,
    packetsPerSecond: Math.max(...packetsPerSecond) * 2,
    flowsPerSecond: Math.max(...flowsPerSecond) * 2,
  }
  return { ...average, min: of(0.8), max: of(1.5), peak }
}

const attacks = events.slice(0, 30).map(({ id, start, end, site, attackType, severity, classification, isTest }) => ({
  ...{ id, start, end, site, attackType },
  ...{ severity, classification, isTest },
}))

const entry = (item: number, text: string, share: number, protocol = 'UDP') => ({
  item,
  text,
  flows: Math.round(42_300 * share),
  packets: Math.round(74_880_000 * share),
  bytes: Math.round(35_043_840_000 * share),
  protocols: [protocol],
})
const list = (...entries: ReturnType<typeof entry>[]) => ({ flowsMissedMax: 0, entries })
const [source] = report.statistics.sources.entries
const sources = range(40).map((n) => ({
  ...source,
  ...entry(1_125_000_000 + 65_793 * n, `67.14.${100 + n}.${(37 * n) % 250}`, 0.031 / (1 + n / 6)),
  country: ['NL', 'US', 'BR', 'VN', 'DE'][n % 5],
  as: { number: 64_496 + (n % 7), name: ['Example Networks', 'Example Hosting and Cloud', 'Example Telecom'][n % 3] },
}))

function reportOf(event: EventOverview): Response<'getEventReport'> {
  const { id, createdAt, start, end, average, activeSeconds } = event
  const total = { bytes: 35_043_840_000, packets: 74_880_000, flows: 42_300 }
  return {
    ...report,
    ...event,
    lastSeen: end ?? formatTime(nowMs),
    episodes: report.episodes.map((each) => ({ ...each, id, createdAt, start, end, average, activeSeconds, total })),
    total,
    peak: {
      bytesPerSecond: average.bytesPerSecond * 1.3,
      packetsPerSecond: average.packetsPerSecond * 1.3,
      flowsPerSecond: average.flowsPerSecond * 1.3,
      at: event.start,
    },
    vectors:
      event.attackType === null
        ? []
        : [
            { attackType: event.attackType, share: 0.91, packetsPerSecond: average.packetsPerSecond * 0.91 },
            {
              attackType: 'udp@attack@amp_flood_target-DNS',
              share: 0.07,
              packetsPerSecond: average.packetsPerSecond * 0.07,
            },
          ],
    note: { ...report.note, acknowledged: event.acknowledged, classification: event.classification },
    timeline: [
      { what: 'began', at: event.start, by: null },
      { what: 'listed', at: event.createdAt, by: null },
    ],
    statistics: {
      ...report.statistics,
      destinationPorts: list(entry(443, '443', 0.62), entry(80, '80', 0.2), entry(42_817, '42817', 0.1)),
      sourcePorts: list(entry(123, '123', 0.91), entry(53, '53', 0.07)),
      sources: { flowsMissedMax: 3, entries: sources },
      protocols: list(entry(17, 'UDP', 0.98), entry(6, 'TCP', 0.02, 'TCP')),
      packetLengths: list(entry(468, '468', 0.91), entry(1_400, '1400', 0.07)),
    },
  }
}

const course = range(300).map((second) =>
  second < 60 ? 1_900 + 300 * noise(second) : 240_000 * (1 + 0.3 * noise(second)),
)
const attackCourse = course.map((rate, second) => (second < 60 ? 0 : rate * 0.97))

const exporterList = endpoints.listExporters.example.response
const [exporter] = exporterList.exporters
const allowed = { ...exporterList.allowed, changedAt: ago(9 * 1_440) }
const notices = exporterList.notices.map((notice) => ({ ...notice, first: ago(750), last: ago(750) }))
const exporters = [
  { ...exporter, lastSeen: ago(0) },
  { ...exporter, id: '192.0.2.2', address: '192.0.2.2', state: 'ok' as const, findings: [], lastSeen: ago(0) },
]

const [auditExample] = endpoints.listAudit.example.response.entries
const { actor: ann } = auditExample
const nobody = { userId: null, credential: '', address: '' }
const audited: readonly Partial<typeof auditExample>[] = [
  {},
  { kind: 'setAllowedExporters', object: '192.0.2.1', detail: { entries: ['192.0.2.1'], before: { entries: [] } } },
  {
    ...{ kind: 'signIn', object: 'eve@example.com', outcome: 'UNAUTHENTICATED', count: 48, detail: {} },
    actor: { ...nobody, kind: 'stranger', name: 'eve@example.com', address: '203.0.113.200' },
  },
  { kind: 'addAnySites', object: 'shop.example.net, api.example.net, *.example.org', detail: { success: 3, error: 0 } },
  { kind: 'deleteUser', object: 'bob@example.com', outcome: 'FORBIDDEN', detail: {}, actor: { ...ann, kind: 'token' } },
  {
    kind: 'user add',
    object: 'ann@example.com',
    detail: { role: 'admin' },
    actor: { ...nobody, kind: 'command', name: 'root' },
  },
  { kind: 'service.start', object: '', detail: { version: '0.1.0' }, actor: { ...nobody, kind: 'service', name: '' } },
]
const audit = audited.map((each, n) => ({
  ...{ ...auditExample, ...each },
  ...{ sequence: auditExample.sequence - n, at: ago(9 + 31 * n) },
}))

/** As many rows as some types have: the second of a type is without its name. */
const [vector] = endpoints.listVectors.example.response.vectors
const vectors = kinds.flatMap(([attackType], n) =>
  attackType === null
    ? []
    : [
        {
          attackType,
          rows: range(n === 1 ? 2 : 1).map((row) => ({
            ...vector.rows[0],
            matches: `${vector.rows[0].matches}${' or 53'.repeat(row)}`,
          })),
        },
      ],
)

const deliveries = deliveriesOf(events, ago)

const identity = endpoints.getSession.example.response

/** The answers of the scene; where it has none, the examples of the contract are. */
export const sceneAnswers: Answers = {
  getSession: () => identity,
  getSetup: () => ({ state: 'open' }),
  getOverview: () => ({
    ...endpoints.getOverview.example.response,
    posture: 'attack',
    lastDatagramAt: formatTime(nowMs),
    sites: { count: sites.length, enabled: sites.length - 1 },
    open: events.slice(0, 2).map((event) => ({ ...endpoints.getOverview.example.response.open[0], ...event })),
    events: {
      ...{ open: 2, openAcknowledged: 1, openDismissed: 0 },
      ...{ unacknowledged: 38, lastDay: 36, dayBefore: 24, lastWeek: 58 },
    },
    lastEvent: events[0],
    traffic: { from: ago(1_440), stepSeconds: 60, ...trafficOf(1_440, 1, 1), addressesOmitted: 0 },
    attacks,
    topSites: sites.slice(5).map(({ host }, n) => ({ site: host, events: 12 - 2 * n })),
    topVectors: kinds.slice(0, 5).map(([attackType], n) => ({ attackType, events: 11 - 2 * n })),
  }),
  findEvents: ({ search }) => {
    const wanted = (name: string) => search.get(name) ?? undefined
    const fits = (event: EventOverview) =>
      (wanted('site') === undefined || event.site === wanted('site')) &&
      (wanted('state') === undefined || event.state === wanted('state')) &&
      (wanted('severity') === undefined || event.severity === wanted('severity')) &&
      (wanted('test') === undefined || String(event.isTest) === wanted('test')) &&
      (wanted('acknowledged') === undefined || String(event.acknowledged !== null) === wanted('acknowledged')) &&
      (wanted('q') === undefined || textsOf(search).some((text) => searched(event).includes(text)))
    return { events: events.filter(fits).slice(0, Number(wanted('limit') ?? 100)) }
  },
  getEventReport: ({ params: { id } }) => reportOf(events.find((event) => event.id === id) ?? events[0]),
  getEventSeries: ({ params: { id } }) => ({
    ...endpoints.getEventSeries.example.response,
    id,
    from: ago(5),
    stepSeconds: 1,
    total: seriesOf(course, 468),
    attack: seriesOf(attackCourse, 468),
  }),
  getRelatedEvents: () => ({ events: events.slice(2, 6).map((event) => ({ event, because: ['site', 'address'] })) }),
  findSites: ({ search }) => {
    const isWanted = ({ host, isEnabled }: SiteOverview) =>
      host.includes(search.get('q') ?? '') && String(isEnabled) === (search.get('enabled') ?? String(isEnabled))
    const found = sites.filter(isWanted)
    return { sites: found, total: found.length, next: null }
  },
  getSite: ({ params: { host } }) => {
    const site = sites.find((each) => each.host === host)
    if (site === undefined) return new Refusal(404, 'The caller has no such site')
    const [first, second] = endpoints.getSite.example.response.addresses
    const addresses = victims
      .filter(([name, address]) => name === host || (site.kind === 'cidr' && address.startsWith('198.51.100.')))
      .map(([, address], n) => ({ ...(n === 0 ? first : second), address, names: [host], sharedWith: [] }))
    return {
      ...endpoints.getSite.example.response,
      host,
      isEnabled: site.isEnabled,
      proof: null,
      addresses: host === 'www.example.net' ? [first, second] : addresses,
    }
  },
  getTraffic: () => ({
    ...endpoints.getTraffic.example.response,
    from: ago(1_440),
    to: formatTime(nowMs),
    stepSeconds: 300,
    total: courseOf(trafficOf(1_440, 5, 1)),
    parts: sites.slice(5).map(({ host }, n) => ({ name: host, ...courseOf(trafficOf(1_440, 5, 0.5 / (n + 1))) })),
    previous: null,
    attacks,
    attackCount: attacks.length,
  }),
  getTarget: ({ params: { address } }) => ({ ...endpoints.getTarget.example.response, address }),
  listExporters: () => ({ ...exporterList, exporters, allowed, notices }),
  getExporter: ({ params: { id } }) => ({ ...endpoints.getExporter.example.response, id, address: id }),
  ...alertAnswers(ago),
  listChannels: () => ({ channels: channelsOf(ago) }),
  listDeliveries: ({ search }) => {
    const isWanted = ({ state, channelId }: (typeof deliveries)[number]) =>
      state === (search.get('state') ?? state) && channelId === (search.get('channel') ?? channelId)
    return { deliveries: deliveries.filter(isWanted), next: null }
  },
  getDelivery: ({ params: { id } }) => ({
    ...(deliveries.find((each) => each.id === id) ?? deliveries[0]),
    outcomes: [
      { at: ago(9), milliseconds: 5_000, isDone: false, text: 'no connection within 5 seconds' },
      { at: ago(8), milliseconds: 212, isDone: false, text: 'HTTP 401' },
    ],
  }),
  listChannelKinds: () => ({ kinds: [...channelKinds], places }),
  listAudit: () => ({ entries: audit, next: audit[audit.length - 1].sequence }),
  listVectors: () => ({ vectors }),
  listGroups: () => ({ groups: endpoints.listGroups.example.response.groups }),
  search: ({ search }) => ({
    sites: sites
      .filter(({ host }) => host.includes(search.get('q') ?? ''))
      .map(({ host, isEnabled }) => ({ host, isEnabled })),
    events: events.filter((event) => textsOf(search).some((text) => searched(event).includes(text))).slice(0, 5),
    addresses: [],
    exporters: [],
  }),
  addAnySites: () => ({
    status: 0,
    success: ['www.example.com', '*.example.com', '192.0.2.10', '192.0.2.0/24'],
    error: [{ '10.0.0.0/8': 'The network is too large' }],
  }),
  getSimulation: () => ({ simulation: null }),
}

const textsOf = (search: URLSearchParams) =>
  `${search.get('q') ?? ''},${search.get('qAlso') ?? ''}`
    .split(',')
    .filter((text) => text !== '')
    .map((text) => text.toLowerCase())

const searched = ({ site, domain, attackType, address }: EventOverview) =>
  [site, domain, attackType ?? 'unknown', address].join(' ').toLowerCase()
