// Requests that make something are carried out once for each `Idempotency-Key`: one that comes again is answered as the first was. What is kept
// is kept in the store, before the work is begun, so that it holds over restarts; where nobody can say what came of a request, that is said.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { idempotencyHours, idempotencyKeyLength } from '../../contract/request-headers.ts'
import { AppError } from '../../errors.ts'
import type { MarkedRequest } from '../../store/idempotency.ts'
import type { Store } from '../../store/store.ts'
import { ProblemError } from './problem.ts'

export interface OnceRequest {
  userId: string
  route: string
  /** The header as it came. */
  key: string | string[]
  /** Everything that what is made depends on. */
  asked: unknown
  /** The answer has a secret: it is not kept. */
  isSecret: boolean
}

type Answer<Body> = { body: Body; headers?: Record<string, string | string[]> }

export class Once {
  readonly #store: Pick<Store, 'beginRequest' | 'finishRequest' | 'abandonRequest'>
  /** Under way in this process: as many as there are requests. */
  readonly #running = new Set<string>()

  constructor(store: Pick<Store, 'beginRequest' | 'finishRequest' | 'abandonRequest'>) {
    this.#store = store
  }

  /** Throws a ProblemError BAD_REQUEST, CONFLICT or UNPROCESSABLE. */
  async run<Body>(request: OnceRequest, work: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
    const { userId, route, isSecret } = request
    const key = readKey(request.key)
    const marked: MarkedRequest = { userId, route, keyHash: createHash('sha256').update(key).digest() }
    const bodyHash = createHmac('sha256', key).update(JSON.stringify(request.asked)).digest()
    const running = JSON.stringify([userId, route, key])
    if (this.#running.has(running)) throw conflict('The first request with this Idempotency-Key is still under way', 1)
    this.#running.add(running)
    try {
      const earlier = await this.#store.beginRequest(marked, bodyHash)
      if (earlier === null) return await this.#carryOut(marked, isSecret, work)
      if (!timingSafeEqual(earlier.bodyHash, bodyHash))
        throw new ProblemError('UNPROCESSABLE', 'The Idempotency-Key was used for another request')
      if (earlier.answer === null) throw conflict(unknown)
      if (earlier.answer === '') throw conflict(secret)
      return { body: declared<Body>(JSON.parse(earlier.answer)), headers: { 'idempotency-replayed': 'true' } }
    } finally {
      this.#running.delete(running)
    }
  }

  async #carryOut<Body>(
    marked: MarkedRequest,
    isSecret: boolean,
    work: () => Promise<Answer<Body>>,
  ): Promise<Answer<Body>> {
    let answer: Answer<Body>
    try {
      answer = await work()
    } catch (error) {
      // Refused: there is nothing that could be made twice. Of any other error nobody knows.
      if (error instanceof AppError) await this.#store.abandonRequest(marked).catch(() => {})
      throw error
    }
    await this.#store.finishRequest(marked, isSecret ? '' : JSON.stringify(answer.body))
    return answer
  }
}

const unknown =
  'It is not known what came of the first request with this Idempotency-Key: look whether it was done, and use another key if not'
const secret =
  'The first request with this Idempotency-Key was answered, with a secret that is shown once: revoke what it made, and use another key'

function conflict(detail: string, retryAfterSeconds?: number): ProblemError {
  return new ProblemError('CONFLICT', detail, [], retryAfterSeconds)
}

function readKey(given: string | string[]): string {
  const { min, max } = idempotencyKeyLength
  if (typeof given === 'string' && /^[!-~]+$/.test(given) && given.length >= min && given.length <= max) return given
  const detail = `It must be one text of ${min} to ${max} visible ASCII characters, kept for ${idempotencyHours} hours`
  throw new ProblemError('BAD_REQUEST', 'The header is not valid', [{ parameter: 'Idempotency-Key', detail }])
}

/** What was kept is what the endpoint answered. */
function declared<Body>(value: unknown): Body {
  return value as Body
}
