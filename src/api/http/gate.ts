// What every endpoint of the contract stands behind: credentials (a token, or the session of a browser), rate limit, role and scope, in this order.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Role, reaches, type Scope, scopesWithin } from '../../access/roles.ts'
import type { Clock } from '../../clock.ts'
import { bearerChallenge, challengeOf, csrfHeader, headerNames } from '../../contract/header-names.ts'
import type { Session, User } from '../../store/store.ts'
import type { Authenticator } from '../accounts/auth.ts'
import { isCsrfToken, type Sessions } from '../accounts/sessions.ts'
import type { Uses } from '../accounts/uses.ts'
import { rateLimitHeaders, type WindowLimiter } from '../limits/rate-limit.ts'
import type { TimeSpent } from '../limits/time-spent.ts'
import { type Requirement, scopesOfSession } from '../second-factor/requirement.ts'
import { type Peer, peerOf } from './peer.ts'
import type { ConnectionPlaces } from './places.ts'
import { sendProblem } from './problem.ts'

export interface GateOptions {
  authenticator: Authenticator
  sessions: Sessions
  limiter: WindowLimiter
  timeSpent: TimeSpent
  connections: Pick<ConnectionPlaces, 'noteKnown'>
  uses: Uses
  clock: Clock
  vendor: string
  publicUrl: string
  requireSecondFactor: Requirement
}

/** Who was let through. */
export interface Caller {
  user: User
  /** What the token or the session is good for now: never for more than the user may do. */
  scopes: readonly Scope[]
  /** Id of the token or of the session. */
  id: string
  /** Null: a token was given. */
  session: Session | null
}

/** How long a refusal waits: whoever asks on without a pause asks ten times a second over each connection, and not a thousand times. */
const refusalMs = 100
/** Refusals that wait; more are sent at once. */
const refusalsMax = 1_000

type Outcome = { kind: 'known'; caller: Caller } | { kind: 'answered'; reply: FastifyReply }

/** What a request takes. */
export interface Need {
  /** The user has this role, or one that may do more. */
  role: Role
  /** A token is good for one of them; null: whatever it is good for. Who has signed in needs the role alone. */
  scopes: readonly Scope[] | null
}

export class Gate {
  readonly #options: GateOptions
  readonly #header: { token: string; email: string }
  readonly #challenge: { open: string; rest: string }
  readonly #unauthenticated: string
  readonly #callers = new WeakMap<FastifyRequest, Caller>()
  readonly #peers = new WeakMap<FastifyRequest, Peer>()
  /** Also who was refused. */
  readonly #known = new WeakMap<FastifyRequest, Caller>()
  /** Requests of pages that are not ours, or that do not say so. */
  forgeriesRefused = 0
  #refusals = 0

  constructor(options: GateOptions) {
    this.#options = options
    const names = headerNames(options.vendor)
    this.#header = { token: names.token.toLowerCase(), email: names.email.toLowerCase() }
    const challenge = challengeOf(options.vendor)
    this.#challenge = { open: challenge, rest: `${challenge}, ${bearerChallenge}` }
    this.#unauthenticated = `Sign in, or give a valid token in ${names.token} and the e-mail of its owner in ${names.email}`
  }

  /** Lets the request through, or answers it. */
  async admit(request: FastifyRequest, reply: FastifyReply, need: Need): Promise<FastifyReply | undefined> {
    const { limiter, timeSpent, clock } = this.#options
    const outcome = await this.#identify(request, reply)
    if (outcome.kind === 'answered') return outcome.reply
    const { caller } = outcome
    this.#known.set(request, caller)
    timeSpent.begin(caller.user.id)
    if (limiter.isOn) {
      const quota = limiter.take(caller.id, clock.now())
      reply.headers(rateLimitHeaders(quota, limiter.windowSeconds))
      if (!quota.allowed) {
        const detail = `A token may make ${quota.limit} requests in ${limiter.windowSeconds} seconds, and so may a session`
        return this.#refuse(reply, detail, quota.resetSeconds)
      }
    }
    const waitMs = timeSpent.waitOf(caller.user.id)
    if (waitMs > 0) {
      timeSpent.counters.refused++
      const detail = `The requests of a user may keep the service busy for ${timeSpent.secondsPerMinute} seconds a minute`
      return this.#refuse(reply, detail, Math.ceil(waitMs / 1_000))
    }
    const lacking = lackingOf(caller, need)
    if (lacking !== null) return sendProblem(reply, { code: 'FORBIDDEN', detail: lacking })
    this.#callers.set(request, caller)
    this.#options.connections.noteKnown(request.raw.socket)
    return undefined
  }

  /** For what needs no credentials: answers what a page of somebody else would change in its visitor's name. */
  async meet(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (isSafe(request) || this.peerOf(request).isSameOrigin) return undefined
    return this.#sendForgery(reply)
  }

  /** Whether credentials are still good for what they were good for: for answers that go on for long. */
  async isStillKnown(request: FastifyRequest): Promise<boolean> {
    const { session, scopes } = this.callerOf(request)
    const now = session === null ? await this.#scopesOfToken(request) : await this.#scopesOfSession(request)
    return now !== null && scopes.every((scope) => now.includes(scope))
  }

  async #scopesOfToken(request: FastifyRequest): Promise<readonly Scope[] | null> {
    const outcome = await this.#options.authenticator.authenticate(this.#attemptOf(request))
    if (outcome.kind !== 'known') return null
    const { token, user } = outcome.credential
    return scopesWithin(user.role, token.scopes)
  }

  async #scopesOfSession(request: FastifyRequest): Promise<readonly Scope[] | null> {
    const { secret } = this.peerOf(request)
    const known = secret === null ? null : await this.#options.sessions.find(secret, { isUse: false })
    return known === null ? null : scopesOfSession(known.user, known.session, this.#options.requireSecondFactor)
  }

  peerOf(request: FastifyRequest): Peer {
    const known = this.#peers.get(request)
    if (known !== undefined) return known
    const peer = peerOf(request, this.#options.publicUrl)
    this.#peers.set(request, peer)
    return peer
  }

  /** Who has sent the request, let through or not; null: nobody knows. */
  senderOf(request: FastifyRequest): Caller | null {
    return this.#known.get(request) ?? null
  }

  /** Who was let through with the request. */
  callerOf(request: FastifyRequest): Caller {
    const caller = this.#callers.get(request)
    if (caller === undefined) throw new Error('a handler ran for a request that was not let through')
    return caller
  }

  async #identify(request: FastifyRequest, reply: FastifyReply): Promise<Outcome> {
    const { authenticator, sessions, uses } = this.#options
    const attempt = this.#attemptOf(request)
    const peer = this.peerOf(request)
    const signedIn =
      attempt.token === undefined && attempt.email === undefined && peer.secret !== null
        ? await sessions.find(peer.secret)
        : null
    if (signedIn !== null && peer.secret !== null) {
      const isOurs = peer.isSameOrigin && isCsrfToken(single(request.headers[csrfHeader]), peer.secret)
      const { user, session } = signedIn
      const scopes = scopesOfSession(user, session, this.#options.requireSecondFactor)
      const caller = { user, session, id: session.id, scopes }
      if (isSafe(request) || isOurs) return { kind: 'known', caller }
      this.#known.set(request, caller)
      return { kind: 'answered', reply: this.#sendForgery(reply) }
    }
    const outcome = await authenticator.authenticate(attempt)
    if (outcome.kind === 'known') {
      const { token, user } = outcome.credential
      uses.note(token.id)
      return {
        kind: 'known',
        caller: { user, session: null, id: token.id, scopes: scopesWithin(user.role, token.scopes) },
      }
    }
    if (outcome.kind === 'refused') {
      const detail = 'Too many failed authentications from this address'
      return { kind: 'answered', reply: await this.#refuse(reply, detail, outcome.retryAfterSeconds) }
    }
    reply.header('www-authenticate', isFrozen(request) ? this.#challenge.open : this.#challenge.rest)
    const detail = this.#unauthenticated
    return { kind: 'answered', reply: sendProblem(reply, { code: 'UNAUTHENTICATED', detail }) }
  }

  async #refuse(reply: FastifyReply, detail: string, retryAfterSeconds: number): Promise<FastifyReply> {
    this.#options.timeSpent.end()
    if (this.#refusals < refusalsMax) {
      this.#refusals++
      await delay(refusalMs)
      this.#refusals--
    }
    return sendProblem(reply, { code: 'TOO_MANY_REQUESTS', detail, retryAfterSeconds })
  }

  #sendForgery(reply: FastifyReply): FastifyReply {
    this.forgeriesRefused++
    const detail = `Changes need the token of the session in ${csrfHeader}, and come from pages of this service`
    return sendProblem(reply, { code: 'FORBIDDEN', detail })
  }

  #attemptOf(request: FastifyRequest) {
    const { headers, ip: address } = request
    const given = { token: single(headers[this.#header.token]), email: single(headers[this.#header.email]), address }
    const bearer = isFrozen(request) ? undefined : bearerOf(headers.authorization)
    return given.token !== undefined || bearer === undefined ? given : { ...given, token: bearer, isBearer: true }
  }
}

/** The interface of old knows its two headers, and nothing else. */
function isFrozen({ routeOptions }: FastifyRequest): boolean {
  return /^\/open(?:\/|$)/.test(routeOptions.url ?? '')
}

/** RFC 6750 section 2.1. Undefined: another scheme, or none, which a proxy may use for itself. */
function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer(?: +(.*))?$/i.exec(authorization?.trim() ?? '')?.slice(1)[0] ?? undefined
}

/** Why the caller may not do it; null: the caller may. */
function lackingOf({ user, session, scopes }: Caller, need: Need): string | null {
  const isWithinRole = reaches(user.role, need.role)
  const isOpen = session !== null && scopes.length > 0
  const isGoodFor = isOpen || need.scopes === null || need.scopes.some((scope) => scopes.includes(scope))
  if (isWithinRole && isGoodFor) return null
  if (isWithinRole && session !== null) return 'The second factor has to be set up before anything else'
  if (need.scopes === null) return `It takes the role \`${need.role}\``
  const lacking = need.scopes.map((scope) => `\`${scope}\``).join(' or ')
  return `${session === null ? 'The token' : 'The session'} lacks the scope ${lacking}`
}

/** Methods that change nothing. */
function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? undefined : value
}
