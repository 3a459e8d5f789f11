// The endpoints that say where names led, how the caller's names do, and who tells of names, as plain data.
import type { Route } from './route.ts'

export const nameReportRoutes = {
  getNames: {
    method: 'GET',
    path: '/api/v1/names',
    scope: 'read',
    tag: 'Names',
    summary: 'Get what is to be done about names',
    description:
      'Of the sites of the caller: names that lead nowhere or that nobody can answer for, names that the reverse DNS suggests, and proofs that are not there. Names and suggestions are renewed every ten seconds.',
  },
  lookUpNames: {
    method: 'GET',
    path: '/api/v1/names/records/{question}',
    scope: 'read',
    adminSeesAll: true,
    tag: 'Names',
    summary: 'Look up where a name led, or what led to an address',
    description:
      'With the aliases on the way, from when to when that is known, and by whom. The caller is told of names at or below enabled sites of their own, from when the site was added on. A token for `admin` is told everything.',
  },
  getNameSources: {
    method: 'GET',
    path: '/api/v1/names/sources',
    scope: 'admin',
    tag: 'Names',
    summary: 'Get who tells of names',
    description: 'How resolvers, senders of dnstap and transferred zones do, and how many names are known.',
  },
} as const satisfies Record<string, Route>
