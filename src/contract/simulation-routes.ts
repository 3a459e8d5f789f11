// The endpoints of simulated attacks as plain data.
import type { Route } from './route.ts'

const path = '/api/v1/sites/{host}/simulation'

export const simulationRoutes = {
  startSimulation: {
    method: 'POST',
    path,
    scope: 'write',
    createsOnce: true,
    tag: 'Sites',
    summary: 'Simulate an attack on a site',
    description:
      'Sends made-up flow records of an attack on an address of the site to the service itself, so that the way from the receipt to the event can be seen. The event is marked as a test, counts nowhere, and is not shown under `/open`. A site that is disabled, not watched or leads nowhere is answered with 409, as is one on which an attack is being simulated already; too many at a time with 429.',
    mayBeMissing: true,
    mayConflict: true,
  },
  getSimulation: {
    method: 'GET',
    path,
    scope: 'read',
    tag: 'Sites',
    summary: 'Get the simulated attack on a site',
    description:
      'The last one on the site, with the event that came of it. Null when there was none since the start of the service.',
    mayBeMissing: true,
  },
  stopSimulation: {
    method: 'POST',
    path: `${path}/stop`,
    scope: 'write',
    tag: 'Sites',
    summary: 'Stop the simulated attack on a site',
    description: 'Sends no more of it. A few seconds later it is over, and so is its event.',
    mayBeMissing: true,
  },
} as const satisfies Record<string, Route>
