// How somebody proves to control a host record: a TXT record with a random token, where only who controls it can put one (RFC 8552 names;
// the form of draft-ietf-dnsop-domain-verification-techniques). The label tells what the record is good for. Pure.
import { nameMax } from '../net/hostname.ts'
import { formatIpv4 } from '../net/ipv4.ts'
import { formatPrefix, type Prefix, parsePrefix } from '../net/prefix.ts'
import { type HostRecord, isPublicSuffix, prefixOf } from './site.ts'

export const subjectKinds = ['network', 'host', 'domain'] as const

/** What is proved: a network or an address, as `192.0.2.0/24`; a name alone; a domain with all below it. */
export interface Subject {
  kind: (typeof subjectKinds)[number]
  text: string
}

const dayMs = 86_400_000
const expiryDays = 365
/** Proposed anew when less is left of the one before. */
const renewDays = 30

/** Null: nobody can prove it, since it is a public suffix or has no room for the label. */
export function subjectOf(record: HostRecord): Subject | null {
  const subject = plainSubject(record)
  const isSuffix = record.kind === 'fqdn' && isPublicSuffix(record.host)
  return isSuffix || challengeName(subject).length > nameMax ? null : subject
}

function plainSubject(record: HostRecord): Subject {
  if (record.kind === 'fqdn') return { kind: 'host', text: record.host }
  if (record.kind === 'wildcard') return { kind: 'domain', text: record.zone }
  return { kind: 'network', text: formatPrefix(prefixOf(record)) }
}

/** Where the TXT record has to be. */
export function challengeName({ kind, text }: Subject): string {
  if (kind === 'host') return `_floodgauge-host-challenge.${text}`
  if (kind === 'domain') return `_floodgauge-domain-challenge.${text}`
  const prefix = parsePrefix(text)
  return `_floodgauge-challenge.${prefix === null ? text : reverseName(prefix)}`
}

/** `2.0.192.in-addr.arpa` of a /24; below that `7.` of an address, and `16-28.` of a smaller network (as RFC 2317 has them). */
function reverseName({ network, length }: Prefix): string {
  const [a, b, c, d] = formatIpv4(network).split('.')
  const zone = `${c}.${b}.${a}.in-addr.arpa`
  if (length === 24) return zone
  return length === 32 ? `${d}.${zone}` : `${d}-${length}.${zone}`
}

/** The text that the record should have. `expiresMs`: until when the one that is there counts. */
export function challengeText(
  token: string,
  { expiresMs, nowMs }: { expiresMs: number | null; nowMs: number },
): string {
  const isLongEnough = expiresMs !== null && expiresMs >= nowMs + renewDays * dayMs
  const untilMs = isLongEnough ? expiresMs : nowMs + expiryDays * dayMs
  return `token=${token} expiry=${new Date(untilMs).toISOString().slice(0, 10)}`
}

/** Until when a record with the token counts, Unix milliseconds, Infinity: for good; null: none of the texts has it, or it no longer counts. */
export function readChallenge(texts: readonly string[], token: string, nowMs: number): number | null {
  let latestMs: number | null = null
  for (const text of texts) {
    const words = text.split(/\s+/)
    if (!words.some((word) => word.toLowerCase() === `token=${token}`)) continue
    const expiry = words.find((word) => /^expiry=/i.test(word))?.slice('expiry='.length)
    const untilMs = expiry === undefined ? Number.POSITIVE_INFINITY : expiryMs(expiry)
    if (untilMs > nowMs && untilMs > (latestMs ?? 0)) latestMs = untilMs
  }
  return latestMs
}

/** `never`, a date (that day counts whole), or a moment with offset; anything else is over. */
function expiryMs(text: string): number {
  if (text.toLowerCase() === 'never') return Number.POSITIVE_INFINITY
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return endOf(Date.parse(text))
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/i.test(text)) return endOf(Date.parse(text), 0)
  return 0
}

function endOf(ms: number, lengthMs = dayMs): number {
  return Number.isNaN(ms) ? 0 : ms + lengthMs
}
