// What binds an answer of the provider to the browser that asked: a secret in a cookie, from which everything else follows (state, nonce, PKCE's
// verifier), so that nothing is kept here. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Ticket {
  state: string
  nonce: string
  /** RFC 7636: 43 characters. */
  verifier: string
}

/** Where to go after signing in: a path below the console. */
const nextMax = 500

/** `secret`: of the cookie, 64 hex digits. */
export function issueTicket(secret: string, { next, expiresMs }: { next: string; expiresMs: number }): Ticket {
  const path = isOwnPath(next) ? next : '/'
  const claims = `${Math.floor(expiresMs / 1000).toString(36)}.${Buffer.from(path).toString('base64url')}`
  return ticketOf(secret, `${claims}.${mac(secret, `state ${claims}`)}`)
}

/** Null: the state is not of this browser, or too old. */
export function readTicket(secret: string, state: string, nowMs: number): (Ticket & { next: string }) | null {
  const parts = /^([0-9a-z]{1,9})\.([\w-]{0,4000})\.([\w-]{43})$/.exec(state)
  if (parts === null) return null
  const [, expires, coded, given] = parts
  const expected = mac(secret, `state ${expires}.${coded}`)
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return null
  if (Number.parseInt(expires, 36) * 1000 <= nowMs) return null
  const next = Buffer.from(coded, 'base64url').toString()
  return isOwnPath(next) ? { ...ticketOf(secret, state), next } : null
}

function ticketOf(secret: string, state: string): Ticket {
  return { state, nonce: mac(secret, `nonce ${state}`), verifier: mac(secret, `verifier ${state}`) }
}

function mac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(`floodgauge sign-on ${text}`).digest('base64url')
}

/** Browsers take `//host` and `/\host` for another host. */
function isOwnPath(path: string): boolean {
  return path.length <= nextMax && /^\/(?![/\\])[\x21-\x7e]*$/.test(path)
}
