// What the console asks about events.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { EventOverview, EventReport, EventSeries } from '../../../client/types.ts'
import type { Api, Search } from '../../shared/api/api.ts'

export type { EventOverview, EventReport, EventSeries }
export type EventListEntry = EventReport['statistics']['sources']['entries'][number]

export const eventQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['event', id],
    queryFn: ({ signal }) => api.call('getEventReport', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? 5_000 : false),
  })

export const seriesQuery = (api: Api, id: string, isOpen: boolean) =>
  queryOptions({
    queryKey: ['event', id, 'series'],
    queryFn: ({ signal }) => api.call('getEventSeries', { params: { id }, signal }),
    refetchInterval: isOpen ? 5_000 : false,
  })

/** Newest first. */
export const eventsQuery = (api: Api, search: Search) =>
  queryOptions({
    queryKey: ['events', 'list', search],
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    queryFn: async ({ signal }) => (await api.call('findEvents', { search, signal })).events.toReversed(),
  })
