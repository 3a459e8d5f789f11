// The shapes of the list of sites under /api/v1, and of groups.
import { type Static, type TSchema, Type } from 'typebox'
import { Deleted, IdParams, plainText } from './account-schemas.ts'
import { EventRates } from './event-amount-schemas.ts'
import type { groupRoutes } from './group-routes.ts'
import { pageSites } from './limits.ts'
import type { EndpointSchemas } from './schemas.ts'

const closed = { additionalProperties: false } as const

const Moment = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601 with offset, in whole seconds.` })
const Maybe = <Value extends TSchema>(value: Value, description: string) =>
  Type.Union([value, Type.Null()], { description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

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
        observable: Count('Of how many of those that the caller has a say over exporters told in the last 24 hours.'),
      },
      closed,
    ),
    rates: Maybe(
      EventRates,
      'Of the last 10 seconds, of addresses that the caller has a say over. Null: they are not known.',
    ),
    deviation: Maybe(Type.Number({ minimum: 0 }), 'Packets compared with what is normal. Null: that is not learnt.'),
    learnt: Maybe(
      Type.Number({ minimum: 0, maximum: 1 }),
      'How far normal is learnt, 0 to 1. Null: nothing was heard of it yet.',
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

/** But for those that are answered as `/open` answers. */
export const groupSchemas = {
  findSites: { query: FindSitesQuery, response: SiteOverviews },
  listGroups: { response: GroupList },
  addGroup: { body: GroupRequest, response: Group },
  renameGroup: { params: IdParams, body: GroupRequest, response: Group },
  deleteGroup: { params: IdParams, response: Deleted },
} as const satisfies Record<Exclude<keyof typeof groupRoutes, 'addAnySites' | 'changeSites'>, EndpointSchemas>

export type Group = Static<typeof Group>
export type SiteOverview = Static<typeof SiteOverview>
