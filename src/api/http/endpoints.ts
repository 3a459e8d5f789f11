// The endpoints of the contract as routes of the server: for each name its handler, behind authentication, rate limit, role and scope. A handler
// that is missing is an error of the compiler.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify'
import type { Scope } from '../../access/roles.ts'
import type { Deed } from '../../audit/deed.ts'
import {
  type Body,
  type EndpointName,
  endpointNames,
  endpoints,
  type Params,
  type Response,
} from '../../contract/endpoints.ts'
import type { Endpoint, Route } from '../../contract/route.ts'
import type { Session, User } from '../../store/store.ts'
import type { Auditor } from '../audit/auditor.ts'
import { isChanging } from '../audit/recorded.ts'
import type { TimeSpent } from '../limits/time-spent.ts'
import { linesOfBody } from './body.ts'
import type { Caller, Gate, Need } from './gate.ts'
import type { Once, OnceRequest } from './once.ts'
import type { Peer } from './peer.ts'

/** A query as it came: a repeated parameter is an array. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

type RouteOf<Name extends EndpointName> = (typeof endpoints)[Name]['route']

type TakesLines = { [Name in EndpointName]: RouteOf<Name> extends { takesLines: true } ? Name : never }[EndpointName]

export interface Input<Name extends EndpointName> {
  /** Where the endpoint takes lines, as they come. */
  body: Name extends TakesLines ? Readable : Body<Name>
  params: Params<Name>
  query: RawQuery
  /** The body will not be sent. */
  isHead: boolean
  /** The caller may see what belongs to others: see `Route.adminSeesAll`. */
  isAdmin: boolean
  /** What the caller's token or session is good for. */
  scopes: readonly Scope[]
  /** Null: the caller has given a token, or nothing. */
  session: Session | null
  /** Id of the caller's token or session; null: the caller has given nothing. */
  credentialId: string | null
  peer: Peer
  /** What the audit log will say of it: a handler that knows more than the request says tells it, before the store is changed. */
  deed: Deed
  /** The place where a stream was broken off. */
  lastEventId: string | null
  /** Asked for by answers that go on for long, and by none else: to listen takes time. */
  streamEnd: () => StreamEnd
}

/** When an answer that goes on for long is to end. */
export interface StreamEnd {
  /** Aborted when the client is gone. */
  signal: AbortSignal
  /** Whether the credentials of the request are still good. */
  isStillKnown: () => Promise<boolean>
}

/** Endpoints that need no credentials have no caller. */
export type CallerOf<Name extends EndpointName> = RouteOf<Name>['scope'] extends 'public' ? null : User

export type Answer<Name extends EndpointName> = {
  headers?: Record<string, string | string[]>
  /** A page may be of an error; else 200. */
  status?: number
} & (
  | { body: Response<Name> }
  /** The body as JSON text already. */
  | { text: Buffer }
  /** The text of the body, piece by piece. */
  | { pieces: AsyncIterable<string> }
)

/** The handlers of some endpoints, or of all. */
export type Handlers<Names extends EndpointName = EndpointName> = {
  [Name in Names]: (input: Input<Name>, caller: CallerOf<Name>) => Promise<Answer<Name>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint of the contract, if it is one. */
    endpoint?: EndpointName
  }
}

export interface EndpointOptions {
  handlers: Handlers
  gate: Gate
  once: Once
  timeSpent: TimeSpent
  auditor: Auditor
  /** What the answers of a route pass through before they are sent. */
  shapingOf: (route: Route) => onSendAsyncHookHandler[]
}

export function registerEndpoints(server: FastifyInstance, options: EndpointOptions): void {
  const { handlers, gate, once, timeSpent, auditor, shapingOf } = options
  const register = <Name extends EndpointName>(name: Name) => {
    const { route, shapes }: Endpoint = endpoints[name]
    const { method, path, scope, takesLines, givesLines, givesCsv, givesStream } = route
    const need = needOf(route)
    const { body, response } = shapes
    server.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { endpoint: name },
      schema: {
        ...(body === undefined || takesLines ? {} : { body }),
        ...(givesLines || givesCsv || givesStream ? {} : { response: { 200: response } }),
      },
      onResponse: (request, { statusCode: status }, done) => {
        auditor.noteAnswer(name, request, { caller: gate.senderOf(request), status })
        done()
      },
      onSend: shapingOf(route),
      onRequest: (request, reply) => (need === null ? gate.meet(request, reply) : gate.admit(request, reply, need)),
      handler: async (request, reply) => {
        const caller = scope === 'public' ? null : gate.callerOf(request)
        if (caller !== null) timeSpent.begin(caller.user.id)
        const deed = auditor.deedOf(name, request, caller)
        const input = inputOf(name, request, {
          ...{ caller, deed, peer: gate.peerOf(request), streamEnd: () => streamEndOf(request, reply, gate) },
        })
        const marked = markedBy(name, request, caller)
        const handle = () => handlers[name](input, userOf<Name>(caller))
        const work = () => (isChanging(name) ? auditor.change(deed, handle) : handle())
        const answer = marked === null ? await work() : await once.run(marked, async () => withBody<Name>(await work()))
        if (givesLines) reply.type('application/x-ndjson')
        if (givesStream) reply.type('text/event-stream')
        if (givesCsv) reply.type('text/csv; charset=utf-8')
        const isTimed = caller !== null && givesStream !== true && 'pieces' in answer
        const sent = isTimed ? { ...answer, pieces: timed(answer.pieces, caller.user.id, timeSpent) } : answer
        if ('status' in answer) reply.code(answer.status ?? 200)
        return send(reply.headers(answer.headers ?? {}), sent, request.method === 'HEAD')
      },
    })
  }
  for (const name of endpointNames()) register(name)
}

/** Null: no credentials. */
function needOf({ scope, role, adminSeesAll }: Route): Need | null {
  if (scope === 'public' || role === null) return null
  return { role, scopes: scope === 'any' ? null : adminSeesAll ? [scope, 'admin'] : [scope] }
}

/** The server has validated the body against the schema of the endpoint; a path parameter is always a text. */
function inputOf<Name extends EndpointName>(
  name: Name,
  request: FastifyRequest,
  { caller, ...rest }: { caller: Caller | null; deed: Deed; peer: Peer; streamEnd: () => StreamEnd },
): Input<Name> {
  const { params, query, method } = request
  const { takesLines }: Route = endpoints[name].route
  const body = takesLines ? linesOfBody(request.body) : request.body
  const { scopes = [], session = null, id: credentialId = null } = caller ?? {}
  const isAdmin = scopes.includes('admin')
  const lastEventId = request.headers['last-event-id'] ?? null
  return {
    body,
    params,
    query,
    isHead: method === 'HEAD',
    isAdmin,
    scopes,
    session,
    credentialId,
    lastEventId,
    ...rest,
  } as Input<Name>
}

/** Null: it is carried out as often as it comes. */
function markedBy(route: EndpointName, request: FastifyRequest, caller: Caller | null): OnceRequest | null {
  const { createsOnce }: Route = endpoints[route].route
  const key = request.headers['idempotency-key']
  if (createsOnce === undefined || key === undefined || caller === null) return null
  const { params, query, body } = request
  const isSecret = createsOnce === 'with secret'
  return { userId: caller.user.id, route, key, asked: [params, query, body ?? null], isSecret }
}

/** What is made once is answered in one piece. */
function withBody<Name extends EndpointName>(answer: Answer<Name>) {
  if (!('body' in answer)) throw new Error('an answer in pieces cannot be kept')
  return answer
}

function streamEndOf(request: FastifyRequest, reply: FastifyReply, gate: Gate): StreamEnd {
  const gone = new AbortController()
  if (reply.raw.destroyed) gone.abort()
  else reply.raw.once('close', () => gone.abort())
  return { signal: gone.signal, isStillKnown: () => gate.isStillKnown(request) }
}

/** The pieces, each made in the time of the user. */
async function* timed(pieces: AsyncIterable<string>, userId: string, timeSpent: TimeSpent): AsyncGenerator<string> {
  timeSpent.begin(userId)
  for await (const piece of pieces) {
    yield piece
    timeSpent.begin(userId)
  }
}

/** There is a caller unless the endpoint is public. */
function userOf<Name extends EndpointName>(caller: Caller | null): CallerOf<Name> {
  return (caller?.user ?? null) as CallerOf<Name>
}

function send<Name extends EndpointName>(reply: FastifyReply, answer: Answer<Name>, isHead: boolean): FastifyReply {
  if ('body' in answer) return reply.send(answer.body)
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8')
  if ('text' in answer) return reply.send(answer.text)
  return reply.send(Readable.from(isHead ? [] : answer.pieces, { objectMode: false }))
}
