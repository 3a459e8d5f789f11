// Who is at the other end of a request, apart from any credentials: the address, the browser's name, its session cookie, and whether a page of
// this service sent it.
import type { FastifyRequest } from 'fastify'

export interface Peer {
  address: string
  /** What the browser calls itself, cut short. */
  agent: string
  /** The name of the session cookie here: browsers hold one that begins with `__Host-` to HTTPS, and to the host that set it. */
  cookieName: string
  isSecure: boolean
  /** The secret in the session cookie; null: there is none. */
  secret: string | null
  /** Whether the browser says, or does not deny, that a page of this service sent it. */
  isSameOrigin: boolean
}

const agentMax = 200

export function peerOf(request: FastifyRequest, publicUrl: string): Peer {
  const isSecure = request.protocol === 'https' || isPublicHttps(request.host, publicUrl)
  const cookieName = isSecure ? '__Host-floodgauge' : 'floodgauge'
  return {
    address: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, agentMax),
    cookieName,
    isSecure,
    secret: cookieOf(request.headers.cookie ?? '', cookieName),
    isSameOrigin: isSameOrigin(request, publicUrl),
  }
}

/** `Set-Cookie` that begins a session, or with an empty secret ends it. */
export function sessionCookie({ cookieName, isSecure }: Peer, secret: string, seconds: number): string {
  const age = secret === '' ? 0 : seconds
  return `${cookieName}=${secret}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** Secrets are hex digits: nothing else is looked at. A cookie that is there twice is none. */
function cookieOf(header: string, name: string): string | null {
  const values = header.split(';').flatMap((pair) => {
    const [key, value = ''] = pair.trim().split('=', 2)
    return key === name ? [value] : []
  })
  return values.length === 1 && /^[0-9a-f]{64}$/.test(values[0]) ? values[0] : null
}

function isPublicHttps(host: string, publicUrl: string): boolean {
  return publicUrl.startsWith('https:') && new URL(publicUrl).host === host.toLowerCase()
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
