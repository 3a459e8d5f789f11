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

const fewSites = 8

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

/** A few that have the text in them, and how many there are. */
export const someSitesQuery = (api: Api, q: string) =>
  queryOptions({
    queryKey: ['sites', 'some', q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call('findSites', { search: { q, limit: fewSites }, signal }),
  })

export const enabledSitesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites', 'enabled'],
    queryFn: async ({ signal }) =>
      (await api.call('findSites', { search: { enabled: 'true', limit: 1 }, signal })).total,
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
