// One HTTP request to a place that a user has named. The name is resolved once, and the very address that was looked at is connected to: a name that
// answers something else the second time leads nowhere. No redirects, no proxies from the environment, nothing without an end.
import { promises as dns, type LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Allowed, listOf, mayUsePort, type Reach, whyNotReached } from './reach.ts'

const lookUpMs = 5_000
const connectMs = 5_000
const wholeMs = 15_000
/** What is kept of an answer, octets. */
const answerMax = 1_024

export interface Outgoing {
  url: URL
  method: 'POST' | 'PUT' | 'GET'
  headers: Readonly<Record<string, string>>
  body: string
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** The first octets of the body. */
  text: string
}

export interface ReachOptions {
  reach: Reach
  allowed: Allowed
  /** The addresses of a name; left out: those that the system knows. */
  resolve?: (name: string) => Promise<LookupAddress[]>
  /** Addresses of this machine; left out: those that it has now. */
  ownAddresses?: () => readonly string[]
  signal?: AbortSignal
}

/** The place may not be reached; the message says why, in words for its user. */
export class Refused extends Error {}

/** Rejects with `Refused`, or with what went wrong on the way. */
export async function send({ url, method, headers, body }: Outgoing, options: ReachOptions): Promise<Answer> {
  const { signal, ...how } = options
  const ended = AbortSignal.any([AbortSignal.timeout(wholeMs), ...(signal === undefined ? [] : [signal])])
  const address = await addressOf(url, how)
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((settle, fail) => {
    const request = start(url, {
      method,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'user-agent': 'Floodgauge' },
      agent: false,
      signal: ended,
      // The address that was looked at, whatever the name leads to now.
      lookup: (_name, { all }, done) =>
        all === true ? done(null, [address]) : done(null, address.address, address.family),
    })
    const unconnected = setTimeout(() => request.destroy(new Error('no connection within 5 seconds')), connectMs)
    request.on('socket', (socket) => {
      const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect'
      socket.once(connected, () => clearTimeout(unconnected))
    })
    request.on('error', (error) => {
      clearTimeout(unconnected)
      fail(ended.aborted && signal?.aborted !== true ? new Error('no answer within 15 seconds') : error)
    })
    request.on('response', (answer) => readAnswer(answer).then(settle, fail))
    request.end(body)
  })
}

/** Where the host of a URL is; rejects with `Refused` where it may not be reached. */
async function addressOf(url: URL, options: Omit<ReachOptions, 'signal'>): Promise<LookupAddress> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Refused('only http and https are supported')
  if (url.username !== '' || url.password !== '') throw new Refused('the address must not hold a user or a password')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return hostAddress(url.hostname.replace(/^\[|\]$/g, ''), port, options)
}

/** The same of a host and a port. One address that may not be reached is enough: nobody chooses among them. */
export async function hostAddress(
  host: string,
  port: number,
  { reach, allowed, resolve = resolveBySystem, ownAddresses = addressesOfMachine }: Omit<ReachOptions, 'signal'>,
): Promise<LookupAddress> {
  if (!mayUsePort(port, reach)) throw new Refused(`port ${port} may not be used`)
  const family = isIP(host)
  const addresses = family === 0 ? await inTime(resolve(host), host) : [{ address: host, family }]
  const own = listOf(ownAddresses())
  for (const { address } of addresses) {
    const reason = whyNotReached(address, { reach, allowed, own })
    if (reason !== null) throw new Refused(`${host} leads to ${reason}`)
  }
  const [first] = addresses
  if (first === undefined) throw new Error(`${host} has no address`)
  return first
}

/** The system may look for a name for much longer, where its name server says nothing. */
async function inTime(found: Promise<LookupAddress[]>, host: string): Promise<LookupAddress[]> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const limit = setTimeout(() => reject(new Error(`no address of ${host} within 5 seconds`)), lookUpMs)
  try {
    return await Promise.race([found, late])
  } finally {
    clearTimeout(limit)
  }
}

function resolveBySystem(name: string): Promise<LookupAddress[]> {
  return dns.lookup(name, { all: true, verbatim: true })
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))
}

/** Null: a message may be sent there as far as can be known now; else why not. A name that cannot be resolved now may be later. */
export async function whyUnreachable(text: string, options: Omit<ReachOptions, 'signal'>): Promise<string | null> {
  if (!URL.canParse(text)) return 'it is no URL'
  try {
    await addressOf(new URL(text), options)
    return null
  } catch (error) {
    return error instanceof Refused ? error.message : null
  }
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = []
  let octets = 0
  for await (const part of answer) {
    parts.push(part)
    octets += part.length
    if (octets >= answerMax) break
  }
  answer.destroy()
  const text = Buffer.concat(parts).subarray(0, answerMax).toString('utf8')
  return { status: answer.statusCode ?? 0, headers: answer.headers, text }
}
