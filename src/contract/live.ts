// The stream of changes.
import { Type } from 'typebox'
import { overviewExample } from './events/examples.ts'
import { endpoint } from './route.ts'

/** Server-sent events; see `docs/api.md`. */
const Stream = Type.String()

export const liveEndpoints = {
  getStream: endpoint(
    {
      method: 'GET',
      path: '/api/v1/stream',
      scope: 'read',
      role: 'viewer',
      tag: 'Overview',
      summary: 'Stream changes',
      description:
        'Server-sent events, until the connection ends: an event was created, updated or ended; sites changed; alerts were sent; the state of the service or (for `admin`) of exporters changed. With `Last-Event-ID` the missed messages come first; if they are no longer known, the first message is `reset`. A `heartbeat` is sent after 15 seconds without a message. 429 for more than 20 streams of a user.',
      givesStream: true,
    },
    { response: Stream },
    { response: `id: 9f86d081884c-1\nevent: event\ndata: {"id":"${overviewExample.id}","change":"made"}\n\n` },
  ),
}
