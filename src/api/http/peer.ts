// Who is at the other end of a request, apart from any credentials: the address, the browser's name, its session cookie, and whether a page of
// this service sent it.
import type { FastifyRequest } from 'fastify'
import { isForwardedHttps } from './forwarding.ts'

export interface Peer {
  address: string
  /** What the browser calls itself, cut short. */
  agent: string
  /** It is a browser that goes to an address, or sends a form. */
  readsPages: boolean
  /** What it asks for in `Accept-Language`, cut short. */
  languages: string
  /** The name of a session cookie that is set here: browsers hold one that begins with `__Host-` to HTTPS, and to the host that set it. */
  cookieName: string
  isSecure: boolean
  /** The secret in the session cookie; null: there is none. */
  secret: string | null
  /** What the browser keeps of an account that has signed in from it; null: nothing. */
  device: string | null
  /** The secret of the single sign-on that the browser has begun; null: none. */
  signOn: string | null
  /** Whether the browser says, or does not deny, that a page of this service sent it. */
  isSameOrigin: boolean
}

const agentMax = 200
const secureCookie = '__Host-floodgauge'
const plainCookie = 'floodgauge'
const deviceSeconds = 365 * 86_400

export function peerOf(request: FastifyRequest, publicUrl: string): Peer {
  const isSecure = request.protocol === 'https' || isForwardedHttps(request) || isPublicHttps(publicUrl)
  const cookieName = isSecure ? secureCookie : plainCookie
  const cookies = request.headers.cookie ?? ''
  return {
    address: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, agentMax),
    readsPages: /\btext\/html\b/.test(request.headers.accept ?? ''),
    languages: (request.headers['accept-language'] ?? '').slice(0, agentMax),
    cookieName,
    isSecure,
    // One that begins with `__Host-` was set over HTTPS, whatever the proxy leaves out of this request. The other may have been set by anybody.
    secret: cookieOf(cookies, secureCookie) ?? (isSecure ? null : cookieOf(cookies, plainCookie)),
    device: cookieOf(cookies, deviceCookie(cookieName)),
    signOn: cookieOf(cookies, signOnName(cookieName)),
    isSameOrigin: isSameOrigin(request, publicUrl),
  }
}

/** `Set-Cookie` that begins a session, or with an empty secret ends it. */
export function sessionCookie({ cookieName, isSecure }: Peer, secret: string, seconds: number): string {
  const age = secret === '' ? 0 : seconds
  return `${cookieName}=${secret}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** `Set-Cookie` for what a browser keeps of an account, also after its session has ended; it is sent where someone signs in. */
export function deviceCookieOf({ cookieName, isSecure }: Peer, device: string): string {
  const name = deviceCookie(cookieName)
  return `${name}=${device}; Path=/; Max-Age=${deviceSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** `Set-Cookie` for what binds an answer of the provider to the browser that asked; with an empty secret it ends. */
export function signOnCookie({ cookieName, isSecure }: Peer, secret: string, seconds: number): string {
  return `${signOnName(cookieName)}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

const signOnName = (cookieName: string) => `${cookieName}-sign-on`
const deviceCookie = (cookieName: string) => `${cookieName}-device`

/** Secrets are hex digits: nothing else is looked at. A cookie that is there twice does not count. */
function cookieOf(header: string, name: string): string | null {
  const values = header.split(';').flatMap((pair) => {
    const [key, value = ''] = pair.trim().split('=', 2)
    return key === name ? [value] : []
  })
  return values.length === 1 && /^[0-9a-f]{64}$/.test(values[0]) ? values[0] : null
}

/** Whether people come by HTTPS: then a cookie is for HTTPS alone, whatever a proxy leaves of the request. */
export function isPublicHttps(publicUrl: string): boolean {
  return /^https:/i.test(publicUrl)
}

/** Browsers send `Sec-Fetch-Site` to HTTPS and to this machine, `Origin` with whatever changes something; other programs neither. */
function isSameOrigin({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host.toLowerCase() || (publicUrl !== '' && new URL(publicUrl).origin === origin)
}
