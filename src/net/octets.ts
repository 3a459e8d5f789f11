// Addresses of both versions as octets in network order, between their text and a packet or a socket's name.
import { formatIpv4, parseIpv4 } from './ipv4.ts'
import { formatIpv6, parseIpv6 } from './ipv6.ts'

export type IpVersion = 4 | 6

/** The 4 octets of an IPv4 address, or the 16 of an IPv6 address; null for any other text. */
export function parseOctets(text: string): Uint8Array | null {
  const value = parseIpv4(text)
  if (value === null) return parseIpv6(text)
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
}

/** The text of the address whose octets begin at `at`. */
export function formatOctets(view: DataView, at: number, version: IpVersion): string {
  return version === 4 ? formatIpv4(view.getUint32(at)) : formatIpv6(view, at)
}
