// Examples of overview, search and status.
import { overviewExample } from './event-examples.ts'
import type { EventOverview } from './event-schemas.ts'
import type { OpenEvent, Overview, SearchResult, Status } from './overview-schemas.ts'

const { id, start, end, site, attackType, isTest, address } = overviewExample

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
    { id: openOverview.id, start: openOverview.start, end: null, site, attackType: openOverview.attackType, isTest },
    { id, start, end, site, attackType, isTest },
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
  installation: {
    checks: [{ name: 'store', ok: true, detail: 'writable' }],
    listeners: [{ protocol: 'netflow', host: '0.0.0.0', port: 2055 }],
    addresses: ['192.0.2.5'],
    retentionDays: { events: 400, series: 14, bindings: 400 },
    storeBytes: 41_943_040,
  },
}

export const overviewExamples = {
  getOverview: { response: overview },
  search: { response: found },
  getStatus: { response: status },
  getStream: {
    response: `id: 9f86d081884c-1\nevent: event\ndata: {"id":"${id}","change":"made"}\n\n`,
  },
}
