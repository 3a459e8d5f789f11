// IP networks as opaque values, and as keys: the key of the first address with the prefix length. Values are for the control plane, keys for
// columns, maps and the store (see address.ts).
import { type Address, type AddressKey, addressFrom, addressKey, parseAddress } from './address.ts'
import {
  contains as containsNumber,
  formatPrefix,
  lastAddress as lastNumber,
  type Prefix,
  parsePrefix,
} from './prefix.ts'
import { mergeRanges } from './ranges.ts'

declare const opaque: unique symbol

export interface Network {
  readonly [opaque]: 'network'
}

export type NetworkKey = Prefix

/** Inclusive. */
export interface KeyRange {
  first: AddressKey
  last: AddressKey
}

/** Prefix length of a network that is one address. */
export const addressLength = 32
/** Prefix length of the networks whose addresses count as neighbours: the smallest that are usually routed by themselves. */
export const neighbourLength = 24

/** Strict `a.b.c.d/length`, host bits cleared; null for any other text. */
export function parseNetwork(text: string): Network | null {
  const key = parsePrefix(text)
  return key === null ? null : networkFrom(key)
}

/** The same, or a single address. */
export function parseNetworkOrAddress(text: string): Network | null {
  if (text.includes('/')) return parseNetwork(text)
  const address = parseAddress(text)
  return address === null ? null : singleNetwork(address)
}

/** `192.0.2.0/24`; also of a single address with its length. */
export function formatNetwork(network: Network): string {
  return formatPrefix(networkKey(network))
}

/** The network of that one address. */
export function singleNetwork(address: Address): Network {
  return networkFrom({ network: addressKey(address), length: addressLength })
}

/** A network is represented by its key; this is the only place, with `networkFrom`, that knows so. */
export function networkKey(network: Network): NetworkKey {
  return network as unknown as NetworkKey
}

/** The network that a key stands for. */
export function networkFrom(key: NetworkKey): Network {
  return key as unknown as Network
}

export function prefixLength(network: Network): number {
  return networkKey(network).length
}

/** Whether the network is one address. */
export function isSingle(network: Network): boolean {
  return prefixLength(network) === addressLength
}

export function firstAddress(network: Network): Address {
  return addressFrom(networkKey(network).network)
}

export function lastAddress(network: Network): Address {
  return addressFrom(lastNumber(networkKey(network)))
}

export function contains(network: Network, address: Address): boolean {
  return containsNumber(networkKey(network), addressKey(address))
}

/** Whether all of the inner network lies in the outer one. */
export function containsNetwork(outer: Network, inner: Network): boolean {
  return prefixLength(inner) >= prefixLength(outer) && contains(outer, firstAddress(inner))
}

/** The keys of its first and last address. */
export function keyRange(network: Network): KeyRange {
  const key = networkKey(network)
  return { first: key.network, last: lastNumber(key) }
}

/** The addresses of all the networks, as merged ranges of keys (see ranges.ts). */
export function networkRanges(networks: readonly Network[]): Uint32Array {
  return mergeRanges(networks.map(keyRange).map(({ first, last }) => [first, last]))
}

/**
 * The name in the reverse DNS: `2.0.192.in-addr.arpa` of a /24, `7.2.0.192.in-addr.arpa` of an address, `16-28.2.0.192.in-addr.arpa` of a
 * network between them (the form of RFC 2317). A shorter prefix has no name of its own.
 */
export function reverseName(network: Network): string {
  const { network: first, length } = networkKey(network)
  const zone = `${(first >>> 8) & 255}.${(first >>> 16) & 255}.${first >>> 24}.in-addr.arpa`
  if (length === neighbourLength) return zone
  return length === addressLength ? `${first & 255}.${zone}` : `${first & 255}-${length}.${zone}`
}

// The same questions about keys. `networkOf` is the key of the first address in the network of a prefix length around an address.
export {
  contains as containsKey,
  formatPrefix as formatNetworkKey,
  lastAddress as lastKey,
  networkOf,
} from './prefix.ts'
