// What the console asks about sites and their groups.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pageSites } from '../../../src/contract/limits.ts'
import type { Response } from '../../../src/contract/schemas.ts'
import type { Api } from '../../shared/api/api.ts'

export type SiteOverview = Response<'findSites'>['sites'][number]
export type Group = Response<'listGroups'>['groups'][number]

export interface SiteFilter {
  q?: string | undefined
  /** The id of a group, or `none`. */
  group?: string | undefined
}

/** In the order of their hosts, page by page. */
export const sitePagesQuery = (api: Api, filter: SiteFilter) =>
  infiniteQueryOptions({
    queryKey: ['sites', 'pages', filter],
    placeholderData: keepPreviousData,
    initialPageParam: '',
    refetchInterval: 15_000,
    queryFn: ({ pageParam, signal }) =>
      api.call('findSites', { search: { ...filter, limit: pageSites.max, cursor: pageParam }, signal }),
    getNextPageParam: ({ next }) => next,
  })

export const groupsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites', 'groups'],
    queryFn: async ({ signal }) => (await api.call('listGroups', { signal })).groups,
  })

export const siteQuery = (api: Api, host: string) =>
  queryOptions({
    queryKey: ['site', host],
    queryFn: ({ signal }) => api.call('getSite', { params: { host }, signal }),
  })
