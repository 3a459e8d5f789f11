// What the console asks about events.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { EventOverview, EventReport, EventSeries } from '../../../client/types.ts'
import { pageEvents } from '../../../src/contract/limits.ts'
import type { Api, Search } from '../../shared/api/api.ts'
import type { LongList } from '../../shared/api/pages.ts'

export type { EventOverview, EventReport, EventSeries }
export type EventListEntry = EventReport['statistics']['sourcePorts']['entries'][number]

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

/** The latest, newest first. */
export const eventsQuery = (api: Api, search: Search) =>
  queryOptions({
    queryKey: ['events', 'latest', search],
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    queryFn: async ({ signal }) =>
      (await api.call('findEvents', { search: { order: 'desc', limit: pageEvents.max, ...search }, signal })).events,
  })

const eventsOfPage = 200

/** Newest first, page by page. */
export const eventList = (api: Api, search: Search): LongList<EventOverview> => ({
  key: ['event-pages', search],
  sightKey: ['events', 'in-sight', search],
  keyOf: ({ id }) => id,
  fetchPage: async (cursor, signal) => {
    const paged = { ...search, order: 'desc', limit: eventsOfPage, cursor }
    const { body, cursor: next = null } = await api.callPage('findEvents', { search: paged, signal })
    return { rows: body.events, next }
  },
})

export const relatedQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['event', id, 'related'],
    queryFn: async ({ signal }) => (await api.call('getRelatedEvents', { params: { id }, signal })).events,
  })
