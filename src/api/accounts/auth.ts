// Who is calling: the pair of token and e-mail, or a token alone, checked against the store. Good credentials are remembered for a moment, failed attempts are
// limited by remote address, and every failure costs the same whatever its cause.
import { hash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { emailKey } from '../../store/email.ts'
import type { Credential, Store } from '../../store/store.ts'
import { hashTokenSecret } from '../../store/token-secret.ts'
import { WindowLimiter } from '../limits/rate-limit.ts'

/** How long a look-up is trusted: after it, a revoked token is refused. */
const trustedMs = 1_000
const knownMax = 10_000
/** The hash of no token. */
const absent: Uint8Array = new Uint8Array(32)

export interface Attempt {
  /** Undefined when the header is missing. */
  token: string | undefined
  email: string | undefined
  /** The token came by itself (RFC 6750): an e-mail may be left out. */
  isBearer?: boolean
  address: string
}

export type AuthOutcome =
  | { kind: 'known'; credential: Credential }
  | { kind: 'failed' }
  /** Too many failures from this address: nothing was looked at. */
  | { kind: 'refused'; retryAfterSeconds: number }

export class Authenticator {
  readonly #store: Pick<Store, 'credentialByHash'>
  readonly #clock: Clock
  readonly #failures: WindowLimiter
  /** Tokens that were good, by the hash of their secret; the least recently looked up comes first. */
  readonly #known = new Map<string, { credential: Credential; checkedMs: number }>()
  /** The hash of a token that there is. */
  #found: Uint8Array = absent
  readonly counters = { succeeded: 0, failed: 0, refused: 0, lookups: 0 }

  constructor(options: { store: Pick<Store, 'credentialByHash'>; clock: Clock; failuresPerMinute: number }) {
    this.#store = options.store
    this.#clock = options.clock
    this.#failures = new WindowLimiter({ limit: options.failuresPerMinute })
  }

  async authenticate(attempt: Attempt): Promise<AuthOutcome> {
    const nowMs = this.#clock.now()
    const secretHash = hashTokenSecret(attempt.token ?? '')
    const key = Buffer.from(secretHash).toString('base64')
    const known = this.#known.get(key)
    const wasGood = isGood(known?.credential ?? null, attempt, nowMs)
    if (known !== undefined && wasGood && isFresh(known.checkedMs, nowMs)) {
      this.counters.succeeded++
      return { kind: 'known', credential: known.credential }
    }
    const { allowed, resetSeconds } = this.#failures.peek(attempt.address, nowMs)
    if (known === undefined && !allowed) return this.#refuse(resetSeconds)
    const credential = await this.#lookUp(key, secretHash)
    if (isGood(credential, attempt, nowMs) && credential !== null) {
      this.counters.succeeded++
      return { kind: 'known', credential }
    }
    // A failure is one look-up that finds a token and one that does not, whatever is wrong: the two differ in what they cost.
    await this.#store.credentialByHash(credential === null ? this.#found : absent)
    this.counters.failed++
    const quota = this.#failures.take(attempt.address, nowMs)
    return quota.allowed ? { kind: 'failed' } : this.#refuse(quota.resetSeconds)
  }

  #refuse(retryAfterSeconds: number): AuthOutcome {
    this.counters.refused++
    return { kind: 'refused', retryAfterSeconds }
  }

  async #lookUp(key: string, secretHash: Uint8Array): Promise<Credential | null> {
    this.counters.lookups++
    const credential = await this.#store.credentialByHash(secretHash)
    this.#known.delete(key)
    if (credential === null) return null
    this.#found = secretHash
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < knownMax) break
      this.#known.delete(oldest)
    }
    this.#known.set(key, { credential, checkedMs: this.#clock.now() })
    return credential
  }
}

function isFresh(checkedMs: number, nowMs: number): boolean {
  return nowMs >= checkedMs && nowMs - checkedMs < trustedMs
}

/** Does the same work whatever is wrong. */
function isGood(credential: Credential | null, attempt: Attempt, nowMs: number): boolean {
  const { token, email, isBearer = false } = attempt
  const isSameEmail = timingSafeEqual(emailDigest(email), emailDigest(credential?.user.email))
  const isAlone = isBearer && email === undefined
  const expiresMs = credential?.token.expiresMs ?? null
  const isExpired = expiresMs !== null && expiresMs <= nowMs
  const isGiven = token !== undefined && (email !== undefined || isAlone)
  return [credential !== null, isGiven, isSameEmail || isAlone, !isExpired].every(Boolean)
}

function emailDigest(email: string | undefined): Uint8Array {
  return hash('sha256', emailKey(email?.trim() ?? ''), 'buffer')
}
