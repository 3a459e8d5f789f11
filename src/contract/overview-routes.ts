// The endpoints that look at everything at once, as plain data.
import type { Route } from './route.ts'

export const overviewRoutes = {
  getOverview: {
    method: 'GET',
    path: '/api/v1/overview',
    scope: 'read',
    tag: 'Overview',
    summary: 'Get how things are',
    description:
      "Whether the caller's sites are under attack, what there is, their traffic of the last 24 hours by the minute with the attacks in it, and what was attacked most in the last 7 days. Traffic and what was attacked most are renewed once a minute. Simulated attacks are in the list of attacks alone.",
  },
  search: {
    method: 'GET',
    path: '/api/v1/search',
    scope: 'read',
    tag: 'Overview',
    summary: 'Search',
    description:
      'Sites and events of the caller with the text in them, five of each, sites whose host fits best before those whose group does; the event of an id; and of an IPv4 address the sites that it belongs to. Exporters are shown to those who may see them.',
  },
  getStatus: {
    method: 'GET',
    path: '/api/v1/status',
    scope: 'read',
    tag: 'Overview',
    summary: 'Get how the service does',
    description:
      'Version, uptime, whether it can do its work; for `admin` also what listens where, and what is kept for how long.',
  },
  getStream: {
    method: 'GET',
    path: '/api/v1/stream',
    scope: 'read',
    tag: 'Overview',
    summary: 'Be told what changes',
    description:
      'Server-sent events, until the connection ends: that an event was made, updated or ended, that sites changed, that the service or (for `admin`) exporters do otherwise. With `Last-Event-ID` what was missed is told first; when that is not known any more, the first message is `reset`. When there is nothing to tell for 15 seconds a `heartbeat` comes. More than 20 streams of a user are answered with 429.',
    givesStream: true,
  },
} as const satisfies Record<string, Route>
