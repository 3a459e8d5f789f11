// The endpoints that list events: a window of them, whole or by pages, or those that changed; as the frozen part of the interface shows them, and
// under /api/v1.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { type EventNote, noNote } from '../../events/notes.ts'
import { severityOf } from '../../events/severity.ts'
import type { EventEntry, EventKey, EventSummary, Store } from '../../store/store.ts'
import type { Answer, Handlers, RawQuery } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { HttpSettings } from '../settings.ts'
import { presentOverview } from './present.ts'
import { presentEvent } from './present-open.ts'
import {
  encodeCursor,
  type ParsedQuery,
  parseChangedQuery,
  parseEventQuery,
  parseFindQuery,
  type WantedEvents,
} from './window.ts'

export interface EventListParts {
  store: Pick<Store, 'eventsBetween' | 'entriesBetween' | 'eventsChangedSince' | 'notesOf'>
  clock: Clock
  settings: Pick<HttpSettings, 'publicUrl'>
}

/** Events read from the store at a time, when a whole window is answered: what memory holds of it, and how long others wait. Some milliseconds. */
const streamedAtOnce = 250

type ListName = 'listEvents' | 'findEvents'

/** How a list is answered: the member that holds it, what is read, and what of that is shown. */
interface ListForm<Name extends ListName, Event extends EventKey> {
  name: Name
  member: 'data' | 'events'
  read: (store: EventListParts['store'], userId: string, wanted: WantedPage) => Promise<Event[]>
  present: (event: Event) => object
  bodyOf: (events: Event[]) => Answer<Name>
}

type WantedPage = WantedEvents & { limit: number }
type NotedEvent = EventSummary & { note: EventNote }

const openForm: ListForm<'listEvents', EventEntry> = {
  name: 'listEvents',
  member: 'data',
  read: (store, userId, wanted) => store.entriesBetween(userId, wanted),
  present: presentEvent,
  bodyOf: (events) => ({ body: { data: events.map(presentEvent) } }),
}

const findForm: ListForm<'findEvents', NotedEvent> = {
  name: 'findEvents',
  member: 'events',
  read: async (store, userId, wanted) => noted(store, userId, await severeEvents(store, userId, wanted)),
  present: (event) => presentOverview(event, event.note),
  bodyOf: (events) => ({ body: { events: events.map((event) => presentOverview(event, event.note)) } }),
}

interface ListRequest {
  userId: string
  query: RawQuery
  isHead: boolean
}

export function eventListHandlers({ store, clock, settings }: EventListParts): Handlers<ListName> {
  const lists = new EventLists(store, settings.publicUrl.replace(/\/+$/, ''))
  return {
    listEvents: ({ query, isHead }, { id }) =>
      lists.list(openForm, parseEventQuery(query, clock.now()), { userId: id, query, isHead }),

    findEvents: ({ query, isHead }, { id }) =>
      query.changedSince === undefined
        ? lists.list(findForm, parseFindQuery(query, clock.now()), { userId: id, query, isHead })
        : lists.listChanged(id, query),
  }
}

class EventLists {
  readonly #store: EventListParts['store']
  /** What links begin with: empty, or the public address without its last slash. */
  readonly #linkBase: string

  constructor(store: EventListParts['store'], linkBase: string) {
    this.#store = store
    this.#linkBase = linkBase
  }

  async list<Name extends ListName, Event extends EventKey>(
    form: ListForm<Name, Event>,
    parsed: ParsedQuery,
    { userId, query, isHead }: ListRequest,
  ): Promise<Answer<Name>> {
    if (!parsed.ok) throw new ProblemError('BAD_REQUEST', 'The query is not valid', parsed.errors)
    const { wanted } = parsed
    const read = (after: EventKey | null, limit: number) => form.read(this.#store, userId, { ...wanted, after, limit })
    if (wanted.limit !== null) {
      // One more than asked for tells whether there is a next page.
      const events = await read(wanted.after, wanted.limit + 1)
      const page = events.slice(0, wanted.limit)
      const headers =
        events.length > page.length ? nextLink(this.#linkBase, form.name, query, page[page.length - 1]) : {}
      return { ...form.bodyOf(page), headers }
    }
    // What fails here is answered as an error; later it can only break the answer off.
    const first = await read(wanted.after, isHead ? 1 : streamedAtOnce)
    if (first.length < streamedAtOnce && !isHead) return form.bodyOf(first)
    return { pieces: streamEvents(form, first, (after) => read(after, streamedAtOnce)) }
  }

  async listChanged(userId: string, query: RawQuery): Promise<Answer<'findEvents'>> {
    const parsed = parseChangedQuery(query)
    if (!parsed.ok) throw new ProblemError('BAD_REQUEST', 'The query is not valid', parsed.errors)
    const { since } = parsed
    const events = await this.#store.eventsChangedSince(userId, { ...since, limit: since.limit + 1 })
    const page = await noted(this.#store, userId, events.slice(0, since.limit))
    const last = page.at(-1)
    const isMore = last !== undefined && events.length > page.length
    const headers = isMore ? nextChanged(this.#linkBase, query, last.sequence) : {}
    return { ...findForm.bodyOf(page), headers }
  }
}

/** As many as there are, up to the limit. The store does not know how severe an event is: events are read until enough of them fit. */
async function severeEvents(
  store: Pick<Store, 'eventsBetween'>,
  userId: string,
  { severity, ...wanted }: WantedPage,
): Promise<EventSummary[]> {
  if (severity === undefined) return store.eventsBetween(userId, wanted)
  const fitting: EventSummary[] = []
  for (let { after } = wanted; ; await nextTurn()) {
    const events = await store.eventsBetween(userId, { ...wanted, after, limit: streamedAtOnce })
    fitting.push(...events.filter((event) => severityOf(event) === severity))
    if (fitting.length >= wanted.limit || events.length < streamedAtOnce) return fitting.slice(0, wanted.limit)
    after = keyOf(events[events.length - 1])
  }
}

/** With what was said of each. */
async function noted(
  store: Pick<Store, 'notesOf'>,
  userId: string,
  events: readonly EventSummary[],
): Promise<NotedEvent[]> {
  const notes = await store.notesOf(
    userId,
    events.map(({ id }) => id),
  )
  return events.map((event) => ({ ...event, note: notes.get(event.id) ?? noNote }))
}

/** The answer as text, a piece for each read. It is pulled: nothing is read before the client has taken what came before. */
async function* streamEvents<Event extends EventKey>(
  { member, present }: ListForm<ListName, Event>,
  first: Event[],
  readAfter: (key: EventKey) => Promise<Event[]>,
): AsyncGenerator<string, void, undefined> {
  yield `{"${member}":[`
  let separator = ''
  for (let events = first; events.length > 0; ) {
    yield separator + events.map((event) => JSON.stringify(present(event))).join(',')
    separator = ','
    if (events.length < streamedAtOnce) break
    // Where the store answers at once, one long answer would hold up all others without a pause.
    await nextTurn()
    events = await readAfter(keyOf(events[events.length - 1]))
  }
  yield ']}'
}

function keyOf({ createdMs, id }: EventKey): EventKey {
  return { createdMs, id }
}

/** The next page of changes begins after the last place that was read. */
function nextChanged(linkBase: string, query: RawQuery, sequence: number): Record<string, string> {
  return linkTo(linkBase, 'findEvents', { ...query, changedSince: String(sequence) })
}

/** RFC 8288. The parameters stay as they were, but for the cursor. */
function nextLink(linkBase: string, name: ListName, query: RawQuery, last: EventKey): Record<string, string> {
  return linkTo(linkBase, name, { ...query, cursor: encodeCursor(keyOf(last)) })
}

function linkTo(linkBase: string, name: ListName, next: RawQuery): Record<string, string> {
  const search = Object.keys(endpoints[name].shapes.query.properties).flatMap((parameter) => {
    const value = next[parameter]
    return typeof value === 'string' ? [`${parameter}=${encodeURIComponent(value)}`] : []
  })
  return { link: `<${linkBase}${endpoints[name].route.path}?${search.join('&')}>; rel="next"` }
}
