// The block that an address belongs to, as its text: whoever has one address of a block has, or can have, all of them.
import { formatIpv4, parseIpv4 } from './ipv4.ts'
import { formatIpv6, parseIpv6 } from './ipv6.ts'

/** Bits that the addresses of a block have in common. */
export interface BlockLengths {
  ipv4: number
  ipv6: number
}

/** Most likely one party's: who has one address of an IPv6 /64 has all of them. */
export const partyBlocks: BlockLengths = { ipv4: 32, ipv6: 64 }

/** `192.0.2.0/24` for 192.0.2.7; an IPv4 address in IPv6 (RFC 4291 section 2.5.5.2) is one of IPv4. What is no address stands for itself. */
export function addressBlock(address: string, { ipv4, ipv6 }: BlockLengths): string {
  const octets = parseIpv6(address)
  const isMapped = octets?.every((octet, n) => n > 11 || octet === (n < 10 ? 0 : 255))
  const key = octets === null ? parseIpv4(address) : isMapped ? keyOf(octets) : null
  if (key !== null) return `${formatIpv4(ipv4 === 0 ? 0 : (key & (-1 << (32 - ipv4))) >>> 0)}/${ipv4}`
  if (octets === null) return address
  const first = octets.map((octet, n) => octet & (0xff00 >> Math.min(8, Math.max(0, ipv6 - 8 * n))))
  return `${formatIpv6(new DataView(first.buffer), 0)}/${ipv6}`
}

/** Whether it is this machine's own, by which only it can be reached. */
export function isLoopback(address: string): boolean {
  return /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address)
}

function keyOf(octets: Uint8Array): number {
  return new DataView(octets.buffer).getUint32(12)
}
