// What an answer over HTTP means for a message, and what its user may read of it.
import { type SendResult, unsent } from '../channels/kind.ts'
import { type Answer, Refused } from './request.ts'

/** The message itself is what the receiver does not take (RFC 9110 section 15.5). */
const refusing: ReadonlySet<number> = new Set([400, 401, 403, 404, 413])

export function outcomeOf({ status, headers }: Pick<Answer, 'status' | 'headers'>, nowMs: number): SendResult {
  const text = `HTTP ${status}`
  const pauseMs = pauseOf(headers['retry-after'], nowMs)
  if (status >= 200 && status < 300) return { outcome: 'done', pauseMs: null, text }
  if (status === 410) return { outcome: 'gone', pauseMs: null, text: `${text}: nothing more is wanted there` }
  if (status === 429 || (status === 503 && pauseMs !== null)) return { outcome: 'busy', pauseMs, text }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', pauseMs: null, text: `${text}: redirects are not followed` }
  return { outcome: refusing.has(status) ? 'refused' : 'failed', pauseMs: null, text }
}

/** `Retry-After`: seconds or a date (RFC 9110 section 10.2.3); null: none that can be read. */
function pauseOf(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}

/** Errors of the system that its user can do something about. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name has no address',
  EAI_AGAIN: 'the name cannot be resolved now',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  ETIMEDOUT: 'the connection took too long',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
}

/** What went wrong before there was an answer. A place that may not be reached stays so. */
export function outcomeOfError(error: unknown): SendResult {
  if (error instanceof Refused) return unsent('target', error.message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const own = error instanceof Error && code === '' ? error.message : `no answer (${code})`
  return { outcome: 'failed', pauseMs: null, text: reasons[code] ?? own }
}
