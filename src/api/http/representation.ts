// How answers of `/api/v1` travel: with an entity tag, so that who asks again is told that nothing has changed (304), and compressed for who takes
// it. `/open` and streams of events stay as they are.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify'
import { endpoints } from '../../contract/endpoints.ts'
import type { Route } from '../../contract/route.ts'
import { accepts } from './content-codings.ts'

/** Octets: below it a packet is saved at most. */
const compressedMin = 1_024
/** At a time. More answers go out as they are, since each takes memory and a processor. */
const compressionsMax = 8
const gzipOptions = { level: 4 }
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** What an answer depends on beside its address. */
const vary = 'accept-encoding, authorization, cookie'

/** Gives for a route what its answers pass through before they are sent: nothing, for most. */
export function createShaping(): (route: Route) => onSendAsyncHookHandler[] {
  const pack = createPacking()
  return (route) => (!isShaped(route) ? [] : hasSecrets(route) ? [tagAnswer] : [tagAnswer, pack])
}

const tagAnswer: onSendAsyncHookHandler = async (request, reply, payload) => {
  if (reply.statusCode !== 200 || !isText(payload) || !isReading(request)) return payload
  const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
  reply.headers({ etag: tag, vary })
  // Programs may keep it to ask again. Browsers keep nothing: another person may use them next.
  if (request.headers.cookie === undefined) reply.header('cache-control', 'private, no-cache')
  if (!isKnown(request.headers['if-none-match'], tag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  // A HEAD request takes only the length; nothing is sent.
  return request.method === 'HEAD' ? payload : null
}

/** Compresses, within a bound for all routes together. */
function createPacking(): onSendAsyncHookHandler {
  let running = 0

  return async (request, reply, payload) => {
    const coding = codingOf(request)
    if (reply.statusCode !== 200 || coding === null) return payload
    reply.header('vary', vary)
    if (running >= compressionsMax) return payload
    if (payload instanceof Readable) {
      running++
      const coder = coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)
      coder.once('close', () => {
        running--
        payload.destroy()
      })
      payload.once('error', (error) => coder.destroy(error))
      setCoding(reply, coding)
      return payload.pipe(coder)
    }
    if (!isText(payload) || payload.length < compressedMin) return payload
    running++
    try {
      const packed = await (coding === 'br' ? compress.br(payload, brotliOptions) : compress.gzip(payload, gzipOptions))
      setCoding(reply, coding)
      return packed
    } finally {
      running--
    }
  }
}

function setCoding(reply: FastifyReply, coding: string): void {
  reply.header('content-encoding', coding).removeHeader('content-length')
}

function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Endpoints of `/api/v1` whose answer has an end, and is the same for whoever asks. */
function isShaped(route: Route): boolean {
  return route.path.startsWith('/api/v1/') && route.givesStream !== true && route.givesPage !== true
}

/** The length of a compressed answer reveals what is in it (BREACH): nothing that has a secret is compressed. */
function hasSecrets({ tag }: Route): boolean {
  return tag === 'Accounts'
}

/** Null: it is no endpoint of the contract. */
export function routeOf({ routeOptions }: FastifyRequest): Route | null {
  const { endpoint } = routeOptions.config
  return endpoint === undefined ? null : endpoints[endpoint].route
}

function codingOf({ headers }: FastifyRequest): 'br' | 'gzip' | null {
  const accepted = String(headers['accept-encoding'] ?? '')
  return accepts(accepted, 'br') ? 'br' : accepts(accepted, 'gzip') ? 'gzip' : null
}

/** Compared weakly (RFC 9110 section 8.8.3.2). */
function isKnown(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false
  const opaque = (each: string) => each.trim().replace(/^W\//, '')
  return given.trim() === '*' || given.split(',').some((each) => opaque(each) === opaque(tag))
}
