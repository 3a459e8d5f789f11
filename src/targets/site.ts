// A host record: what a user may register as a site, its canonical form, and why a text is refused. A wildcard stands for the zone's
// own name and every name below it.
import { isIPv6 } from 'node:net'
import { parse as parseSuffix } from 'tldts'
import { canonicalHostname, hiddenCharacters, isWithin, nameMax } from '../net/hostname.ts'
import { formatIpv4, parseIpv4 } from '../net/ipv4.ts'
import { contains, formatPrefix, lastAddress, type Prefix, parsePrefix } from '../net/prefix.ts'

interface AddressRange {
  first: number
  last: number
}

/** `host` is the canonical form. `zone`: what follows `*.`. */
export type HostRecord =
  | ({ kind: 'ipv4'; host: string } & AddressRange)
  | ({ kind: 'cidr'; host: string } & AddressRange)
  | { kind: 'fqdn'; host: string }
  | { kind: 'wildcard'; host: string; zone: string }

/** What an address or a network is as a prefix. */
export function prefixOf({ first, last }: AddressRange): Prefix {
  return { network: first, length: 32 - Math.log2(last - first + 1) }
}

export type ParsedHost = ({ ok: true } & HostRecord) | { ok: false; reason: string }

/** Characters of the longest text that is looked at: an international name may need more of them than its 253 octets. */
const textMax = 1_000
/** Shortest prefix under `/open`, and of a site whoever added it. */
const openShortest = 24
const shortest = 16

/** Every reason for which a text is refused. */
export const refusals = {
  empty: 'The host is empty',
  tooLong: 'The host is too long: a name has at most 253 octets',
  space: 'The host must not contain spaces or line breaks',
  hidden: 'The host must not contain control or invisible characters',
  url: 'Give the host alone, without scheme, port and path',
  ipv6: 'IPv6 is not supported: only IPv4 addresses and ranges can be monitored',
  email: 'The host is an e-mail address: give its domain alone',
  port: 'Give the host alone, without a port',
  path: 'The host must not contain a slash, other than before the prefix length of an IPv4 range',
  shortPrefix: 'The CIDR prefix must be >=24',
  prefix: 'The CIDR prefix must be a whole number from 24 to 32',
  wideShortPrefix: 'The CIDR prefix must be >=16',
  widePrefix: 'The CIDR prefix must be a whole number from 16 to 32',
  addressParts: 'An IPv4 address has four decimal numbers, like 192.0.2.1',
  leadingZero: 'The numbers of an IPv4 address must not have leading zeros',
  octet: 'The numbers of an IPv4 address must be from 0 to 255',
  wildcardPlace: 'A wildcard is only possible as the whole leftmost label, like *.example.com',
  wildcardAddress: 'A wildcard needs a domain, not an address: give a range like 192.0.2.0/24',
  publicSuffix: 'A wildcard must not be directly on a public suffix, under which anyone can have names',
  singleLabel: 'A domain name must be full: it has at least two labels, like example.com',
  emptyLabel: 'The domain name has an empty label: two dots in a row, or a dot at its beginning',
  labelLength: 'A label of a domain name has at most 63 octets',
  hyphen: 'A label of a domain name must not begin or end with a hyphen',
  lastLabel: 'The last label of a domain name must begin with a letter',
  characters: 'A domain name consists of letters, digits, hyphens and underscores, separated by dots',
} as const

export type Refusal = keyof typeof refusals

/** What no form of host can be: the first that applies gives the reason. */
const notHosts: readonly { refusal: Refusal; when: (text: string) => boolean }[] = [
  { refusal: 'empty', when: (text) => text === '' },
  { refusal: 'tooLong', when: (text) => text.length > textMax },
  { refusal: 'space', when: (text) => /[\s\p{Z}]/u.test(text) },
  { refusal: 'hidden', when: (text) => hiddenCharacters.test(text) },
  { refusal: 'url', when: (text) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) },
  { refusal: 'ipv6', when: (text) => isIPv6(text.replace(/^\[/, '').replace(/[\]/].*$/, '')) },
  { refusal: 'email', when: (text) => text.includes('@') },
  { refusal: 'port', when: (text) => /^[^/]+:\d+$/.test(text) },
]

/** What is wrong with a domain name that has no canonical form: the first that applies gives the reason. */
const notNames: readonly { refusal: Refusal; when: (text: string) => boolean }[] = [
  { refusal: 'emptyLabel', when: (text) => /^\.|\.\.|^$/.test(text) },
  { refusal: 'characters', when: (text) => !/^[a-z0-9._\u0080-\u{10ffff}-]+$/iu.test(text) },
  { refusal: 'hyphen', when: (text) => text.split('.').some((label) => label.startsWith('-') || label.endsWith('-')) },
  { refusal: 'labelLength', when: (text) => text.split('.').some((label) => label.length > 63) },
  { refusal: 'tooLong', when: (text) => text.length > nameMax },
  { refusal: 'characters', when: () => true },
]

/** As `/open` takes it: no network is shorter than a /24. */
export function parseHostRecord(text: string): ParsedHost {
  const record = parseAnyHostRecord(text)
  if (record.ok && isWide(record)) return refuse('shortPrefix')
  if (record.ok) return record
  if (record.reason === refusals.wideShortPrefix) return refuse('shortPrefix')
  return record.reason === refusals.widePrefix ? refuse('prefix') : record
}

/** As a site may be: also a network from a /16 on, which few may add (see policy.ts). */
export function parseAnyHostRecord(text: string): ParsedHost {
  const wrong = notHosts.find(({ when }) => when(text))
  if (wrong !== undefined) return refuse(wrong.refusal)
  if (text.includes('/')) return parseRange(text)
  if (text.includes('*')) return parseWildcard(text)
  if (/^[\d.]+$/.test(text)) return parseAddress(text)
  return parseName(text)
}

/** Whether it is a network shorter than `/open` takes. */
export function isWide(record: HostRecord): boolean {
  return record.kind === 'cidr' && prefixOf(record).length < openShortest
}

/** How many sites of a quota a host takes: a network as many as it has /24s. */
export function quotaOf(host: string): number {
  const prefix = parsePrefix(host)
  return prefix === null || prefix.length >= openShortest ? 1 : 2 ** (openShortest - prefix.length)
}

function refuse(refusal: Refusal): { ok: false; reason: string } {
  return { ok: false, reason: refusals[refusal] }
}

function parseAddress(text: string): ParsedHost {
  const address = parseIpv4(text)
  if (address !== null) return { ok: true, kind: 'ipv4', host: formatIpv4(address), first: address, last: address }
  if (!/^\d+(\.\d+){3}$/.test(text)) return refuse('addressParts')
  return refuse(/(^|\.)0\d/.test(text) ? 'leadingZero' : 'octet')
}

function parseRange(text: string): ParsedHost {
  const slash = text.indexOf('/')
  const base = text.slice(0, slash)
  if (!/^[\d.]+$/.test(base)) return refuse('path')
  const address = parseAddress(base)
  if (!address.ok) return address
  const prefix = parsePrefix(text)
  if (prefix === null) return refuse('widePrefix')
  if (prefix.length < shortest) return refuse('wideShortPrefix')
  if (prefix.length === 32) return address
  return { ok: true, kind: 'cidr', host: formatPrefix(prefix), first: prefix.network, last: lastAddress(prefix) }
}

function parseWildcard(text: string): ParsedHost {
  const base = text.slice(2)
  if (!text.startsWith('*.') || base.includes('*')) return refuse('wildcardPlace')
  if (/^[\d.]+$/.test(base)) return refuse('wildcardAddress')
  const zone = canonicalHostname(base)
  if (zone !== null && isPublicSuffix(zone)) return refuse('publicSuffix')
  if (zone !== null && zone.length + 2 > nameMax) return refuse('tooLong')
  const domain = parseName(base)
  return domain.ok ? { ok: true, kind: 'wildcard', host: `*.${domain.host}`, zone: domain.host } : domain
}

function parseName(text: string): ParsedHost {
  const name = canonicalHostname(text)
  if (name === null) return refuse(notNames.find(({ when }) => when(text))?.refusal ?? 'characters')
  if (!name.includes('.')) return refuse('singleLabel')
  if (!/^[a-z]/.test(name.slice(name.lastIndexOf('.') + 1))) return refuse('lastLabel')
  return { ok: true, kind: 'fqdn', host: name }
}

/** Registries' suffixes (`co.uk`) and those of companies that give names to anyone (`github.io`), by the Public Suffix List. */
export function isPublicSuffix(name: string): boolean {
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false }
  const { publicSuffix, isIcann, isPrivate } = parseSuffix(name, options)
  return publicSuffix === name && (isIcann === true || isPrivate === true)
}

/** Networks (CIDR, or an address) and domains in which a user's sites must lie; null: anywhere. A domain stands for itself and all below it. */
export type Allowed = { networks: readonly string[]; domains: readonly string[] } | null

/** Entries that can't be read allow nothing. */
export function allowedBy(allowed: Allowed, record: HostRecord): boolean {
  if (allowed === null) return true
  if (record.kind === 'ipv4' || record.kind === 'cidr') {
    return readNetworks(allowed.networks).some((each) => contains(each, record.first) && contains(each, record.last))
  }
  const name = record.kind === 'wildcard' ? record.zone : record.host
  return readDomains(allowed.domains).some((domain) => isWithin(name, domain))
}

export function readDomains(texts: readonly string[]): string[] {
  return texts.map((text) => canonicalHostname(text.replace(/^\*\./, ''))).filter((domain) => domain !== null)
}

export function readNetworks(texts: readonly string[]): Prefix[] {
  return texts.map((text) => parsePrefix(text.includes('/') ? text : `${text}/32`)).filter((prefix) => prefix !== null)
}
