// The latest events of a user, with what was said of them.
import type { EventFilter, EventSummary, Store } from '../../store/store.ts'
import { presentOverview } from '../events/present.ts'

export function latestEvents(
  store: Pick<Store, 'eventsBetween'>,
  userId: string,
  { filter, fromMs, limit }: { filter: EventFilter; fromMs?: number; limit: number },
): Promise<EventSummary[]> {
  return store.eventsBetween(userId, {
    fromMs: fromMs ?? null,
    toMs: null,
    filter,
    isDescending: true,
    after: null,
    limit,
  })
}

/** The notes on the events, by event id. */
export function notesOn(store: Pick<Store, 'notesOf'>, userId: string, events: readonly EventSummary[]) {
  return store.notesOf(
    userId,
    events.map(({ id }) => id),
  )
}

/** The events as lists under /api/v1 show them. */
export async function overviewsOf(store: Pick<Store, 'notesOf'>, userId: string, events: readonly EventSummary[]) {
  const notes = await notesOn(store, userId, events)
  return events.map((event) => presentOverview(event, notes.get(event.id)))
}
