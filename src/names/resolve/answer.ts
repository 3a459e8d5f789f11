// One DNS question and what its answer says: pure. Of a message only the answer section is read, walked from the name that was asked
// along its aliases: whatever else a server sends along has no effect.
import { type DecodedPacket, decode, encode, RECURSION_DESIRED } from 'dns-packet'
import { parseKey } from '../../net/address.ts'
import { ancestors, canonicalHostname } from '../../net/hostname.ts'

/** Aliases followed before a chain counts as broken. */
export const chainMax = 16
/** Addresses read of one answer. */
export const addressesMax = 256
/** What our datagrams may carry without fragments (EDNS, RFC 6891; the value of DNS flag day 2020). */
const udpPayloadSize = 1_232

export interface Question {
  id: number
  /** Canonical, but for the case of its letters. */
  name: string
  /** Left out: addresses. */
  type?: QuestionType
}

/** What is asked for. */
export type QuestionType = 'A' | 'TXT' | 'PTR' | 'NS' | 'MX' | 'SRV' | 'SOA'

export type Answer =
  | { kind: 'addresses'; addresses: number[]; chain: string[]; ttlSeconds: number }
  /** The name is an alias, and the answer does not say of what address: the last of the chain is to be asked. */
  | { kind: 'alias'; chain: string[]; ttlSeconds: number }
  /** The name does not exist, or has no IPv4 address. */
  | { kind: 'absent' }
  | { kind: 'failed'; reason: 'rcode' | 'chain' }

export function encodeQuestion({ id, name, type = 'A' }: Question): Buffer {
  return encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ type, class: 'IN', name }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  })
}

/** The decoded message when it is an answer to just this question; null for anything else. */
export function decodeAnswer(message: Buffer, question: Question): DecodedPacket | null {
  let packet: DecodedPacket
  try {
    packet = decode(message)
  } catch {
    return null
  }
  if (packet.type !== 'response' || packet.id !== question.id || packet.questions?.length !== 1) return null
  const [asked] = packet.questions
  if (asked.type !== (question.type ?? 'A') || (asked.class ?? 'IN') !== 'IN' || !isEcho(asked.name, question.name))
    return null
  return packet
}

/** A name that was asked in plain lower case may come back in any; another has to come back as it was. */
function isEcho(name: string, asked: string): boolean {
  return name === asked || name.toLowerCase() === asked
}

const NOERROR = 0
const NXDOMAIN = 3

/** The response code of a message, as in the header: extended codes are failures whatever their low bits. */
export function rcodeOf(packet: DecodedPacket): number {
  return (packet.flags ?? 0) & 0xf
}

export function readAnswer(packet: DecodedPacket, name: string): Answer {
  const rcode = rcodeOf(packet)
  if (rcode === NXDOMAIN) return { kind: 'absent' }
  if (rcode !== NOERROR) return { kind: 'failed', reason: 'rcode' }
  const { aliases, addresses, redirections } = recordsOf(packet)
  const chain: string[] = []
  let ttlSeconds = Number.POSITIVE_INFINITY
  let at = name
  for (;;) {
    const found = addresses.get(at)
    if (found !== undefined) {
      return {
        kind: 'addresses',
        addresses: [...found.values],
        chain,
        ttlSeconds: Math.min(ttlSeconds, found.ttlSeconds),
      }
    }
    const alias = aliases.get(at) ?? synthesized(at, redirections)
    if (alias === undefined) return chain.length === 0 ? { kind: 'absent' } : { kind: 'alias', chain, ttlSeconds }
    const broken = alias.target === null || alias.target === name || chain.includes(alias.target)
    if (alias.target === null || broken || chain.length === chainMax) return { kind: 'failed', reason: 'chain' }
    chain.push(alias.target)
    ttlSeconds = Math.min(ttlSeconds, alias.ttlSeconds)
    at = alias.target
  }
}

interface Alias {
  /** Null: it is no name. */
  target: string | null
  ttlSeconds: number
}

interface Records {
  aliases: Map<string, Alias>
  /** DNAME records: where all names below a name lead. */
  redirections: Map<string, { target: string; ttlSeconds: number }>
  addresses: Map<string, { values: Set<number>; ttlSeconds: number }>
}

function recordsOf(packet: DecodedPacket): Records {
  const records: Records = { aliases: new Map(), redirections: new Map(), addresses: new Map() }
  for (const record of packet.answers ?? []) {
    if ((record.type !== 'A' && record.type !== 'CNAME' && record.type !== 'DNAME') || record.class !== 'IN') continue
    const name = record.name.toLowerCase()
    const ttlSeconds = plainTtl(record.ttl)
    if (record.type === 'CNAME') {
      if (!records.aliases.has(name)) records.aliases.set(name, { target: canonicalHostname(record.data), ttlSeconds })
      continue
    }
    if (record.type === 'DNAME') {
      if (!records.redirections.has(name)) records.redirections.set(name, { target: record.data, ttlSeconds })
      continue
    }
    const address = parseKey(record.data)
    if (address === null) continue
    const known = records.addresses.get(name)
    if (known === undefined) records.addresses.set(name, { values: new Set([address]), ttlSeconds })
    else {
      if (known.values.size < addressesMax) known.values.add(address)
      known.ttlSeconds = Math.min(known.ttlSeconds, ttlSeconds)
    }
  }
  return records
}

/** The alias that a DNAME record makes of a name below its owner, should the server not have sent it along (RFC 6672 section 2.2). */
function synthesized(name: string, redirections: Records['redirections']): Alias | undefined {
  for (const owner of ancestors(name)) {
    const found = redirections.get(owner)
    if (found === undefined) continue
    const below = name.slice(0, name.length - owner.length)
    return { target: canonicalHostname(below + found.target), ttlSeconds: found.ttlSeconds }
  }
  return undefined
}

/** A TTL with its top bit set counts as 0 (RFC 2181 section 8). */
function plainTtl(ttlSeconds: number | undefined): number {
  return ttlSeconds === undefined || ttlSeconds > 0x7fffffff ? 0 : ttlSeconds
}
