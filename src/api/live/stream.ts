// The endpoint of server-sent events (WHATWG HTML section 9.2): the messages of the live feed, one by one, for as long as the credentials are good.
import { heartbeatSeconds } from '../../contract/limits.ts'
import type { liveEndpoints } from '../../contract/live.ts'
import type { Handlers, StreamEnd } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { Listening, LiveFeed, LiveMessage } from './feed.ts'

/** How long there may be nothing to tell: then a heartbeat says to proxies and listeners that the service is there, and credentials are looked at. */
const heartbeatMs = heartbeatSeconds * 1000
/** Without an id, so that a browser that connects again names the last real message. Unlike a comment, scripts of a page can see it. */
const heartbeat = 'event: heartbeat\ndata: {}\n\n'
/** After how long a browser tries again. */
const retryMs = 3_000
/** The same where there were too many. */
const crowdedRetryMs = 60_000

export interface LiveParts {
  feed: LiveFeed
}

export function liveHandlers({ feed }: LiveParts): Handlers<keyof typeof liveEndpoints> {
  return {
    getStream: async ({ lastEventId, isHead, isAdmin, peer, streamEnd }, { id }) => {
      // Buffering proxies would hold back what is to be told at once.
      const headers = { 'x-accel-buffering': 'no' }
      if (isHead) return { text: Buffer.alloc(0), headers }
      const listening = feed.listen({ userId: id, isAdmin, address: peer.address }, lastEventId)
      if (listening === null) {
        throw new ProblemError('TOO_MANY_REQUESTS', 'Too many streams are open', [], retryMs / 1000)
      }
      return { pieces: messages(listening, streamEnd()), headers }
    },
  }
}

/** Until the listener, the connection or the credentials are gone. */
export async function* messages(
  { listener, missed, stop }: Listening,
  { signal, isStillKnown }: StreamEnd,
): AsyncGenerator<string, void, undefined> {
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    yield `retry: ${retryMs}\n\n${missed.map(messageText).join('')}`
    while (!listener.isOver) {
      const placed = await listener.take(heartbeatMs)
      if (!(await isStillKnown())) return
      yield placed.length === 0 ? heartbeat : placed.map(messageText).join('')
    }
    if (listener.hasGivenWay) yield `retry: ${crowdedRetryMs}\n\n`
  } finally {
    stop()
  }
}

function messageText({ id, message }: { id: string; message: LiveMessage | null }): string {
  const { type, ...data } = message ?? { type: 'reset' as const }
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
