// The list of sites with their state, sites with wider networks, and groups.
import { type Static, Type } from 'typebox'
import { EventRates } from '../events/amounts.ts'
import { overviewExample } from '../events/examples.ts'
import { hostsMax, pageSites } from '../limits.ts'
import { endpoint } from '../route.ts'
import { Count, closed, Deleted, IdParams, Maybe, Moment, plainText } from '../shapes.ts'
import { AddOutcome, BatchOutcome } from './open.ts'

const AnyHostBatch = Type.Object(
  {
    hosts: Type.Array(Type.String(), {
      minItems: 1,
      description: `As of \`/open/site/add\`, and IPv4 ranges with a prefix length from 16 to 23. More than ${hostsMax} are answered with 413.`,
    }),
  },
  { description: 'Other members are ignored.' },
)

const GroupRef = Type.Object({ id: Type.String(), name: Type.String() }, closed)

export const Group = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: Moment('When it was made.'),
    siteCount: Count('How many sites are in it.'),
  },
  closed,
)

export const SiteOverview = Type.Object(
  {
    host: Type.String({ description: 'The host record in canonical form.' }),
    kind: Type.Enum(['fqdn', 'wildcard', 'ipv4', 'cidr'], { description: 'What kind of host record it is.' }),
    isEnabled: Type.Boolean({ description: 'Whether the site is monitored.' }),
    addedAt: Moment('When it was added.'),
    group: Maybe(GroupRef, 'Null: it is in none.'),
    addresses: Type.Object(
      {
        count: Count('How many it stands for now.'),
        observable: Count('How many of those that are the caller’s had traffic in the last 24 hours.'),
      },
      closed,
    ),
    rates: Maybe(
      EventRates,
      'The rates of the last 10 seconds, at addresses that are the caller’s. Null: they are not known.',
    ),
    deviation: Maybe(Type.Number({ minimum: 0 }), 'Packets compared with what is normal. Null: that is not learnt.'),
    learnt: Maybe(
      Type.Number({ minimum: 0, maximum: 1 }),
      'How far normal is learnt, 0 to 1. Null: it has had no traffic yet.',
    ),
    openEvents: Count('How many attacks on it go on.'),
    lastEvent: Maybe(
      Type.Object(
        {
          id: Type.String(),
          createdAt: Moment('When it became listable.'),
          state: Type.Enum(['open', 'ended'], { description: 'open: the attack goes on.' }),
          attackType: Maybe(Type.String(), 'Null: of unknown kind.'),
        },
        closed,
      ),
      'Null: there was none.',
    ),
  },
  closed,
)

export const SiteOverviews = Type.Object(
  {
    sites: Type.Array(SiteOverview),
    total: Count('How many sites there are in all that pass the filters.'),
    next: Maybe(Type.String(), 'The `cursor` of the next page. Null: there is none.'),
  },
  closed,
)

export const FindSitesQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "Sites with this in the host, or in the group's name.",
      examples: ['example'],
    }),
  ),
  group: Type.Optional(
    Type.String({ description: 'Sites of the group of this id; `none`: of none.', examples: ['none'] }),
  ),
  enabled: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether they are monitored.', examples: ['true'] }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageSites.max,
      description: `Sites on a page; without it ${pageSites.default}.`,
      examples: [100],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,400}$',
      description: '`next` of the page before.',
      examples: ['d3d3LmV4YW1wbGUuY29t'],
    }),
  ),
})

export const SiteChange = Type.Object(
  {
    hosts: Type.Array(Type.String(), { minItems: 1, description: 'Host records of sites, 1,000 at most.' }),
    groupId: Maybe(Type.String(), 'The group to put them into. Null: into none.'),
  },
  { description: 'Other members are ignored.' },
)

export const GroupRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: plainText, description: 'Without control characters.' }),
  },
  { description: 'Other members are ignored.' },
)

export const GroupList = Type.Object({ groups: Type.Array(Group) }, closed)

export type Group = Static<typeof Group>
export type SiteOverview = Static<typeof SiteOverview>

const group: Group = { id: '77a0be51c3d9f264', name: 'Shops', createdAt: '2017-03-01T08:00:00+00:00', siteCount: 3 }

const site: SiteOverview = {
  host: overviewExample.site,
  kind: 'wildcard',
  isEnabled: true,
  addedAt: '2017-03-01T08:00:00+00:00',
  group: { id: group.id, name: group.name },
  addresses: { count: 2, observable: 2 },
  rates: { bytesPerSecond: 540_000, packetsPerSecond: 610, flowsPerSecond: 31 },
  deviation: 1.03,
  learnt: 1,
  openEvents: 0,
  lastEvent: {
    id: overviewExample.id,
    createdAt: overviewExample.createdAt,
    state: overviewExample.state,
    attackType: overviewExample.attackType,
  },
}

export const groupEndpoints = {
  findSites: endpoint(
    {
      method: 'GET',
      path: '/api/v1/sites',
      scope: 'read',
      role: 'viewer',
      tag: 'Sites',
      summary: 'Find sites',
      description:
        'Sites of the caller, ordered by host, a page at a time, each with its rates of the last 10 seconds, the state of its baseline, and its attacks. Rates and baseline are null while the detector does not answer.',
    },
    { query: FindSitesQuery, response: SiteOverviews },
    { response: { sites: [site], total: 1, next: null } },
  ),
  addAnySites: endpoint(
    {
      method: 'POST',
      path: '/api/v1/sites',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Add sites, including larger networks',
      description:
        'As `/open/site/add`, which takes no network larger than a /24. Here a network of up to a /16 is one site, if the caller is an admin or is allowed networks that contain it. It counts against the quota as many times as it has /24s.',
    },
    { body: AnyHostBatch, response: AddOutcome },
    {
      body: { hosts: ['*.example.com', '198.51.96.0/20', '192.0.0.0/8'] },
      response: {
        status: 0,
        success: ['*.example.com', '198.51.96.0/20'],
        error: [{ '192.0.0.0/8': 'The CIDR prefix must be >=16' }],
      },
    },
  ),
  changeSites: endpoint(
    {
      method: 'PATCH',
      path: '/api/v1/sites',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Move sites to a group',
      description:
        'Moves sites of the caller to a group of the caller, or out of their group. A host that is not a site of the caller is in `error`.',
      mayBeMissing: true,
    },
    { body: SiteChange, response: BatchOutcome },
    {
      body: { hosts: ['*.example.com'], groupId: group.id },
      response: { status: 1, success: ['*.example.com'], error: [] },
    },
  ),
  listGroups: endpoint(
    {
      method: 'GET',
      path: '/api/v1/groups',
      scope: 'read',
      role: 'viewer',
      tag: 'Sites',
      summary: 'List groups',
      description: 'The groups of the caller, by name. A site is in one of them, or in none.',
    },
    { response: GroupList },
    { response: { groups: [group] } },
  ),
  addGroup: endpoint(
    {
      method: 'POST',
      path: '/api/v1/groups',
      scope: 'write',
      role: 'member',
      createsOnce: true,
      tag: 'Sites',
      summary: 'Create a group',
      description:
        'Creates a group of the caller. 409 if the name is taken, without regard to case, or if the caller has 1,000 groups.',
      mayConflict: true,
    },
    { body: GroupRequest, response: Group },
    { body: { name: group.name }, response: group },
  ),
  renameGroup: endpoint(
    {
      method: 'PATCH',
      path: '/api/v1/groups/{id}',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Rename a group',
      description: 'Renames a group of the caller. 409 if the name is taken.',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: IdParams, body: GroupRequest, response: Group },
    { body: { name: group.name }, response: group },
  ),
  deleteGroup: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/groups/{id}',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Delete a group',
      description: 'Deletes a group of the caller. Its sites stay, without a group.',
      mayBeMissing: true,
    },
    { params: IdParams, response: Deleted },
    { response: { deleted: true } },
  ),
}
