// The event endpoints: a window of events, whole or by pages, and the detail of one.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { routes } from '../contract/routes.ts'
import { schemas } from '../contract/schemas.ts'
import type { EventKey, EventSummary, Store } from '../store/store.ts'
import type { Handlers, RawQuery } from './endpoints.ts'
import { encodeCursor, parseEventQuery } from './event-window.ts'
import { presentEvent, presentEventDetail } from './present.ts'
import { ProblemError } from './problem.ts'

export interface EventHandlerOptions {
  store: Pick<Store, 'eventsBetween' | 'eventById'>
  clock: Clock
  /** What links begin with: empty, or the public address without its last slash. */
  linkBase: string
}

/** Events read from the store at a time, when a whole window is answered: what memory holds of it, and how long others wait. */
const streamedAtOnce = 1_000

export function createEventHandlers({
  store,
  clock,
  linkBase,
}: EventHandlerOptions): Pick<Handlers, 'listEvents' | 'getEvent'> {
  return {
    listEvents: async ({ query, isHead }, caller) => {
      const parsed = parseEventQuery(query, clock.now())
      if (!parsed.ok) throw new ProblemError('BAD_REQUEST', 'The query is not valid', parsed.errors)
      const { wanted } = parsed
      const read = (after: EventKey | null, limit: number) =>
        store.eventsBetween(caller.id, { ...wanted, after, limit })

      if (wanted.limit !== null) {
        // One more than asked for tells whether there is a next page.
        const events = await read(wanted.after, wanted.limit + 1)
        const page = events.slice(0, wanted.limit)
        const headers = events.length > page.length ? nextLink(linkBase, query, page[page.length - 1]) : {}
        return { body: { data: page.map(presentEvent) }, headers }
      }
      // What fails here is answered as an error; later it can only break the answer off.
      const first = await read(wanted.after, isHead ? 1 : streamedAtOnce)
      if (first.length < streamedAtOnce && !isHead) return { body: { data: first.map(presentEvent) } }
      return { pieces: streamEvents(first, (after) => read(after, streamedAtOnce)) }
    },

    getEvent: async ({ params }, caller) => {
      const event = /^[0-9a-f]{24}$/.test(params.id) ? await store.eventById(caller.id, params.id) : null
      return { body: { data: event === null ? {} : presentEventDetail(event) } }
    },
  }
}

/** The answer as text, a piece for each read. It is pulled: nothing is read before the client has taken what came before. */
async function* streamEvents(
  first: EventSummary[],
  readAfter: (key: EventKey) => Promise<EventSummary[]>,
): AsyncGenerator<string, void, undefined> {
  yield '{"data":['
  let separator = ''
  for (let events = first; events.length > 0; ) {
    yield separator + events.map((event) => JSON.stringify(presentEvent(event))).join(',')
    separator = ','
    if (events.length < streamedAtOnce) break
    // The store answers at once: without a pause one long answer would hold up all others.
    await nextTurn()
    events = await readAfter(keyOf(events[events.length - 1]))
  }
  yield ']}'
}

function keyOf({ createdMs, id }: EventSummary): EventKey {
  return { createdMs, id }
}

/** RFC 8288. The parameters stay as they were, but for the cursor. */
function nextLink(linkBase: string, query: RawQuery, last: EventSummary): Record<string, string> {
  const next: RawQuery = { ...query, cursor: encodeCursor(keyOf(last)) }
  const search = Object.keys(schemas.listEvents.query.properties).flatMap((name) => {
    const value = next[name]
    return typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : []
  })
  return { link: `<${linkBase}${routes.listEvents.path}?${search.join('&')}>; rel="next"` }
}
