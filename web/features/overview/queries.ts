// How things stand, as the service sums it up.
import { queryOptions } from '@tanstack/react-query'
import type { Response } from '../../../src/contract/endpoints.ts'
import type { Api } from '../../shared/api/api.ts'

export type Overview = Response<'getOverview'>

export const overviewQuery = (api: Api) =>
  queryOptions({
    queryKey: ['overview'],
    meta: { live: ['event', 'events', 'sites', 'status'] },
    refetchInterval: 10_000,
    queryFn: ({ signal }) => api.call('getOverview', { signal }),
  })

export const statusQuery = (api: Api) =>
  queryOptions({
    queryKey: ['status'],
    meta: { live: ['status'] },
    staleTime: 60_000,
    queryFn: ({ signal }) => api.call('getStatus', { signal }),
  })
