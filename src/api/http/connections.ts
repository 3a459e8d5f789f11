// The life of a connection: how long a client may take, and what is said to one that speaks no HTTP. How many there may be: see places.ts.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions, FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { type ErrorCode, errorTable } from '../../errors.ts'
import type { HttpSettings } from '../settings.ts'
import { ConnectionPlaces, surplus } from './places.ts'
import { problemBody, problemType } from './problem.ts'

/** Octets of a request's head, and of what its target may hold with it. */
export const headBytesMax = 16 * 1024
/** How often connections are looked over for requests that take too long. */
const overlookMs = 1_000
/** How long answers that are under way may go on once the server is closing. */
const closingMs = 5_000

export function connectionOptions(settings: HttpSettings) {
  return {
    requestTimeout: settings.requestTimeoutSeconds * 1000,
    connectionTimeout: settings.idleTimeoutSeconds * 1000,
    keepAliveTimeout: settings.keepAliveSeconds * 1000,
    http: {
      maxHeaderSize: headBytesMax,
      headersTimeout: Math.min(settings.headerTimeoutSeconds, settings.requestTimeoutSeconds) * 1000,
      connectionsCheckingInterval: overlookMs,
      // A request without Host is answered by us, as a problem.
      requireHostHeader: false,
    },
  } satisfies FastifyHttpOptions<Server>
}

const badRequests: Record<string, { code: ErrorCode | 'HEAD_TOO_LARGE'; detail: string }> = {
  HPE_HEADER_OVERFLOW: {
    code: 'HEAD_TOO_LARGE',
    detail: `The head of the request is larger than ${headBytesMax} octets`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', detail: 'The request took too long to arrive' },
}
const malformed = { code: 'BAD_REQUEST', detail: 'The request is not valid HTTP' } as const

export class Connections {
  /** The answers of each connection that have not come to their end. */
  readonly #open = new WeakMap<Socket, Set<ServerResponse>>()
  readonly counters = { malformed: 0, timedOut: 0, turnedAway: 0 }
  readonly places: ConnectionPlaces
  readonly #settings: HttpSettings

  constructor(settings: HttpSettings, clock: Clock) {
    this.#settings = settings
    this.places = new ConnectionPlaces({ settings, clock })
  }

  /** For requests that the parser of HTTP refused: there is no reply to use. */
  readonly onClientError = (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.counters.timedOut++
    else if (error.code !== 'ECONNRESET') this.counters.malformed++
    if (error.code === 'ECONNRESET' || !socket.writable || this.#isAnswering(socket)) socket.destroy()
    else socket.end(rawProblem(badRequests[error.code ?? ''] ?? malformed), () => socket.destroy())
  }

  /** In the middle of an answer, or before one that is due, another would be taken for it. */
  #isAnswering(socket: Socket): boolean {
    const open = [...(this.#open.get(socket) ?? [])]
    return open.length > 1 || open.some(({ headersSent, req }) => headersSent || req.complete)
  }

  watch(server: FastifyInstance): void {
    server.server.maxConnections = this.#settings.connectionsMax + surplus
    server.server.on('connection', (socket) => this.places.take(socket))
    server.server.on('drop', () => this.counters.turnedAway++)
    // An expectation that is not known may be passed over (RFC 9110 section 10.1.1); otherwise its refusal would be no problem document.
    server.server.on('checkExpectation', (request, response) => server.routing(request, response))
    server.addHook('onRequest', ({ raw: { socket } }, { raw }, done) => {
      const open = this.#open.get(socket) ?? new Set()
      this.#open.set(socket, open.add(raw))
      this.places.noteBusy(socket)
      raw.once('close', () => {
        open.delete(raw)
        if (open.size === 0) this.places.noteIdle(socket)
      })
      done()
    })
    server.addHook('preClose', async () => {
      setTimeout(() => server.server.closeAllConnections(), closingMs).unref()
    })
  }
}

/** RFC 6585 gives 431 to a head that is too large; nothing but the parser meets it. */
function rawProblem({ code, detail }: { code: ErrorCode | 'HEAD_TOO_LARGE'; detail: string }): string {
  const problem =
    code === 'HEAD_TOO_LARGE'
      ? { title: 'Request header fields too large', status: 431, detail }
      : problemBody({ code, detail })
  const title = code === 'HEAD_TOO_LARGE' ? problem.title : errorTable[code].title
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${problem.status} ${title}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
