// What the console asks about channels and what was sent to them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Response } from '../../../src/contract/endpoints.ts'
import type { Api } from '../../shared/api/api.ts'

export type Channel = Response<'listChannels'>['channels'][number]
export type Kinds = Response<'listChannelKinds'>
export type Kind = Kinds['kinds'][number]
export type Delivery = Response<'listDeliveries'>['deliveries'][number]
export type Outcome = Response<'testChannel'>

export const channelsKey = ['channels']

export const channelsQuery = (api: Api) =>
  queryOptions({
    queryKey: channelsKey,
    meta: { live: ['alerts'] },
    queryFn: async ({ signal }) => (await api.call('listChannels', { signal })).channels,
  })

/** They change with the version of the service alone. */
export const kindsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['channel-kinds'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.call('listChannelKinds', { signal }),
  })

export interface DeliveryFilter {
  state?: Delivery['state']
  channel?: string
  event?: string
}

export const deliveriesKey = ['deliveries']

const pageSize = 50

/** The latest first, page by page. */
export const deliveriesQuery = (api: Api, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey, filter],
    meta: { live: ['alerts'] },
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === '' ? {} : { before: pageParam }
      return api.call('listDeliveries', { query: { ...filter, ...before, limit: pageSize }, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })

/** The latest message that was given up, if there was one. */
export const lastGivenUpQuery = (api: Api) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'given-up'],
    meta: { live: ['alerts'] },
    queryFn: async ({ signal }) =>
      (await api.call('listDeliveries', { query: { state: 'dead', limit: 1 }, signal })).deliveries,
  })

export const deliveryQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'one', id],
    meta: { live: ['alerts'] },
    queryFn: ({ signal }) => api.call('getDelivery', { params: { id }, signal }),
  })
