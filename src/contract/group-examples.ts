// Examples of sites as /api/v1 lists them, and of groups.
import { overviewExample } from './event-examples.ts'
import type { Group, SiteOverview } from './group-schemas.ts'

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

export const groupExamples = {
  findSites: { response: { sites: [site], total: 1, next: null } },
  addAnySites: {
    body: { hosts: ['*.example.com', '198.51.96.0/20', '192.0.0.0/8'] },
    response: {
      status: 0,
      success: ['*.example.com', '198.51.96.0/20'],
      error: [{ '192.0.0.0/8': 'The CIDR prefix must be >=16' }],
    },
  },
  changeSites: {
    body: { hosts: ['*.example.com'], groupId: group.id },
    response: { status: 1, success: ['*.example.com'], error: [] },
  },
  listGroups: { response: { groups: [group] } },
  addGroup: { body: { name: group.name }, response: group },
  renameGroup: { body: { name: group.name }, response: group },
  deleteGroup: { response: { deleted: true } },
}
