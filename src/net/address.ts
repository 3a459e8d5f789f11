// IP addresses as opaque values: outside this folder nobody knows how many bits an address has. All of them are IPv4 today.
//
// An address has two other forms. Its text is for people and protocols. Its key is a number, which columns, maps and the store hold and the
// data plane computes with; an IPv4 address is its own key.
import { formatIpv4, parseIpv4 } from './ipv4.ts'

declare const opaque: unique symbol

export interface Address {
  readonly [opaque]: 'address'
}

/** An unsigned 32-bit integer that stands for one address. Keys are ordered as the addresses are. */
export type AddressKey = number

/** One more than the greatest key. */
export const keyEnd = 2 ** 32

/** Strict: a dotted quad without leading zeros and short forms; null for any other text. */
export function parseAddress(text: string): Address | null {
  const value = parseIpv4(text)
  return value === null ? null : addressFrom(value)
}

/** `192.0.2.7`. */
export function formatAddress(address: Address): string {
  return formatIpv4(addressKey(address))
}

/** Negative when the first address comes before the second, 0 when they are the same. */
export function compareAddresses(a: Address, b: Address): number {
  return addressKey(a) - addressKey(b)
}

/** An address is represented by its key; this is the only place, with `addressFrom`, that knows so. */
export function addressKey(address: Address): AddressKey {
  return address as unknown as AddressKey
}

/** The address that a key stands for. */
export function addressFrom(key: AddressKey): Address {
  return key as unknown as Address
}

/** The key of an address given as text; null for any other text. */
export function parseKey(text: string): AddressKey | null {
  return parseIpv4(text)
}

/** The text of the address that a key stands for. */
export function formatKey(key: AddressKey): string {
  return formatIpv4(key)
}
