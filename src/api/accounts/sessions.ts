// Sessions of people who have signed in: begun, found by the secret in the cookie, ended. The store has the secret's hash alone; the token
// against forged requests follows from the secret, and is stored nowhere.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Session, SessionWay, Store, User } from '../../store/store.ts'
import { hashTokenSecret } from '../../store/token-secret.ts'
import type { Peer } from '../http/peer.ts'
import type { Uses } from './uses.ts'

/** How long a look-up is trusted: after it, a session that was ended by another process is refused. */
const trustedMs = 1_000
const knownMax = 10_000

export interface SignedIn {
  session: Session
  user: User
}

export interface SessionsOptions {
  store: Pick<Store, 'addSession' | 'sessionByHash'>
  clock: Clock
  uses: Uses
  /** A session that is not used for so long ends, and so does one that was begun so long ago. */
  idleMs: number
  keepMs: number
  /** The same of one that a provider vouched for: what it says of somebody has to be asked for again. */
  providerMs: number
}

export class Sessions {
  readonly #options: SessionsOptions
  /** By secret; the least recently looked up comes first. */
  readonly #known = new Map<string, SignedIn & { checkedMs: number }>()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  keepSeconds(way: SessionWay): number {
    return this.#keepMs(way) / 1000
  }

  get idleSeconds(): number {
    return this.#options.idleMs / 1000
  }

  async begin(
    userId: string,
    { address, agent }: Peer,
    way: SessionWay,
  ): Promise<{ session: Session; secret: string }> {
    const { store, clock } = this.#options
    const secret = randomBytes(32).toString('hex')
    const given = { userId, expiresMs: clock.now() + this.#keepMs(way), address, agent, way }
    return { session: await store.addSession(given, hashTokenSecret(secret)), secret }
  }

  /** Null: there is none, or it is over. `isUse`: it does not end for want of use. */
  async find(secret: string, { isUse } = { isUse: true }): Promise<SignedIn | null> {
    const { clock, uses } = this.#options
    const nowMs = clock.now()
    const known = this.#known.get(secret)
    const isTrusted = known !== undefined && nowMs >= known.checkedMs && nowMs - known.checkedMs < trustedMs
    const found = isTrusted ? known : await this.#lookUp(secret, nowMs)
    if (found === null || found.session.expiresMs <= nowMs) return null
    if (isUse) uses.note(found.session.id)
    return found
  }

  /** Forgets sessions that have ended: what was looked up before is not trusted any more. */
  forget(isEnded: (signedIn: SignedIn) => boolean): void {
    for (const [secret, known] of this.#known) if (isEnded(known)) this.#known.delete(secret)
  }

  #keepMs(way: SessionWay): number {
    const { keepMs, providerMs } = this.#options
    return way === 'provider' ? Math.min(keepMs, providerMs) : keepMs
  }

  async #lookUp(secret: string, nowMs: number): Promise<SignedIn | null> {
    const { store, uses, idleMs } = this.#options
    this.#known.delete(secret)
    const found = await store.sessionByHash(hashTokenSecret(secret))
    if (found === null) return null
    const seenMs = Math.max(found.session.seenMs, uses.waitingMs(found.session.id))
    if (nowMs - seenMs >= idleMs) return null
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < knownMax) break
      this.#known.delete(oldest)
    }
    this.#known.set(secret, { ...found, checkedMs: nowMs })
    return found
  }
}

/** What a page of ours sends along with every change, and a page of somebody else cannot know. */
export function csrfToken(secret: string): string {
  return createHmac('sha256', secret).update('floodgauge csrf').digest('hex')
}

export function isCsrfToken(given: string | undefined, secret: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(csrfToken(secret)))
}

export function digest(text: string): Uint8Array {
  return createHash('sha256').update(text, 'utf8').digest()
}
