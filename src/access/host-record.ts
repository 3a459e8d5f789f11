// A host record: what a user may register as a site, its canonical form, and why a text is refused. A wildcard stands for the zone's
// own name and every name below it.
import { isIPv6 } from 'node:net'
import { parse as parseSuffix } from 'tldts'
import { formatAddress, parseAddress } from '../net/address.ts'
import { canonicalHostname, hiddenCharacters, isWithin, nameMax } from '../net/hostname.ts'
import {
  containsNetwork,
  formatNetwork,
  isSingle,
  type KeyRange,
  keyRange,
  type Network,
  neighbourLength,
  parseNetwork,
  parseNetworkOrAddress,
  prefixLength,
  singleNetwork,
} from '../net/network.ts'

/** `host` is the canonical form. `zone`: what follows `*.`. */
export type HostRecord =
  | { kind: 'ipv4'; host: string; network: Network }
  | { kind: 'cidr'; host: string; network: Network }
  | { kind: 'fqdn'; host: string }
  | { kind: 'wildcard'; host: string; zone: string }

export type ParsedHost = ({ ok: true } & HostRecord) | { ok: false; reason: string }

/** Longer texts are refused unread, in characters: an international name may need more of them than its 253 octets. */
const textMax = 1_000
/** The shortest prefix of a site added under `/open`, in bits. */
const openShortest = neighbourLength
/** The shortest prefix of any site, in bits. */
const shortest = 16

/** The reasons for which a text is refused, as users read them. */
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

/** Tests for texts that are no form of host: the first that applies gives the reason. */
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

/** Tests for names without a canonical form: the first that applies gives the reason. */
const notNames: readonly { refusal: Refusal; when: (text: string) => boolean }[] = [
  { refusal: 'emptyLabel', when: (text) => /^\.|\.\.|^$/.test(text) },
  { refusal: 'characters', when: (text) => !/^[a-z0-9._\u0080-\u{10ffff}-]+$/iu.test(text) },
  { refusal: 'hyphen', when: (text) => text.split('.').some((label) => label.startsWith('-') || label.endsWith('-')) },
  { refusal: 'labelLength', when: (text) => text.split('.').some((label) => label.length > 63) },
  { refusal: 'tooLong', when: (text) => text.length > nameMax },
  { refusal: 'characters', when: () => true },
]

/** The host record of a text as `/open` takes it: no network is shorter than a /24. */
export function parseOpenHostRecord(text: string): ParsedHost {
  const record = read(text)
  if (record === 'wideShortPrefix') return refused('shortPrefix')
  if (record === 'widePrefix') return refused('prefix')
  if (typeof record === 'string') return refused(record)
  return isWide(record) ? refused('shortPrefix') : { ok: true, ...record }
}

/** The host record of a text that may be a site: also a network from a /16 on, which few users may add (see policy.ts). */
export function parseHostRecord(text: string): ParsedHost {
  const record = read(text)
  return typeof record === 'string' ? refused(record) : { ok: true, ...record }
}

/** The same without a reason; null: the text is refused. */
export function readHostRecord(text: string): HostRecord | null {
  const record = read(text)
  return typeof record === 'string' ? null : record
}

/** The host record of a text that was checked before, as by the schema of the settings. */
export function requireHostRecord(text: string): HostRecord {
  const record = read(text)
  if (typeof record === 'string') throw new TypeError(`no host record: ${text}`)
  return record
}

/** The one spelling of a host; null: the text is refused. */
export function canonicalHost(text: string): string | null {
  return readHostRecord(text)?.host ?? null
}

/** The addresses and networks among canonical hosts, as ranges of keys. */
export function addressRanges(hosts: readonly string[]): KeyRange[] {
  return hosts.flatMap((host) => {
    const network = parseNetworkOrAddress(host)
    return network === null ? [] : [keyRange(network)]
  })
}

/** Whether the record is a network shorter than `/open` takes. */
export function isWide(record: HostRecord): boolean {
  return record.kind === 'cidr' && prefixLength(record.network) < openShortest
}

/** The number of sites that a host counts as in a quota: a network counts as many as it has /24s. */
export function quotaOf(host: string): number {
  const network = parseNetwork(host)
  return network === null ? 1 : 2 ** Math.max(0, openShortest - prefixLength(network))
}

function refused(refusal: Refusal): { ok: false; reason: string } {
  return { ok: false, reason: refusals[refusal] }
}

function read(text: string): HostRecord | Refusal {
  const wrong = notHosts.find(({ when }) => when(text))
  if (wrong !== undefined) return wrong.refusal
  if (text.includes('/')) return readRange(text)
  if (text.includes('*')) return readWildcard(text)
  if (/^[\d.]+$/.test(text)) return readAddress(text)
  return readName(text)
}

function readAddress(text: string): HostRecord | Refusal {
  const address = parseAddress(text)
  if (address !== null) return { kind: 'ipv4', host: formatAddress(address), network: singleNetwork(address) }
  if (!/^\d+(\.\d+){3}$/.test(text)) return 'addressParts'
  return /(^|\.)0\d/.test(text) ? 'leadingZero' : 'octet'
}

function readRange(text: string): HostRecord | Refusal {
  const slash = text.indexOf('/')
  const base = text.slice(0, slash)
  if (!/^[\d.]+$/.test(base)) return 'path'
  const address = readAddress(base)
  if (typeof address === 'string') return address
  const network = parseNetwork(text)
  if (network === null) return 'widePrefix'
  if (prefixLength(network) < shortest) return 'wideShortPrefix'
  return isSingle(network) ? address : { kind: 'cidr', host: formatNetwork(network), network }
}

function readWildcard(text: string): HostRecord | Refusal {
  const base = text.slice(2)
  if (!text.startsWith('*.') || base.includes('*')) return 'wildcardPlace'
  if (/^[\d.]+$/.test(base)) return 'wildcardAddress'
  const zone = canonicalHostname(base)
  if (zone !== null && isPublicSuffix(zone)) return 'publicSuffix'
  if (zone !== null && zone.length + 2 > nameMax) return 'tooLong'
  const domain = readName(base)
  return typeof domain === 'string' ? domain : { kind: 'wildcard', host: `*.${domain.host}`, zone: domain.host }
}

function readName(text: string): HostRecord | Refusal {
  const name = canonicalHostname(text)
  if (name === null) return notNames.find(({ when }) => when(text))?.refusal ?? 'characters'
  if (!name.includes('.')) return 'singleLabel'
  if (!/^[a-z]/.test(name.slice(name.lastIndexOf('.') + 1))) return 'lastLabel'
  return { kind: 'fqdn', host: name }
}

/** Whether anyone can have names below the name: registries' suffixes (`co.uk`) and companies' (`github.io`), by the Public Suffix List. */
export function isPublicSuffix(name: string): boolean {
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false }
  const { publicSuffix, isIcann, isPrivate } = parseSuffix(name, options)
  return publicSuffix === name && (isIcann === true || isPrivate === true)
}

/** The networks (CIDR, or an address) and domains in which a user's sites must lie; null: anywhere. A domain includes all names below it. */
export type Allowed = { networks: readonly string[]; domains: readonly string[] } | null

/** Says of records whether they lie in what is allowed. Entries that can't be read allow nothing. */
export function compileAllowed(allowed: Allowed): (record: HostRecord) => boolean {
  if (allowed === null) return () => true
  const [networks, domains] = [readNetworks(allowed.networks), readDomains(allowed.domains)]
  return (record) => {
    if (record.kind === 'ipv4' || record.kind === 'cidr')
      return networks.some((each) => containsNetwork(each, record.network))
    const name = record.kind === 'wildcard' ? record.zone : record.host
    return domains.some((domain) => isWithin(name, domain))
  }
}

/** The domains, in canonical form, of those texts that are one; `*.` before it is left out. */
export function readDomains(texts: readonly string[]): string[] {
  return texts.map((text) => canonicalHostname(text.replace(/^\*\./, ''))).filter((domain) => domain !== null)
}

/** The networks of those texts that are a network or an address. */
export function readNetworks(texts: readonly string[]): Network[] {
  return texts.map(parseNetworkOrAddress).filter((network) => network !== null)
}
