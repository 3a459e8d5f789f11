// An example of an event, its report and its course.
import type { EventListEntry, EventOverview, EventReport, EventSeries } from './event.ts'
import { type EventNumbers, ofEachNumber } from './numbers.ts'

const amounts = { flows: 42_300, packets: 4_056_000, bytes: 1_893_600_000 }

const entry = (item: number, text: string): EventListEntry => ({ item, text, ...amounts, protocols: ['UDP'] })
const list = (...entries: EventListEntry[]) => ({ flowsMissedMax: 0, entries })

const amount = {
  activeSeconds: 60,
  average: { bytesPerSecond: 31_560_000, packetsPerSecond: 67_600, flowsPerSecond: 705 },
  peak: {
    bytesPerSecond: 41_200_000,
    packetsPerSecond: 88_000,
    flowsPerSecond: 912,
    at: '2017-03-08T10:09:40+00:00',
  },
  total: { bytes: 1_893_600_000, packets: 4_056_000, flows: 42_300 },
}

export const overviewExample: EventOverview = {
  id: '58bfd7ae1f0a4b3c9d2e6f70',
  createdAt: '2017-03-08T10:09:18+00:00',
  updatedAt: '2017-03-08T10:20:40+00:00',
  sequence: 1_488_968_440_000,
  state: 'ended',
  phase: 'closed',
  start: '2017-03-08T10:09:14+00:00',
  lastSeen: '2017-03-08T10:10:14+00:00',
  end: '2017-03-08T10:10:14+00:00',
  returns: 0,
  address: '192.0.2.10',
  site: '*.example.com',
  domain: 'www.example.com',
  view: 'all',
  attackType: 'udp@attack@amp_flood_target-NTP',
  ...amount,
  acknowledged: { by: 'ann@example.com', at: '2017-03-08T10:12:00+00:00' },
  classification: 'attack',
  severity: 'high',
  ...ofEachNumber<number | null, EventNumbers>((_, { example }) => example),
  isTest: false,
  network: null,
}

const ofSource = { flows: 12, packets: 1_000, bytes: 468_000 }
const as = { number: 64_496, name: 'Example Networks' }

export const reportExample: EventReport = {
  ...overviewExample,
  sites: ['*.example.com', 'www.example.com'],
  episodes: [
    {
      id: overviewExample.id,
      createdAt: overviewExample.createdAt,
      start: overviewExample.start,
      end: overviewExample.end,
      ...amount,
    },
  ],
  why: [
    {
      metric: 'packets',
      valuePerSecond: 67_600,
      linePerSecond: 1_770,
      normalPerSecond: 590,
      band: { lowPerSecond: 210, highPerSecond: 970 },
      standardError: 0.0702,
      source: 'baseline',
    },
  ],
  vectors: [{ attackType: 'udp@attack@amp_flood_target-NTP', share: 0.97, packetsPerSecond: 65_800 }],
  networks: [],
  victims: [],
  note: {
    acknowledged: { by: 'ann@example.com', at: '2017-03-08T10:12:00+00:00' },
    classification: 'attack',
    text: 'Filtered upstream.',
    said: { by: 'ann@example.com', at: '2017-03-08T10:12:00+00:00' },
  },
  timeline: [
    { what: 'began', at: '2017-03-08T10:09:14+00:00', by: null },
    { what: 'listed', at: '2017-03-08T10:09:18+00:00', by: null },
    { what: 'peaked', at: '2017-03-08T10:09:40+00:00', by: null },
    { what: 'ended', at: '2017-03-08T10:10:14+00:00', by: null },
    { what: 'acknowledged', at: '2017-03-08T10:12:00+00:00', by: 'ann@example.com' },
    { what: 'classified', at: '2017-03-08T10:12:00+00:00', by: 'ann@example.com' },
  ],
  alerts: [
    {
      ...{ channel: 'Night shift', kind: 'webhook', notice: 'started', state: 'done' },
      at: '2017-03-08T10:09:19+00:00',
    },
    { channel: 'Night shift', kind: 'webhook', notice: 'ended', state: 'done', at: '2017-03-08T10:10:15+00:00' },
  ],
  statistics: {
    destinationPorts: list(entry(443, '443')),
    sourcePorts: list(entry(123, '123')),
    sources: {
      flowsMissedMax: 3,
      entries: [{ ...entry(3_325_256_705, '198.51.100.1'), ...ofSource, country: 'NL', as }],
    },
    protocols: list(entry(17, 'UDP')),
    tcpFlags: list(entry(0, '........')),
    packetLengths: list(entry(468, '468')),
    origins: {
      countries: [{ country: 'NL', sources: 1, ...ofSource }],
      systems: [{ as, sources: 1, ...ofSource }],
    },
    sourceSystems: { flowsMissedMax: 0, entries: [{ as, ...amounts }] },
    ingressInterfaces: { flowsMissedMax: 0, entries: [{ exporter: '192.0.2.1', interface: 17, ...amounts }] },
    egressInterfaces: { flowsMissedMax: 0, entries: [{ exporter: '192.0.2.1', interface: 42, ...amounts }] },
    exporters: { flowsMissedMax: 0, entries: [{ address: '192.0.2.1', ...amounts }] },
    distinctSources: { count: 71_340, standardError: 0.01625 },
    samples: [
      {
        start: '2017-03-08T10:09:14+00:00',
        end: '2017-03-08T10:09:15+00:00',
        source: '198.51.100.1',
        sourcePort: 123,
        destination: '192.0.2.10',
        destinationPort: 443,
        protocol: 'UDP',
        tcpFlags: '........',
        packets: 1_000,
        bytes: 468_000,
        samplingRate: 1_000,
        exporter: '192.0.2.1',
      },
    ],
  },
  isShared: false,
  dns: [
    {
      domain: 'www.example.com',
      addresses: [{ address: '192.0.2.10', confirmedAt: '2017-03-08T10:05:00+00:00' }],
      aliases: [{ name: 'edge.example.net', confirmedAt: '2017-03-08T10:05:00+00:00' }],
    },
  ],
}

export const seriesExample: EventSeries = {
  id: overviewExample.id,
  from: '2017-03-08T10:09:12+00:00',
  stepSeconds: 1,
  total: {
    bytesPerSecond: [540_000, 561_000, 29_480_000],
    packetsPerSecond: [610, 580, 63_400],
    flowsPerSecond: [31, 28, 688],
  },
  attack: { bytesPerSecond: [0, 0, 28_970_000], packetsPerSecond: [0, 0, 61_900], flowsPerSecond: [0, 0, 650] },
  normal: {
    total: { lowPacketsPerSecond: 410, highPacketsPerSecond: 790 },
    attack: { lowPacketsPerSecond: 0, highPacketsPerSecond: 1 },
  },
}
