// The event endpoints: a window of events, whole or by pages, and one event; as the frozen part of the interface shows them, and under /api/v1.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IsShared } from '../../access/shared-addresses.ts'
import type { Clock } from '../../clock.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { eventEndpoints } from '../../contract/events/endpoints.ts'
import { type EventNote, noNote } from '../../events/notes.ts'
import { severityOf } from '../../events/severity.ts'
import type { EventDetail, EventKey, EventSummary, EventWindow, Store } from '../../store/store.ts'
import type { Answer, Handlers, RawQuery } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { LiveFeed } from '../live/feed.ts'
import type { HttpSettings } from '../settings.ts'
import { presentNote, presentOverview, presentReport, presentSeries } from './present.ts'
import { presentEvent, presentEventDetail } from './present-open.ts'
import type { Places } from './present-sources.ts'
import { relatedEvents } from './related.ts'
import { eventTable } from './table.ts'
import {
  encodeCursor,
  type ParsedQuery,
  parseChangedQuery,
  parseEventQuery,
  parseFindQuery,
  type WantedEvents,
} from './window.ts'

export interface EventParts {
  store: Pick<
    Store,
    | 'eventsBetween'
    | 'entriesBetween'
    | 'eventsChangedSince'
    | 'eventById'
    | 'entryById'
    | 'episodesOf'
    | 'notesOf'
    | 'changeNote'
  >
  clock: Clock
  feed: Pick<LiveFeed, 'wake'>
  settings: Pick<HttpSettings, 'publicUrl'>
  isShared: IsShared
  places: Places
}

/** Events read from the store at a time, when a whole window is answered: what memory holds of it, and how long others wait. */
const streamedAtOnce = 1_000

/** Episodes of a report: the latest. */
const episodesMax = 1_000

type ListName = 'listEvents' | 'findEvents'

/** How a list is answered: the member that holds it, and what an event is there. */
interface ListForm<Name extends ListName> {
  name: Name
  member: 'data' | 'events'
  /** What was said of an event is shown with it. */
  hasNotes: boolean
  present: (event: Noted) => object
  read: (store: EventParts['store'], userId: string, window: EventWindow) => Promise<EventSummary[]>
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
  read: (store, userId, window) => store.entriesBetween(userId, window),
  bodyOf: (events) => ({ body: { data: events.map(({ event }) => presentEvent(event)) } }),
}

const findForm: ListForm<'findEvents'> = {
  name: 'findEvents',
  member: 'events',
  hasNotes: true,
  present: ({ event, note }) => presentOverview(event, note),
  read: (store, userId, window) => store.eventsBetween(userId, window),
  bodyOf: (events) => ({ body: { events: events.map(({ event, note }) => presentOverview(event, note)) } }),
}

export function eventHandlers({
  store,
  clock,
  feed,
  settings,
  isShared,
  places,
}: EventParts): Handlers<keyof typeof eventEndpoints> {
  /** What links begin with: empty, or the public address without its last slash. */
  const linkBase = settings.publicUrl.replace(/\/+$/, '')

  /** As many as there are, up to the limit. The store does not know how severe an event is: events are read until enough of them fit. */
  const summaries = async (
    { read }: Pick<ListForm<ListName>, 'read'>,
    userId: string,
    { severity, ...wanted }: WantedEvents,
    after: EventKey | null,
    limit: number,
  ): Promise<EventSummary[]> => {
    if (severity === undefined) return read(store, userId, { ...wanted, after, limit })
    const fitting: EventSummary[] = []
    for (let from = after; ; await nextTurn()) {
      const events = await read(store, userId, { ...wanted, after: from, limit: streamedAtOnce })
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
      const events = await summaries(form, userId, wanted, after, limit)
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

  const listChanged = async (userId: string, query: RawQuery): Promise<Answer<'findEvents'>> => {
    const parsed = parseChangedQuery(query)
    if (!parsed.ok) throw new ProblemError('BAD_REQUEST', 'The query is not valid', parsed.errors)
    const { since } = parsed
    const events = await store.eventsChangedSince(userId, { ...since, limit: since.limit + 1 })
    const page = events.slice(0, since.limit)
    const notes = await store.notesOf(
      userId,
      page.map(({ id }) => id),
    )
    const noted = page.map((event) => ({ event, note: notes.get(event.id) ?? noNote }))
    const last = page.at(-1)
    const isMore = last !== undefined && events.length > page.length
    const headers = isMore ? nextChanged(linkBase, query, last.sequence) : {}
    return { ...findForm.bodyOf(noted), headers }
  }

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

  const reportOf = async (event: EventDetail, isAdmin: boolean) => {
    const episodes = event.returns === 0 ? [] : await store.episodesOf(event.userId, event.id, episodesMax)
    return presentReport(event, await noteOf(event), { isAdmin, isShared, places, episodes })
  }

  const noteOf = async ({ id, userId }: EventDetail): Promise<EventNote> =>
    (await store.notesOf(userId, [id])).get(id) ?? noNote

  return {
    listEvents: ({ query, isHead }, { id }) =>
      list(openForm, parseEventQuery(query, clock.now()), { userId: id, query, isHead }),

    getEvent: async ({ params }, caller) => {
      const event = await findEntry(caller.id, params.id)
      return { body: { data: event === null || event.isTest ? {} : presentEventDetail(event) } }
    },

    findEvents: ({ query, isHead }, { id }) =>
      query.changedSince !== undefined
        ? listChanged(id, query)
        : list(findForm, parseFindQuery(query, clock.now()), { userId: id, query, isHead }),

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

/** The next page of changes begins after the last place that was read. */
function nextChanged(linkBase: string, query: RawQuery, sequence: number): Record<string, string> {
  return linkTo(linkBase, 'findEvents', { ...query, changedSince: String(sequence) })
}

/** RFC 8288. The parameters stay as they were, but for the cursor. */
function nextLink(linkBase: string, name: ListName, query: RawQuery, last: EventSummary): Record<string, string> {
  return linkTo(linkBase, name, { ...query, cursor: encodeCursor(keyOf(last)) })
}

function linkTo(linkBase: string, name: ListName, next: RawQuery): Record<string, string> {
  const search = Object.keys(endpoints[name].shapes.query.properties).flatMap((parameter) => {
    const value = next[parameter]
    return typeof value === 'string' ? [`${parameter}=${encodeURIComponent(value)}`] : []
  })
  return { link: `<${linkBase}${endpoints[name].route.path}?${search.join('&')}>; rel="next"` }
}
