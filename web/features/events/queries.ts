// What the console asks about events.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Given } from '../../../client/call.ts'
import type { EventOverview, EventReport, EventSeries } from '../../../client/types.ts'
import { pageEvents } from '../../../src/contract/limits.ts'
import type { Api } from '../../shared/api/api.ts'
import type { LongList } from '../../shared/api/pages.ts'

export type { EventOverview, EventReport, EventSeries }
export type EventListEntry = EventReport['statistics']['sourcePorts']['entries'][number]

/** Which events a list shows. */
export type EventFilter = NonNullable<Given<'findEvents'>['query']>

export const eventQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['event', id],
    meta: { live: ['event', 'events', 'alerts'] },
    queryFn: ({ signal }) => api.call('getEventReport', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? 5_000 : false),
  })

export const seriesQuery = (api: Api, id: string, isOpen: boolean) =>
  queryOptions({
    queryKey: ['event', id, 'series'],
    meta: { live: ['event', 'events'] },
    queryFn: ({ signal }) => api.call('getEventSeries', { params: { id }, signal }),
    refetchInterval: isOpen ? 5_000 : false,
  })

/** The latest, newest first. */
export const eventsQuery = (api: Api, search: EventFilter) =>
  queryOptions({
    queryKey: ['events', 'latest', search],
    meta: { live: ['event', 'events'] },
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
    queryFn: async ({ signal }) =>
      (await api.call('findEvents', { query: { order: 'desc', limit: pageEvents.max, ...search }, signal })).events,
  })

const eventsOfPage = 100

/** Newest first, page by page. */
export const eventList = (api: Api, search: EventFilter): LongList<EventOverview> => ({
  key: ['event-pages', search],
  live: [],
  sightKey: ['events', 'in-sight', search],
  sightLive: ['event', 'events'],
  keyOf: ({ id }) => id,
  fetchPage: async (cursor, signal) => {
    const query = { ...search, order: 'desc', limit: eventsOfPage, cursor } as const
    const { body, next } = await api.page('findEvents', { query, signal })
    return { rows: body.events, next: next?.cursor ?? null }
  },
})

export const relatedQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['event', id, 'related'],
    meta: { live: ['event', 'events'] },
    queryFn: async ({ signal }) => (await api.call('getRelatedEvents', { params: { id }, signal })).events,
  })
