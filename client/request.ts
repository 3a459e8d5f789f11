// One request to the service: headers, deadline, and patience when the service says that it is busy.
import { ProblemError, problemFrom } from './problem.ts'

export interface Timing {
  now(): number
  /** Resolves after this many milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface RequesterOptions {
  baseUrl: string
  /** Header fields of a request beside those of its body. */
  headers: (method: Request['method']) => Record<string, string>
  /** Whether the browser sends its cookies: see `fetch`. */
  credentials: 'omit' | 'same-origin'
  fetch: typeof globalThis.fetch
  timing: Timing
  /** How often a request is sent again after 429 or 503. */
  retries: number
  /** The longest single wait before a retry: a service that asks for more is reported instead. */
  retryWaitMaxMs: number
  /** The longest wait for one answer, its body included. */
  timeoutMs: number
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query, below the base address. */
  path: string
  body?: unknown
  /** JSON lines in place of a JSON body. */
  lines?: Uint8Array<ArrayBuffer>
  signal?: AbortSignal | undefined
}

export interface Answer {
  /** A list when the answer is JSON lines. */
  body: unknown
  headers: Headers
}

const firstWaitMs = 1000

export class Requester {
  readonly #options: RequesterOptions

  constructor(options: RequesterOptions) {
    this.#options = options
  }

  async send(request: Request): Promise<Answer> {
    const { timing, retries, retryWaitMaxMs } = this.#options
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#sendOnce(request)
      if (!(answer instanceof ProblemError)) return answer
      const waitMs = answer.retryAfterMs ?? firstWaitMs * 2 ** attempt
      const isBusy = answer.status === 429 || answer.status === 503
      if (!isBusy || attempt >= retries || waitMs > retryWaitMaxMs) throw answer
      await timing.sleep(waitMs, request.signal)
      request.signal?.throwIfAborted()
    }
  }

  async #sendOnce({ method, path, body, lines, signal }: Request): Promise<Answer | ProblemError> {
    const { baseUrl, headers, credentials, fetch, timing, timeoutMs } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...headers(method),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(lines !== undefined && { 'content-type': 'application/x-ndjson' }),
      },
      body: body === undefined ? (lines ?? null) : JSON.stringify(body),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      // The token travels in a header that a redirect would carry to whatever host it names.
      redirect: 'error',
      credentials,
      cache: 'no-store',
    })
    if (response.status >= 400) return problemFrom(response, timing.now())
    const text = await response.text()
    try {
      const areLines = response.headers.get('content-type')?.startsWith('application/x-ndjson') === true
      const body = areLines ? text.split('\n').filter(Boolean).map(parseJson) : parseJson(text)
      return { body, headers: response.headers }
    } catch {
      return new ProblemError('the answer is no JSON: is this the address of the service?', { status: response.status })
    }
  }
}

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done)
    }),
}
