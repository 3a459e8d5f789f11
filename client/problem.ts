// What the service answers when it does not do what was asked: a status and, from RFC 9457, a body that says why.
import type { Problem as ContractProblem } from '../src/contract/shapes.ts'

/** The body of an error answer (`application/problem+json`). Other servers may send less. */
export type Problem = Partial<ContractProblem>

export class ProblemError extends Error {
  /** The HTTP status; below 400 when the answer was no answer of this interface. */
  readonly status: number
  /** Null when the answer had no such body. */
  readonly problem: Problem | null
  /** How long the service asks to be left alone, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null

  constructor(text: string, details: { status: number; problem?: Problem | null; retryAfterMs?: number | null }) {
    super(text)
    this.name = 'ProblemError'
    this.status = details.status
    this.problem = details.problem ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
  }

  /** True when the same request may well be answered later: the service is busy or down. */
  get isTransient(): boolean {
    return this.status >= 500 || this.status === 408 || this.status === 429
  }
}

const bodyMax = 64 * 1024

/** The error that an answer of status 400 and above stands for. */
export async function problemFrom(response: Response, nowMs: number): Promise<ProblemError> {
  const problem = problemOf(await response.text().catch(() => ''))
  const reasons = problem?.errors?.map((each) => `${each.parameter ?? each.pointer ?? ''} ${each.detail}`.trim()) ?? []
  const words = [problem?.detail, ...reasons].filter((text) => text !== undefined && text !== '').join('; ')
  const title = problem?.title ?? response.statusText
  const text = `${response.status}${title === '' ? '' : ` ${title}`}${words === '' ? '' : `: ${words}`}`
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs)
  return new ProblemError(text, { status: response.status, problem, retryAfterMs })
}

/** Null for a body that is no problem document, such as a proxy's page. */
function problemOf(text: string): Problem | null {
  if (text.length > bodyMax) return null
  try {
    const value: unknown = JSON.parse(text)
    return isProblem(value) ? value : null
  } catch {
    return null
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { title, detail, reason, errors } = value as Record<string, unknown>
  const isText = (each: unknown) => each === undefined || typeof each === 'string'
  const isReason = (each: unknown) => typeof each === 'object' && each !== null && 'detail' in each
  return (
    [title, detail, reason].every(isText) && (errors === undefined || (Array.isArray(errors) && errors.every(isReason)))
  )
}

/** Seconds, or an HTTP date (RFC 9110 section 10.2.3), as milliseconds from now; null when absent or neither. */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs)
}
