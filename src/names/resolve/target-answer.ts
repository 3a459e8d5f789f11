// What an answer to a question for records that name other names says (PTR, NS, MX, SRV, SOA). Pure. As with addresses, nothing of the message
// counts that does not follow from the name that was asked.
import type { DecodedPacket } from 'dns-packet'
import { canonicalHostname } from '../../net/hostname.ts'
import { chainMax, type QuestionType, rcodeOf } from './answer.ts'

export type TargetType = Exclude<QuestionType, 'A' | 'TXT'>

const targetsMax = 32
const NOERROR = 0
const NXDOMAIN = 3

/** Canonical names, none of a name that does not exist; null: the server does not say. */
export function readTargets(packet: DecodedPacket, name: string, type: TargetType): string[] | null {
  const rcode = rcodeOf(packet)
  if (rcode === NXDOMAIN) return []
  if (rcode !== NOERROR) return null
  const aliases = new Map<string, string>()
  const targets = new Map<string, Set<string>>()
  for (const record of packet.answers ?? []) {
    const owner = record.name.toLowerCase()
    if (record.type === 'CNAME') aliases.set(owner, record.data.toLowerCase())
    if (record.type !== type) continue
    const target = canonicalHostname(targetOf(record) ?? '')
    const known = targets.get(owner) ?? new Set()
    targets.set(owner, known)
    if (target !== null && known.size < targetsMax) known.add(target)
  }
  // Reverse zones of less than a /24 are delegated by aliases (RFC 2317).
  let at = name
  for (let i = 0; i <= chainMax; i++) {
    const found = targets.get(at)
    if (found !== undefined) return [...found]
    const next = aliases.get(at)
    if (next === undefined) return []
    at = next
  }
  return []
}

function targetOf(record: NonNullable<DecodedPacket['answers']>[number]): string | null {
  if (record.type === 'PTR' || record.type === 'NS') return record.data
  if (record.type === 'MX') return record.data.exchange
  if (record.type === 'SRV') return record.data.target
  return record.type === 'SOA' ? record.data.mname : null
}
