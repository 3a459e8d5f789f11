// What an answer that a resolver elsewhere gave or was given says of a name: of the answer section only the chain from the question on, and of
// what a stranger's server says only what lies in its own zone. Pure.
import { type DecodedPacket, decode } from 'dns-packet'
import { isWithin } from '../../net/hostname.ts'
import type { ObservedAnswer } from '../observe/observed-names.ts'
import { readAnswer } from '../resolve/answer.ts'
import { type DnstapResponse, wireName } from './message.ts'

//  id  flags  questions  answers  authorities  additionals   then the name that was asked, its type and its class (RFC 1035 section 4.1)

const headerBytes = 12
const isResponse = 0x8000
const isTruncated = 0x0200
const NOERROR = 0
const typeA = 1
const classIn = 1

export type ReadAnswer =
  | { kind: 'told'; told: Omit<ObservedAnswer, 'source' | 'sensor'> }
  /** Not a whole DNS message. */
  | { kind: 'broken' }
  /** It says nothing of where a name leads, or of no name that matters. */
  | { kind: 'other' }

/** `wants`: whether the name matters. It is asked first: most names do not, and the rest of their messages is not read. */
export function readTold(
  { response, type, zone }: Pick<DnstapResponse, 'response' | 'type' | 'zone'>,
  wants: (name: string) => boolean,
): ReadAnswer {
  if (response.length < headerBytes) return { kind: 'broken' }
  const flags = response.readUInt16BE(2)
  const [questions, answers] = [response.readUInt16BE(4), response.readUInt16BE(6)]
  if ((flags & isResponse) === 0 || questions !== 1) return { kind: 'broken' }
  if ((flags & 0xf) !== NOERROR || (flags & isTruncated) !== 0 || answers === 0) return { kind: 'other' }
  const name = wireName(response, headerBytes)
  if (name === null || name === '') return { kind: 'other' }
  const typeAt = headerBytes + name.length + 2
  if (response.length < typeAt + 4) return { kind: 'broken' }
  if (response.readUInt16BE(typeAt) !== typeA || response.readUInt16BE(typeAt + 2) !== classIn) return { kind: 'other' }
  if (!wants(name)) return { kind: 'other' }
  const packet = decoded(response)
  if (packet === null) return { kind: 'broken' }
  if (type !== 'RESOLVER_RESPONSE') return toldBy(packet, name, '')
  return toldBy(packet, name, zone === null ? name : wireName(zone))
}

/** `zone`: whose records count; empty: of all. Null: it is no zone of hosts. */
function toldBy(packet: DecodedPacket, name: string, zone: string | null): ReadAnswer {
  if (zone === null) return { kind: 'broken' }
  const own = packet.answers?.filter((record) => zone === '' || isWithin(record.name.toLowerCase(), zone)) ?? []
  const answer = readAnswer({ ...packet, answers: own }, name)
  if (answer.kind !== 'addresses' && answer.kind !== 'alias') return { kind: 'other' }
  const { chain, ttlSeconds } = answer
  const addresses = answer.kind === 'addresses' ? answer.addresses : []
  return { kind: 'told', told: { name, chain, ttlSeconds, addresses } }
}

function decoded(message: Buffer): DecodedPacket | null {
  try {
    return decode(message)
  } catch {
    return null
  }
}
