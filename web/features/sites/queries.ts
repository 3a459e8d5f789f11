// What the console asks about sites.
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../shared/api/api.ts'

export const sitesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites'],
    queryFn: async ({ signal }) => {
      const { data, status } = await api.call('listSites', { signal })
      if (status !== 1) throw Object.assign(new Error('the list of sites could not be read'), { status: 503 })
      return data
    },
  })

export const siteQuery = (api: Api, host: string) =>
  queryOptions({
    queryKey: ['site', host],
    queryFn: ({ signal }) => api.call('getSite', { params: { host }, signal }),
  })
