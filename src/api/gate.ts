// What every endpoint of the contract stands behind: credentials, rate limit, scope, in this order.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { headerNames } from '../contract/header-names.ts'
import type { Credential, Scope, User } from '../store/store.ts'
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
  readonly #callers = new WeakMap<FastifyRequest, Credential>()

  constructor(options: GateOptions) {
    this.#options = options
    const names = headerNames(options.vendor)
    this.#header = { token: names.token.toLowerCase(), email: names.email.toLowerCase() }
    this.#challenge = `${options.vendor}-AuthToken realm="floodgauge"`
    this.#unauthenticated = `Give a valid token in ${names.token} and the e-mail of its owner in ${names.email}`
  }

  /** Lets the request through, or answers it. `scopes`: one of them is needed. */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    scopes: readonly Scope[],
  ): Promise<FastifyReply | undefined> {
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
    const { token } = outcome.credential
    uses.note(token.id)
    if (limiter.isOn) {
      const quota = limiter.take(token.id, clock.now())
      reply.headers(rateLimitHeaders(quota, limiter.windowSeconds))
      if (!quota.allowed) {
        const detail = `A token may make ${quota.limit} requests in ${limiter.windowSeconds} seconds`
        return sendProblem(reply, { code: 'TOO_MANY_REQUESTS', detail, retryAfterSeconds: quota.resetSeconds })
      }
    }
    if (!scopes.some((scope) => token.scopes.includes(scope))) {
      const lacking = scopes.map((scope) => `\`${scope}\``).join(' or ')
      return sendProblem(reply, { code: 'FORBIDDEN', detail: `The token lacks the scope ${lacking}` })
    }
    this.#callers.set(request, outcome.credential)
    return undefined
  }

  /** Who was let through with the request. */
  callerOf(request: FastifyRequest): User {
    return this.#credentialOf(request).user
  }

  /** Whether the token of the request is good for `admin`. */
  isAdmin(request: FastifyRequest): boolean {
    return this.#credentialOf(request).token.scopes.includes('admin')
  }

  #credentialOf(request: FastifyRequest): Credential {
    const credential = this.#callers.get(request)
    if (credential === undefined) throw new Error('a handler ran for a request that was not let through')
    return credential
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? undefined : value
}
