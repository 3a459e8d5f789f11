// The endpoints of groups of sites.
import type { groupEndpoints, Group as WireGroup } from '../../contract/sites/groups.ts'
import { formatTime } from '../../contract/time.ts'
import type { Group } from '../../store/groups.ts'
import type { Store } from '../../store/store.ts'
import { nameOf } from '../http/body.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { LiveFeed } from '../live/feed.ts'
import { changeSites } from './sites.ts'

export interface GroupHandlerOptions {
  store: Pick<Store, 'setGroup' | 'listGroups' | 'addGroup' | 'renameGroup' | 'deleteGroup'>
  feed: Pick<LiveFeed, 'tellSites'>
}

/** Sites are listed by overviews.ts, and added by sites.ts. */
type GroupHandlers = Handlers<Exclude<keyof typeof groupEndpoints, 'findSites' | 'addAnySites'>>

export function createGroupHandlers({ store, feed }: GroupHandlerOptions): GroupHandlers {
  return {
    changeSites: async ({ body }, { id }) => {
      const changed = await changeSites(body.hosts, (hosts) => store.setGroup(id, hosts, body.groupId))
      if (changed.isChanged) feed.tellSites(id)
      return { body: changed.outcome }
    },

    listGroups: async (_input, { id }) => ({ body: { groups: (await store.listGroups(id)).map(presentGroup) } }),

    addGroup: async ({ body }, { id }) => ({ body: presentGroup(await store.addGroup(id, nameOf(body.name))) }),

    renameGroup: async ({ params, body }, { id }) => {
      const group = await store.renameGroup(id, params.id, nameOf(body.name))
      if (group === null) throw new ProblemError('NOT_FOUND', 'The caller has no such group')
      feed.tellSites(id)
      return { body: presentGroup(group) }
    },

    deleteGroup: async ({ params }, { id }) => {
      const deleted = await store.deleteGroup(id, params.id)
      if (!deleted) throw new ProblemError('NOT_FOUND', 'The caller has no such group')
      feed.tellSites(id)
      return { body: { deleted } }
    },
  }
}

function presentGroup({ id, name, createdMs, siteCount }: Group): WireGroup {
  return { id, name, createdAt: formatTime(createdMs), siteCount }
}
