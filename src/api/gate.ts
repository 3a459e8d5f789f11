// What every endpoint of the contract stands behind: credentials, rate limit, scope, in this order.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { headerNames } from '../contract/header-names.ts'
import type { Scope, User } from '../store/store.ts'
import type { Authenticator } from './auth.ts'
import { sendProblem } from './problem.ts'
import { rateLimitHeaders, type WindowLimiter } from './rate-limit.ts'
import type { TokenUses } from './token-uses.ts'

export interface GateOptions {
  authenticator: Authenticator
  limiter: WindowLimiter
  uses: TokenUses
  clock: Clock
  vendor: string
}

export class Gate {
  readonly #options: GateOptions
  readonly #header: { token: string; email: string }
  readonly #challenge: string
  readonly #unauthenticated: string
  readonly #callers = new WeakMap<FastifyRequest, User>()

  constructor(options: GateOptions) {
    this.#options = options
    const names = headerNames(options.vendor)
    this.#header = { token: names.token.toLowerCase(), email: names.email.toLowerCase() }
    this.#challenge = `${options.vendor}-AuthToken realm="floodgauge"`
    this.#unauthenticated = `Give a valid token in ${names.token} and the e-mail of its owner in ${names.email}`
  }

  /** Lets the request through, or answers it. */
  async admit(request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<FastifyReply | undefined> {
    const { authenticator, limiter, uses, clock } = this.#options
    const outcome = await authenticator.authenticate({
      token: single(request.headers[this.#header.token]),
      email: single(request.headers[this.#header.email]),
      address: request.ip,
    })
    if (outcome.kind === 'refused') {
      const detail = 'Too many failed authentications from this address'
      return sendProblem(reply, { code: 'TOO_MANY_REQUESTS', detail, retryAfterSeconds: outcome.retryAfterSeconds })
    }
    if (outcome.kind === 'failed') {
      reply.header('www-authenticate', this.#challenge)
      return sendProblem(reply, { code: 'UNAUTHENTICATED', detail: this.#unauthenticated })
    }
    const { token, user } = outcome.credential
    uses.note(token.id)
    if (limiter.isOn) {
      const quota = limiter.take(token.id, clock.now())
      reply.headers(rateLimitHeaders(quota, limiter.windowSeconds))
      if (!quota.allowed) {
        const detail = `A token may make ${quota.limit} requests in ${limiter.windowSeconds} seconds`
        return sendProblem(reply, { code: 'TOO_MANY_REQUESTS', detail, retryAfterSeconds: quota.resetSeconds })
      }
    }
    if (!token.scopes.includes(scope)) {
      return sendProblem(reply, { code: 'FORBIDDEN', detail: `The token lacks the scope \`${scope}\`` })
    }
    this.#callers.set(request, user)
    return undefined
  }

  /** Who was let through with the request. */
  callerOf(request: FastifyRequest): User {
    const user = this.#callers.get(request)
    if (user === undefined) throw new Error('a handler ran for a request that was not let through')
    return user
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? undefined : value
}
