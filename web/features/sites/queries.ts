// What the console asks about sites and their groups.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Response } from '../../../src/contract/endpoints.ts'
import { pageSites } from '../../../src/contract/limits.ts'
import type { Api } from '../../shared/api/api.ts'
import type { LongList } from '../../shared/api/pages.ts'
import { text } from '../../shared/ui/search.ts'

export type SiteOverview = Response<'findSites'>['sites'][number]
export type Group = Response<'listGroups'>['groups'][number]

export interface SiteFilter {
  q?: string | undefined
  /** The id of a group, or `none`. */
  group?: string | undefined
}

/** What the address of the list says beside its path. */
export interface SitesSearch {
  q?: string
  /** The id of a group, or `none`. */
  group?: string
}

export const sitesSearch = (search: Record<string, unknown>): SitesSearch => text(search, 'q', 'group')

/** In the order of their hosts, page by page. */
export const siteList = (api: Api, filter: SiteFilter): LongList<SiteOverview> => ({
  key: ['site-pages', filter],
  live: ['sites'],
  sightKey: ['sites', 'in-sight', filter],
  sightLive: ['sites'],
  keyOf: ({ host }) => host,
  fetchPage: async (cursor, signal) => {
    const query = { ...filter, limit: pageSites.max, cursor }
    const { sites, total, next } = await api.call('findSites', { query, signal })
    return { rows: sites, total, next }
  },
})

export const groupsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites', 'groups'],
    meta: { live: ['sites'] },
    queryFn: async ({ signal }) => (await api.call('listGroups', { signal })).groups,
  })

/** The last simulated attack on a site; null: there was none. */
export const simulationQuery = (api: Api, host: string) =>
  queryOptions({
    queryKey: ['simulation', host],
    queryFn: async ({ signal }) => (await api.call('getSimulation', { params: { host }, signal })).simulation,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1_000 : false),
  })

export interface AttackableSites {
  hosts: string[]
  total: number
}

const attackablePagesMax = 20
const againMs = 2_000

/**
 * Sites that an attack can be simulated on, as they have an address now: addresses and networks first, then names. `total` counts all that are
 * monitored. While there is none it is asked again: a name that was just added leads somewhere within seconds.
 */
export const attackableSitesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites', 'attackable'],
    meta: { live: ['sites'] },
    queryFn: async ({ signal }): Promise<AttackableSites> => {
      const found: SiteOverview[] = []
      let total = 0
      let cursor: string | null = ''
      for (let page = 0; page < attackablePagesMax && cursor !== null && found.length < pageSites.max; page++) {
        const query = { enabled: 'true', limit: pageSites.max, cursor } as const
        const answer: Response<'findSites'> = await api.call('findSites', { query, signal })
        found.push(...answer.sites.filter(({ addresses }) => addresses.count > 0))
        total = answer.total
        cursor = answer.next
      }
      const isAddress = ({ kind }: SiteOverview) => Number(kind === 'ipv4' || kind === 'cidr')
      return { hosts: found.toSorted((a, b) => isAddress(b) - isAddress(a)).map(({ host }) => host), total }
    },
    refetchInterval: ({ state }) => (state.data?.hosts.length === 0 ? againMs : false),
  })

export const siteQuery = (api: Api, host: string) =>
  queryOptions({
    queryKey: ['site', host],
    meta: { live: ['sites'] },
    queryFn: ({ signal }) => api.call('getSite', { params: { host }, signal }),
  })

/** After a change of sites or groups: everything that shows them. */
export async function sitesChanged(queries: QueryClient): Promise<void> {
  for (const key of ['sites', 'site-pages', 'site']) await queries.invalidateQueries({ queryKey: [key] })
}
