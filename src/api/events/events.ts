// The endpoints of one event, as the frozen part of the interface shows it, and under /api/v1; those that list events are in lists.ts.
import type { IsShared } from '../../access/shared-addresses.ts'
import type { eventEndpoints } from '../../contract/events/endpoints.ts'
import type { EventAlert } from '../../contract/events/event.ts'
import { formatTime } from '../../contract/time.ts'
import { type EventNote, noNote } from '../../events/notes.ts'
import type { EventDetail, Store } from '../../store/store.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { LiveFeed } from '../live/feed.ts'
import { type EventListParts, eventListHandlers } from './lists.ts'
import { presentNote, presentOverview, presentReport, presentSeries } from './present.ts'
import { presentEventDetail } from './present-open.ts'
import type { Places } from './present-sources.ts'
import { relatedEvents } from './related.ts'
import { eventTable } from './table.ts'

export interface EventParts extends EventListParts {
  store: EventListParts['store'] &
    Pick<Store, 'eventById' | 'entryById' | 'episodesOf' | 'changeNote' | 'deliveriesOf' | 'channelsOf'>
  feed: Pick<LiveFeed, 'wake'>
  isShared: IsShared
  places: Places
}

/** Episodes of a report: the latest. */
const episodesMax = 1_000
/** Messages about an event, likewise. */
const alertsMax = 500

export function eventHandlers(parts: EventParts): Handlers<keyof typeof eventEndpoints> {
  const { store, clock, feed, isShared, places } = parts

  const { findEntry, found } = eventFinder(store)

  const reportOf = async (event: EventDetail, isAdmin: boolean) => {
    const episodes = event.returns === 0 ? [] : await store.episodesOf(event.userId, event.id, episodesMax)
    const alerts = await alertsAbout(store, event)
    return presentReport(event, await noteOf(event), { isAdmin, isShared, places, episodes, alerts })
  }

  const noteOf = async ({ id, userId }: EventDetail): Promise<EventNote> =>
    (await store.notesOf(userId, [id])).get(id) ?? noNote

  return {
    ...eventListHandlers(parts),

    getEvent: async ({ params }, caller) => {
      const event = await findEntry(caller.id, params.id)
      return { body: { data: event === null || event.isTest ? {} : presentEventDetail(event) } }
    },

    getEventReport: async ({ params, isAdmin }, caller) => {
      const event = await found(caller.id, params.id)
      return { body: await reportOf(event, isAdmin) }
    },

    noteEvent: async ({ params, body }, caller) => {
      const { id } = await found(caller.id, params.id)
      const note = await store.changeNote(caller.id, id, body, { by: caller.email, atMs: clock.now() })
      if (note === null) throw noEvent()
      feed.wake()
      return { body: presentNote(note) }
    },

    getRelatedEvents: async ({ params }, caller) => {
      const related = await relatedEvents(store, await found(caller.id, params.id))
      const notes = await store.notesOf(
        caller.id,
        related.map(({ event }) => event.id),
      )
      const events = related.map(({ event, because }) => ({
        event: presentOverview(event, notes.get(event.id)),
        because,
      }))
      return { body: { events } }
    },

    getEventTable: async ({ params, isAdmin }, caller) => {
      const event = await found(caller.id, params.id)
      return {
        text: Buffer.from(eventTable(await reportOf(event, isAdmin))),
        headers: { 'content-disposition': `attachment; filename="event-${event.id}.csv"` },
      }
    },

    getEventSeries: async ({ params }, caller) => ({ body: presentSeries(await found(caller.id, params.id)) }),
  }
}

function eventFinder(store: Pick<Store, 'eventById' | 'entryById'>) {
  const find = async (userId: string, id: string): Promise<EventDetail | null> =>
    /^[0-9a-f]{24}$/.test(id) ? store.eventById(userId, id) : null

  /** As the list of the interface shows it: with the numbers of the episode that has this id. */
  const findEntry = async (userId: string, id: string): Promise<EventDetail | null> => {
    const event = await find(userId, id)
    if (event === null || event.returns === 0) return event
    return { ...event, ...(await store.entryById(userId, id)) }
  }

  const found = async (userId: string, id: string): Promise<EventDetail> => {
    const event = await find(userId, id)
    if (event === null) throw noEvent()
    return event
  }

  return { findEntry, found }
}

async function alertsAbout(
  store: Pick<Store, 'deliveriesOf' | 'channelsOf'>,
  { id, userId }: Pick<EventDetail, 'id' | 'userId'>,
): Promise<EventAlert[]> {
  const deliveries = await store.deliveriesOf(userId, { eventId: id, limit: alertsMax })
  if (deliveries.length === 0) return []
  const channels = new Map((await store.channelsOf(userId)).map((channel) => [channel.id, channel]))
  return deliveries.toReversed().flatMap(({ channelId, notice, state, dueMs }) => {
    const channel = channels.get(channelId)
    if (channel === undefined) return []
    const { name, kind } = channel
    return [{ channel: name, kind, notice: notice.kind, state, at: formatTime(dueMs) }]
  })
}

function noEvent(): ProblemError {
  return new ProblemError('NOT_FOUND', 'The caller has no event of this id')
}
