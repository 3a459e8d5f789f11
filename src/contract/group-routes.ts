// The endpoints of sites and their groups under /api/v1 as plain data.
import type { Route } from './route.ts'

export const groupRoutes = {
  findSites: {
    method: 'GET',
    path: '/api/v1/sites',
    scope: 'read',
    tag: 'Sites',
    summary: 'Find sites',
    description:
      'Sites of the caller by host, a page at a time, with what goes on at each: rates of the last 10 seconds, how far its normal is learnt, its attacks. While the detector does not answer, rates and learning are null.',
  },
  addAnySites: {
    method: 'POST',
    path: '/api/v1/sites',
    scope: 'write',
    tag: 'Sites',
    summary: 'Add sites, larger networks too',
    description:
      'As `/open/site/add`, which takes no network shorter than a /24. Here one from a /16 on is one site, if the caller looks after the installation or is allowed networks that hold it. It counts against the quota with as many sites as it has /24s.',
  },
  changeSites: {
    method: 'PATCH',
    path: '/api/v1/sites',
    scope: 'write',
    tag: 'Sites',
    summary: 'Put sites into a group',
    description:
      'Puts sites of the caller into a group of the caller, or into none. A host that is no site of the caller is in `error`.',
    mayBeMissing: true,
  },
  listGroups: {
    method: 'GET',
    path: '/api/v1/groups',
    scope: 'read',
    tag: 'Sites',
    summary: 'List groups',
    description: 'The groups of the caller, by name. A site is in one of them, or in none.',
  },
  addGroup: {
    method: 'POST',
    path: '/api/v1/groups',
    scope: 'write',
    createsOnce: true,
    tag: 'Sites',
    summary: 'Make a group',
    description:
      'Makes a group of the caller. A name that is taken, without regard to case, is answered with 409, as are more than 1,000 groups.',
    mayConflict: true,
  },
  renameGroup: {
    method: 'PATCH',
    path: '/api/v1/groups/{id}',
    scope: 'write',
    tag: 'Sites',
    summary: 'Rename a group',
    description: 'Renames a group of the caller. A name that is taken is answered with 409.',
    mayBeMissing: true,
    mayConflict: true,
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/api/v1/groups/{id}',
    scope: 'write',
    tag: 'Sites',
    summary: 'Delete a group',
    description: 'Deletes a group of the caller. Its sites stay, and are in none.',
    mayBeMissing: true,
  },
} as const satisfies Record<string, Route>
