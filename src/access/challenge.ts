// The proof that a user controls a host record: a TXT record with a random token, at a name where only its holder can put one (RFC 8552; the
// form of draft-ietf-dnsop-domain-verification-techniques). The label of the name says what the record proves. Pure.

import { formatAddress } from '../net/address.ts'
import { ancestors, nameMax } from '../net/hostname.ts'
import {
  firstAddress,
  formatNetwork,
  formatNetworkKey,
  isSingle,
  networkKey,
  networkOf,
  parseNetwork,
  reverseName,
} from '../net/network.ts'
import { type HostRecord, isPublicSuffix } from './host-record.ts'

/** The texts (TXT) of a name by one resolver. A name that does not exist has none. */
export type TextResolution = { kind: 'texts'; texts: string[] } | { kind: 'failed' }

export const subjectKinds = ['network', 'host', 'domain'] as const

/** The thing that is proved: a network or an address, as `192.0.2.0/24`; a name alone; a domain with all names below it. */
export interface Subject {
  kind: (typeof subjectKinds)[number]
  text: string
}

const dayMs = 86_400_000
const expiryDays = 365
/** A record with less time left than this is replaced by a new proposal. */
const renewDays = 30

/** The subject of a record's proof; null: nobody can prove it, since it is a public suffix or has no room for the label. */
export function subjectOf(record: HostRecord): Subject | null {
  const subject = plainSubject(record)
  const isSuffix = record.kind === 'fqdn' && isPublicSuffix(record.host)
  return isSuffix || challengeName(subject).length > nameMax ? null : subject
}

function plainSubject(record: HostRecord): Subject {
  if (record.kind === 'fqdn') return { kind: 'host', text: record.host }
  if (record.kind === 'wildcard') return { kind: 'domain', text: record.zone }
  return { kind: 'network', text: formatNetwork(record.network) }
}

/** The site that the subject is of, as its user wrote it. */
export function siteOf({ kind, text }: Subject): string {
  if (kind === 'domain') return `*.${text}`
  const network = kind === 'network' ? parseNetwork(text) : null
  return network !== null && isSingle(network) ? formatAddress(firstAddress(network)) : text
}

/** The subjects whose proof proves this one as well, the nearest first. */
export function* widerSubjects({ kind, text }: Subject): Generator<Subject> {
  if (kind === 'host') yield { kind: 'domain', text }
  if (kind !== 'network') for (const zone of ancestors(text)) yield { kind: 'domain', text: zone }
  const inner = kind === 'network' ? parseNetwork(text) : null
  if (inner === null) return
  const { network, length: innerLength } = networkKey(inner)
  for (let length = innerLength - 1; length >= 0; length--)
    yield { kind: 'network', text: formatNetworkKey({ network: networkOf(network, length), length }) }
}

/** The name at which the TXT record must be. */
export function challengeName({ kind, text }: Subject): string {
  if (kind === 'host') return `_floodgauge-host-challenge.${text}`
  if (kind === 'domain') return `_floodgauge-domain-challenge.${text}`
  const network = parseNetwork(text)
  return `_floodgauge-challenge.${network === null ? text : reverseName(network)}`
}

/** The text that is proposed for the record. `expiresMs`: the end of the record that is there. */
export function challengeText(
  token: string,
  { expiresMs, nowMs }: { expiresMs: number | null; nowMs: number },
): string {
  const isLongEnough = expiresMs !== null && expiresMs >= nowMs + renewDays * dayMs
  const untilMs = isLongEnough ? expiresMs : nowMs + expiryDays * dayMs
  return `token=${token} expiry=${new Date(untilMs).toISOString().slice(0, 10)}`
}

/** The end of the latest record with the token, Unix milliseconds, Infinity: it does not end; null: no text has the token, or it has ended. */
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
