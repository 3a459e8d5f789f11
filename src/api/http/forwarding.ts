// What reverse proxies say of the requests that they pass on, and what of that is believed. `http.trustedProxies` decides whose
// X-Forwarded-For counts; a proxy that is missing there makes one address of all clients, which has to be noticed.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import type { HttpSettings } from '../settings.ts'

const hourMs = 3_600_000

/** Whether it came through a proxy, or says so, that `http.trustedProxies` does not name: its address is the proxy's. */
export function isForwardedByStranger({ headers, ips }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined && (ips === undefined || ips.length < 2)
}

/**
 * Whether a proxy says that the client came over HTTPS. This is believed of anybody, since all it does is to keep a cookie to HTTPS: who says so
 * wrongly gets a cookie that is of no use to them.
 */
export function isForwardedHttps({ headers }: FastifyRequest): boolean {
  const given = headers['x-forwarded-proto']
  if (given === undefined) return false
  return /^https(?:\s*,|$)/i.test(typeof given === 'string' ? given : given[0])
}

export function warnOfProxies(server: FastifyInstance, options: { settings: HttpSettings; log: Logger; clock: Clock }) {
  const { settings, log, clock } = options
  const throttle = new LogThrottle(hourMs)
  if (settings.publicUrl !== '' && settings.trustedProxies.length === 0) {
    log.warn(
      { publicUrl: settings.publicUrl },
      'http.publicUrl names a reverse proxy, and http.trustedProxies does not: all clients count as one address',
    )
  }
  const warn = (request: FastifyRequest) => {
    const heldBack = throttle.pass('forwarded', clock.now())
    if (heldBack === null) return
    const address = request.socket.remoteAddress ?? ''
    log.warn(
      { address, heldBack },
      'X-Forwarded-For comes from an address that http.trustedProxies does not name: all clients behind it count as one address',
    )
  }
  server.addHook('onRequest', (request, _reply, done) => {
    if (isForwardedByStranger(request)) warn(request)
    done()
  })
}
