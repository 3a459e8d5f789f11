// One HTTP request to a place that a user has named. The name is resolved once, and only addresses that were looked at are connected to: a name that
// answers something else the second time leads nowhere. No redirects, no proxies from the environment, nothing without an end.
import type { LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Resolve } from './host-names.ts'
import { type Allowed, listOf, mayUsePort, type Reach, whyNotReached } from './reach.ts'

const connectMs = 5_000
const wholeMs = 15_000
/** How long the body of an answer may take: the status says what became of the message. */
const bodyMs = 1_000
/** Addresses of each family that are tried. */
const addressesMax = 2
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
  /** For whom names are looked up: see `HostNames`. */
  resolve: Resolve
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
  const addresses = triedOf(await addressesOf(url, how))
  const [first] = addresses
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((settle, fail) => {
    const request = start(url, {
      method,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'user-agent': 'Floodgauge' },
      agent: false,
      signal: ended,
      // The addresses that were looked at, whatever the name leads to now; each has its share of the time.
      lookup: (_name, { all }, done) =>
        all === true ? done(null, addresses) : done(null, first.address, first.family),
      ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: Math.floor(connectMs / addresses.length) },
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

/** Those of each family that come first. */
function triedOf(addresses: readonly LookupAddress[]): LookupAddress[] {
  const families = Map.groupBy(addresses, ({ family }) => family).values()
  return [...families].flatMap((each) => each.slice(0, addressesMax))
}

/** Where the host of a URL is, at least one; rejects with `Refused` where it may not be reached. */
async function addressesOf(url: URL, options: Omit<ReachOptions, 'signal'>): Promise<LookupAddress[]> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Refused('only http and https are supported')
  if (url.username !== '' || url.password !== '') throw new Refused('the address must not hold a user or a password')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  return hostAddresses(url.hostname.replace(/^\[|\]$/g, ''), port, options)
}

/** The same of a host and a port. One address that may not be reached is enough: nobody chooses among them. */
export async function hostAddresses(
  host: string,
  port: number,
  { reach, allowed, resolve, ownAddresses = addressesOfMachine }: Omit<ReachOptions, 'signal'>,
): Promise<LookupAddress[]> {
  if (!mayUsePort(port, reach)) throw new Refused(`port ${port} may not be used`)
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  const own = listOf(ownAddresses())
  for (const { address } of addresses) {
    const reason = whyNotReached(address, { reach, allowed, own })
    if (reason !== null) throw new Refused(`${host} leads to ${reason}`)
  }
  if (addresses.length === 0) throw new Error(`${host} has no address`)
  return addresses
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address))
}

/** Null: a message may be sent there as far as can be known now; else why not. A name that cannot be resolved now may be later. */
export async function whyUnreachable(text: string, options: Omit<ReachOptions, 'signal'>): Promise<string | null> {
  if (!URL.canParse(text)) return 'it is no URL'
  try {
    await addressesOf(new URL(text), options)
    return null
  } catch (error) {
    return error instanceof Refused ? error.message : null
  }
}

/** With as much of the body as came in time. */
async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = []
  let octets = 0
  const late = setTimeout(() => answer.destroy(), bodyMs)
  try {
    for await (const part of answer) {
      parts.push(part)
      octets += part.length
      if (octets >= answerMax) break
    }
  } catch {
    // It was broken off, here or there: what the status says holds.
  } finally {
    clearTimeout(late)
  }
  answer.destroy()
  const text = Buffer.concat(parts).subarray(0, answerMax).toString('utf8')
  return { status: answer.statusCode ?? 0, headers: answer.headers, text }
}
