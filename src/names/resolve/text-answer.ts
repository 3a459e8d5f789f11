// What an answer to a question for texts (TXT) says: those of the name, or of what it is an alias for. Pure. As with addresses, nothing of
// the message counts that does not follow from the name that was asked.
import type { DecodedPacket } from 'dns-packet'
import type { TextResolution } from '../../access/challenge.ts'
import { canonicalHostname } from '../../net/hostname.ts'
import { chainMax, rcodeOf } from './answer.ts'

/** `alias`: the texts are those of another name, which the answer does not tell. */
export type TextAnswer = TextResolution | { kind: 'alias'; target: string }

const textsMax = 100
const textLengthMax = 1_000

const NOERROR = 0
const NXDOMAIN = 3

export function readTexts(packet: DecodedPacket, name: string): TextAnswer {
  const rcode = rcodeOf(packet)
  if (rcode === NXDOMAIN) return { kind: 'texts', texts: [] }
  if (rcode !== NOERROR) return { kind: 'failed' }
  /** Null: it is no name. */
  const aliases = new Map<string, string | null>()
  const texts = new Map<string, string[]>()
  for (const record of packet.answers ?? []) {
    if ((record.type !== 'TXT' && record.type !== 'CNAME') || record.class !== 'IN') continue
    const owner = record.name.toLowerCase()
    if (record.type === 'CNAME') aliases.set(owner, canonicalHostname(record.data))
    else texts.set(owner, [...(texts.get(owner) ?? []), textFrom(record.data)].slice(0, textsMax))
  }
  let at = name
  for (let i = 0; i <= chainMax; i++) {
    const found = texts.get(at)
    const target = aliases.get(at)
    if (found !== undefined) return { kind: 'texts', texts: found }
    if (target === null) return { kind: 'failed' }
    if (target === undefined) return at === name ? { kind: 'texts', texts: [] } : { kind: 'alias', target: at }
    at = target
  }
  return { kind: 'failed' }
}

/** A record is one text in parts of 255 octets at most (RFC 7208 section 3.3). */
function textFrom(data: unknown): string {
  const parts = Array.isArray(data) ? data : [data]
  const octets = parts.map((part) =>
    typeof part === 'string' ? Buffer.from(part) : part instanceof Uint8Array ? part : Buffer.alloc(0),
  )
  return Buffer.concat(octets).toString('latin1').slice(0, textLengthMax)
}
