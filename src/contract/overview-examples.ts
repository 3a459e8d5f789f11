// Examples of overview, search and status.
import { overviewExample } from './event-examples.ts'
import type { Overview, SearchResult, Status } from './overview-schemas.ts'

const { id, start, end, site, attackType, isTest, address } = overviewExample

const overview: Overview = {
  posture: 'calm',
  lastDatagramAt: '2017-03-08T12:00:03+00:00',
  sites: { count: 12, enabled: 11 },
  events: { open: 0, unacknowledged: 1, lastDay: 1, dayBefore: 0, lastWeek: 3 },
  lastEvent: overviewExample,
  traffic: {
    from: '2017-03-08T10:08:00+00:00',
    stepSeconds: 60,
    bytesPerSecond: [540_000, 31_560_000],
    packetsPerSecond: [610, 67_600],
    flowsPerSecond: [31, 705],
    addressesOmitted: 0,
  },
  attacks: [{ id, start, end, site, attackType, isTest }],
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
