// The event endpoints: a window of events, whole or by pages, and one event; as the frozen part of the interface shows them, and under /api/v1.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { routes } from '../contract/routes.ts'
import { schemas } from '../contract/schemas.ts'
import { type EventNote, noNote } from '../store/event-notes.ts'
import type { EventDetail, EventKey, EventSummary, Store } from '../store/store.ts'
import type { Answer, Handlers, RawQuery } from './endpoints.ts'
import { eventTable } from './event-table.ts'
import { encodeCursor, type ParsedQuery, parseEventQuery, parseFindQuery, type WantedEvents } from './event-window.ts'
import type { LiveFeed } from './live-feed.ts'
import { presentEvent, presentEventDetail } from './present.ts'
import { presentNote, presentOverview, presentReport, presentSeries } from './present-events.ts'
import type { Places } from './present-sources.ts'
import { ProblemError } from './problem.ts'
import { relatedEvents } from './related-events.ts'
import { severityOf } from './severity.ts'
import type { IsShared } from './shared.ts'

export interface EventHandlerOptions {
  store: Pick<Store, 'eventsBetween' | 'eventById' | 'notesOf' | 'changeNote'>
  clock: Clock
  feed: Pick<LiveFeed, 'tellEvents'>
  /** What links begin with: empty, or the public address without its last slash. */
  linkBase: string
  isShared: IsShared
  places: Places
}

/** Events read from the store at a time, when a whole window is answered: what memory holds of it, and how long others wait. */
const streamedAtOnce = 1_000

type ListName = 'listEvents' | 'findEvents'

/** How a list is answered: the member that holds it, and what an event is there. */
interface ListForm<Name extends ListName> {
  name: Name
  member: 'data' | 'events'
  /** What was said of an event is shown with it. */
  hasNotes: boolean
  present: (event: Noted) => object
  bodyOf: (events: Noted[]) => Answer<Name>
}

interface Noted {
  event: EventSummary
  note: EventNote
}

const openForm: ListForm<'listEvents'> = {
  name: 'listEvents',
  member: 'data',
  hasNotes: false,
  present: ({ event }) => presentEvent(event),
  bodyOf: (events) => ({ body: { data: events.map(({ event }) => presentEvent(event)) } }),
}

const findForm: ListForm<'findEvents'> = {
  name: 'findEvents',
  member: 'events',
  hasNotes: true,
  present: ({ event, note }) => presentOverview(event, note),
  bodyOf: (events) => ({ body: { events: events.map(({ event, note }) => presentOverview(event, note)) } }),
}

type EventHandlers = Pick<
  Handlers,
  ListName | 'getEvent' | 'getEventReport' | 'getEventSeries' | 'noteEvent' | 'getRelatedEvents' | 'getEventTable'
>

export function createEventHandlers({
  store,
  clock,
  feed,
  linkBase,
  isShared,
  places,
}: EventHandlerOptions): EventHandlers {
  /** As many as there are, up to the limit. How severe an event is the store does not know: so many are read until enough of them fit. */
  const summaries = async (
    userId: string,
    { severity, ...wanted }: WantedEvents,
    after: EventKey | null,
    limit: number,
  ): Promise<EventSummary[]> => {
    if (severity === undefined) return store.eventsBetween(userId, { ...wanted, after, limit })
    const fitting: EventSummary[] = []
    for (let from = after; ; await nextTurn()) {
      const events = await store.eventsBetween(userId, { ...wanted, after: from, limit: streamedAtOnce })
      fitting.push(...events.filter((event) => severityOf(event) === severity))
      if (fitting.length >= limit || events.length < streamedAtOnce) return fitting.slice(0, limit)
      from = keyOf(events[events.length - 1])
    }
  }

  const list = async <Name extends ListName>(
    form: ListForm<Name>,
    parsed: ParsedQuery,
    { userId, query, isHead }: { userId: string; query: RawQuery; isHead: boolean },
  ): Promise<Answer<Name>> => {
    if (!parsed.ok) throw new ProblemError('BAD_REQUEST', 'The query is not valid', parsed.errors)
    const { wanted } = parsed
    const read = async (after: EventKey | null, limit: number): Promise<Noted[]> => {
      const events = await summaries(userId, wanted, after, limit)
      const ids = form.hasNotes ? events.map(({ id }) => id) : []
      const notes = await store.notesOf(userId, ids)
      return events.map((event) => ({ event, note: notes.get(event.id) ?? noNote }))
    }

    if (wanted.limit !== null) {
      // One more than asked for tells whether there is a next page.
      const events = await read(wanted.after, wanted.limit + 1)
      const page = events.slice(0, wanted.limit)
      const headers =
        events.length > page.length ? nextLink(linkBase, form.name, query, page[page.length - 1].event) : {}
      return { ...form.bodyOf(page), headers }
    }
    // What fails here is answered as an error; later it can only break the answer off.
    const first = await read(wanted.after, isHead ? 1 : streamedAtOnce)
    if (first.length < streamedAtOnce && !isHead) return form.bodyOf(first)
    return { pieces: streamEvents(form, first, (after) => read(after, streamedAtOnce)) }
  }

  const find = async (userId: string, id: string): Promise<EventDetail | null> =>
    /^[0-9a-f]{24}$/.test(id) ? store.eventById(userId, id) : null

  const found = async (userId: string, id: string): Promise<EventDetail> => {
    const event = await find(userId, id)
    if (event === null) throw noEvent()
    return event
  }

  const noteOf = async ({ id, userId }: EventDetail): Promise<EventNote> =>
    (await store.notesOf(userId, [id])).get(id) ?? noNote

  return {
    listEvents: ({ query, isHead }, { id }) =>
      list(openForm, parseEventQuery(query, clock.now()), { userId: id, query, isHead }),

    getEvent: async ({ params }, caller) => {
      const event = await find(caller.id, params.id)
      return { body: { data: event === null || event.isTest ? {} : presentEventDetail(event) } }
    },

    findEvents: ({ query, isHead }, { id }) =>
      list(findForm, parseFindQuery(query, clock.now()), { userId: id, query, isHead }),

    getEventReport: async ({ params, isAdmin }, caller) => {
      const event = await found(caller.id, params.id)
      return { body: presentReport(event, await noteOf(event), { isAdmin, isShared, places }) }
    },

    noteEvent: async ({ params, body }, caller) => {
      const { id } = await found(caller.id, params.id)
      const note = await store.changeNote(caller.id, id, body, { by: caller.email, atMs: clock.now() })
      if (note === null) throw noEvent()
      feed.tellEvents([{ userId: caller.id, id, change: 'updated' }])
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
        text: Buffer.from(eventTable(presentReport(event, await noteOf(event), { isAdmin, isShared, places }))),
        headers: { 'content-disposition': `attachment; filename="event-${event.id}.csv"` },
      }
    },

    getEventSeries: async ({ params }, caller) => ({ body: presentSeries(await found(caller.id, params.id)) }),
  }
}

/** The answer as text, a piece for each read. It is pulled: nothing is read before the client has taken what came before. */
async function* streamEvents(
  { member, present }: ListForm<ListName>,
  first: Noted[],
  readAfter: (key: EventKey) => Promise<Noted[]>,
): AsyncGenerator<string, void, undefined> {
  yield `{"${member}":[`
  let separator = ''
  for (let events = first; events.length > 0; ) {
    yield separator + events.map((event) => JSON.stringify(present(event))).join(',')
    separator = ','
    if (events.length < streamedAtOnce) break
    // The store answers at once: without a pause one long answer would hold up all others.
    await nextTurn()
    events = await readAfter(keyOf(events[events.length - 1].event))
  }
  yield ']}'
}

function noEvent(): ProblemError {
  return new ProblemError('NOT_FOUND', 'The caller has no event of this id')
}

function keyOf({ createdMs, id }: EventSummary): EventKey {
  return { createdMs, id }
}

/** RFC 8288. The parameters stay as they were, but for the cursor. */
function nextLink(linkBase: string, name: ListName, query: RawQuery, last: EventSummary): Record<string, string> {
  const next: RawQuery = { ...query, cursor: encodeCursor(keyOf(last)) }
  const search = Object.keys(schemas[name].query.properties).flatMap((parameter) => {
    const value = next[parameter]
    return typeof value === 'string' ? [`${parameter}=${encodeURIComponent(value)}`] : []
  })
  return { link: `<${linkBase}${routes[name].path}?${search.join('&')}>; rel="next"` }
}
