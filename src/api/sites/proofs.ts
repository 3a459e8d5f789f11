// What users have to prove before a site is watched: shown with a site, looked for on request, and listed for whoever runs the service.

import { challengeName, challengeText } from '../../access/challenge.ts'
import type { HostRecord } from '../../access/host-record.ts'
import { type SavedProof, stateOf, watchedUntil } from '../../access/proof.ts'
import type { Clock } from '../../clock.ts'
import type { Proof, SiteProof } from '../../contract/sites/report.ts'
import { formatTime } from '../../contract/time.ts'
import type { Store, User } from '../../store/store.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { WindowLimiter } from '../limits/rate-limit.ts'

/** Who keeps the proofs. */
export interface Proofs {
  /** Null: there is nothing to be proved. */
  of(user: User, record: HostRecord): Promise<SavedProof | null>
  /** Asks the resolvers first. */
  check(user: User, record: HostRecord): Promise<SavedProof | null>
  all(): Iterable<SavedProof>
}

/** Checks of a user in a minute. */
const checksMax = 10

/** The proofs as one may have them looked for: not without end. */
export class ThrottledProofs {
  readonly #proofs: Proofs
  readonly #clock: Clock
  readonly #limiter = new WindowLimiter({ limit: checksMax })

  constructor(proofs: Proofs, clock: Clock) {
    this.#proofs = proofs
    this.#clock = clock
  }

  of(user: User, record: HostRecord): Promise<SavedProof | null> {
    return this.#proofs.of(user, record)
  }

  check(user: User, record: HostRecord): Promise<SavedProof | null> {
    const { allowed, resetSeconds } = this.#limiter.take(user.id, this.#clock.now())
    if (allowed) return this.#proofs.check(user, record)
    const detail = `A proof can be looked for ${checksMax} times a minute: again in ${resetSeconds} seconds`
    throw new ProblemError('TOO_MANY_REQUESTS', detail, [], resetSeconds)
  }
}

export interface ProofHandlerOptions {
  store: Pick<Store, 'listUsers'>
  proofs: Proofs
}

export function createProofHandlers({ store, proofs }: ProofHandlerOptions): Handlers<'listProofs'> {
  return {
    listProofs: async () => {
      const emails = new Map((await store.listUsers()).map(({ id, email }) => [id, email]))
      const listed = [...proofs.all()].map((proof): Proof => {
        const { kind, text } = proof.subject
        const userEmail = emails.get(proof.userId) ?? ''
        return { userEmail, kind, subject: text, recordName: challengeName(proof.subject), ...presentState(proof) }
      })
      return { body: { proofs: listed.toSorted(compareProofs) } }
    },
  }
}

export function presentProof(proof: SavedProof, nowMs: number): SiteProof {
  const { subject, token, expiresMs } = proof
  const text = challengeText(token, { expiresMs, nowMs })
  return { ...presentState(proof), record: { name: challengeName(subject), type: 'TXT', text } }
}

function presentState(proof: SavedProof): Omit<SiteProof, 'record'> {
  const { misses, confirmedMs, checkedMs, expiresMs } = proof
  return {
    state: stateOf(proof),
    misses,
    confirmedAt: timeOrNull(confirmedMs),
    checkedAt: timeOrNull(checkedMs),
    expiresAt: timeOrNull(expiresMs),
    watchedUntil: timeOrNull(watchedUntil(proof)),
  }
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms)
}

function compareProofs(a: Proof, b: Proof): number {
  const [first, second] = [a, b].map(({ userEmail, kind, subject }) => `${userEmail} ${kind} ${subject}`)
  return first < second ? -1 : 1
}
