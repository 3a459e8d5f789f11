// What the console asks about sites and their groups.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { pageSites } from '../../../src/contract/limits.ts'
import type { Response } from '../../../src/contract/schemas.ts'
import type { Api } from '../../shared/api/api.ts'
import type { LongList } from '../../shared/api/pages.ts'

export type SiteOverview = Response<'findSites'>['sites'][number]
export type Group = Response<'listGroups'>['groups'][number]

export interface SiteFilter {
  q?: string | undefined
  /** The id of a group, or `none`. */
  group?: string | undefined
}

/** In the order of their hosts, page by page. */
export const siteList = (api: Api, filter: SiteFilter): LongList<SiteOverview> => ({
  key: ['site-pages', filter],
  sightKey: ['sites', 'in-sight', filter],
  keyOf: ({ host }) => host,
  fetchPage: async (cursor, signal) => {
    const search = { ...filter, limit: pageSites.max, cursor }
    const { sites, total, next } = await api.call('findSites', { search, signal })
    return { rows: sites, total, next }
  },
})

export const groupsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites', 'groups'],
    queryFn: async ({ signal }) => (await api.call('listGroups', { signal })).groups,
  })

/** The last simulated attack on a site; null: there was none. */
export const simulationQuery = (api: Api, host: string) =>
  queryOptions({
    queryKey: ['simulation', host],
    queryFn: async ({ signal }) => (await api.call('getSimulation', { params: { host }, signal })).simulation,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 1_000 : false),
  })

/** The first site of the user; null: there is none. */
export const firstSiteQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites', 'first'],
    queryFn: async ({ signal }) =>
      (await api.call('findSites', { search: { limit: 1 }, signal })).sites[0]?.host ?? null,
  })

export const siteQuery = (api: Api, host: string) =>
  queryOptions({
    queryKey: ['site', host],
    queryFn: ({ signal }) => api.call('getSite', { params: { host }, signal }),
  })

/** After a change of sites or groups: everything that shows them. */
export async function sitesChanged(queries: QueryClient): Promise<void> {
  for (const key of ['sites', 'site-pages', 'site']) await queries.invalidateQueries({ queryKey: [key] })
}
