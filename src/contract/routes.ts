// The endpoints of the interface as plain data, so that a browser can have it. Their shapes are in schemas.ts under the same names.
import { accountRoutes } from './account-routes.ts'
import { noteRoutes } from './event-note-routes.ts'
import { groupRoutes } from './group-routes.ts'
import { nameReportRoutes } from './name-report-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import type { Route } from './route.ts'
import { simulationRoutes } from './simulation-routes.ts'
import { trafficRoutes } from './traffic-routes.ts'

export type { Route }

export const routes = {
  listSites: {
    method: 'GET',
    path: '/open/site',
    scope: 'read',
    tag: 'Sites',
    summary: 'List sites',
    description:
      'All sites of the caller, in the order in which they were added. `status` is 1; it is 0, with empty `data`, when the list could not be read.',
  },
  addSites: {
    method: 'POST',
    path: '/open/site/add',
    scope: 'write',
    tag: 'Sites',
    summary: 'Add sites',
    description:
      'Registers host records to be monitored. Each host is accepted or rejected for itself. A host that is there already is a success and stays as it is, also when it is disabled. A host that occurs twice is answered once, as first spelt.',
  },
  deleteSites: {
    method: 'POST',
    path: '/open/site/delete',
    scope: 'write',
    tag: 'Sites',
    summary: 'Delete sites',
    description:
      'Removes sites of the caller. Their events stay readable. A host that is no site of the caller is in `error`.',
  },
  enableSites: {
    method: 'POST',
    path: '/open/site/enable',
    scope: 'write',
    tag: 'Sites',
    summary: 'Enable sites',
    description: 'Resumes monitoring of sites of the caller. A host that is no site of the caller is in `error`.',
  },
  disableSites: {
    method: 'POST',
    path: '/open/site/disable',
    scope: 'write',
    tag: 'Sites',
    summary: 'Disable sites',
    description: 'Pauses monitoring of sites of the caller. A host that is no site of the caller is in `error`.',
  },
  listEvents: {
    method: 'GET',
    path: '/open/event/ddos',
    scope: 'read',
    tag: 'Events',
    summary: 'List DDoS events',
    description:
      'Events of the caller with `start` <= `cts` < `end`, ascending by (`cts`, `_id`). Without `last`, `start` and `end`: the last 30 days. `end` alone: the 30 days before it. `last` with the others: what lies in both. Without `limit` the whole window is answered; with it a page, and a `Link` header with `rel="next"` when there is more.',
  },
  getEvent: {
    method: 'GET',
    path: '/open/event/ddos/detail/{id}',
    scope: 'read',
    tag: 'Events',
    summary: 'Get attack details',
    description:
      'The statistics of one event, so far while the attack goes on. `data` is empty when there is no such event, or it is not of the caller.',
  },
  findEvents: {
    method: 'GET',
    path: '/api/v1/events',
    scope: 'read',
    tag: 'Events',
    summary: 'Find events',
    description:
      'Events of the caller, as the list of `/open` has them (window by `createdAt`, order, pages), that pass all filters given.',
  },
  getEventReport: {
    method: 'GET',
    path: '/api/v1/events/{id}',
    scope: 'read',
    tag: 'Events',
    summary: 'Get all of an event',
    description:
      'Start, end, rates, why, statistics with their errors, sample records. Exporters are shown to tokens that have the scope `admin` as well.',
    mayBeMissing: true,
  },
  getEventSeries: {
    method: 'GET',
    path: '/api/v1/events/{id}/series',
    scope: 'read',
    tag: 'Events',
    summary: 'Get the course of an event',
    description:
      'The traffic of the victim from a minute before the attack to its end, in steps of a second; of longer attacks in longer ones, 512 at most.',
    mayBeMissing: true,
  },
  getTarget: {
    method: 'GET',
    path: '/api/v1/targets/{address}',
    scope: 'read',
    adminSeesAll: true,
    tag: 'Targets',
    summary: 'Get what is known of an address',
    description:
      'The settings that hold for an address, how far its normal is learnt, and its traffic beside the lines that it would have to cross. A token for `admin` sees any address; others see those of enabled sites of the caller, any other is answered with 404. The detector is asked: when it does not answer within five seconds, 503.',
    mayBeMissing: true,
  },
  getSite: {
    method: 'GET',
    path: '/api/v1/sites/{host}',
    scope: 'read',
    tag: 'Sites',
    summary: 'Get what is known of a site',
    description:
      'Where a site of the caller leads, and which of its addresses are seen in flows. A host that is no site of the caller is answered with 404.',
    mayBeMissing: true,
  },
  importNames: {
    method: 'POST',
    path: '/api/v1/names/observations',
    scope: 'admin',
    takesLines: true,
    tag: 'Names',
    summary: 'Import passive DNS',
    description:
      'Where names led, and when, as records of passive DNS (Common Output Format) of types A and CNAME, one JSON object a line. Names at or below sites of whichever user are kept, with the aliases on the way; the others are passed over. Lines that cannot be read are counted, and the first of them told. Nothing counts before all is read, and the same once more changes nothing. One import at a time: another is answered with 429.',
  },
  queryPassiveDns: {
    method: 'GET',
    path: '/pdns/query/{question}',
    scope: 'read',
    adminSeesAll: true,
    givesLines: true,
    tag: 'Names',
    summary: 'Ask passive DNS',
    description:
      'Where a name led, alias by alias, or what led to an address, in the Common Output Format: one JSON object a line, at most 10,000; none when nothing is known. The caller is told of names at or below enabled sites of their own, from when the site was added on. A token for `admin` is told everything.',
  },
  verifySite: {
    method: 'POST',
    path: '/api/v1/sites/{host}/verify',
    scope: 'write',
    tag: 'Sites',
    summary: 'Look for the proof of a site now',
    description:
      'Asks the resolvers for the DNS record that proves a site of the caller, and answers what is known of the site then. Ten times a minute at most. A host that is no site of the caller is answered with 404.',
    mayBeMissing: true,
  },
  listProofs: {
    method: 'GET',
    path: '/api/v1/proofs',
    scope: 'admin',
    tag: 'Sites',
    summary: 'List what users prove',
    description: 'What every user proves, or has to, by DNS records, with its state. The tokens are not among it.',
  },
  listExporters: {
    method: 'GET',
    path: '/api/v1/exporters',
    scope: 'admin',
    tag: 'Exporters',
    summary: 'List exporters',
    description:
      'Every exporter that was heard of in the last 30 days, with how it does and what should be changed in it, and what the service receives beside. Exporters belong to the installation, not to a user: every caller with the scope sees all of them.',
  },
  getExporter: {
    method: 'GET',
    path: '/api/v1/exporters/{id}',
    scope: 'admin',
    tag: 'Exporters',
    summary: 'Get an exporter',
    description:
      'One exporter with each of its streams: templates, sampling, sequence, clock, timeouts, errors, findings.',
    mayBeMissing: true,
  },
  ...overviewRoutes,
  ...trafficRoutes,
  ...nameReportRoutes,
  ...noteRoutes,
  ...groupRoutes,
  ...simulationRoutes,
  ...accountRoutes,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
