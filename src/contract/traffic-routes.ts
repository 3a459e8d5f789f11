// The endpoint of traffic over time, as plain data.
import type { Route } from './route.ts'

export const trafficRoutes = {
  getTraffic: {
    method: 'GET',
    path: '/api/v1/traffic',
    scope: 'read',
    tag: 'Traffic',
    summary: 'Get traffic over time',
    description:
      'The traffic of a site of the caller, or of all enabled ones together, with the attacks in it: of addresses that the caller has a say over, each from when it was the caller’s. Taken apart by site or by address if asked, and with the time before. Where it is not known what the minutes consisted of, that cannot be asked: protocols and ports are of events. A host that is no site of the caller is answered with 404.',
    mayBeMissing: true,
  },
} as const satisfies Record<string, Route>
