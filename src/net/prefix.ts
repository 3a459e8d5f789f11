// IPv4 prefixes as unsigned 32-bit integers.
import { formatIpv4, parseIpv4 } from './ipv4.ts'

export interface Prefix {
  /** The first address; its host bits are zero. */
  network: number
  /** 0 to 32 bits. */
  length: number
}

const cidr = /^([\d.]+)\/(0|[1-9]\d?)$/

/** The lowest address of the network of `length` bits that holds the address. */
export function networkOf(address: number, length: number): number {
  // A shift by 32 is a shift by 0 in JavaScript, hence the case for /0.
  return length === 0 ? 0 : (address & (-1 << (32 - length))) >>> 0
}

/** Strict `a.b.c.d/length`, host bits cleared; null for any other text. */
export function parsePrefix(text: string): Prefix | null {
  const parts = cidr.exec(text)
  if (parts === null) return null
  const address = parseIpv4(parts[1])
  const length = Number(parts[2])
  if (address === null || length > 32) return null
  return { network: networkOf(address, length), length }
}

/** `192.0.2.0/24`. */
export function formatPrefix(prefix: Prefix): string {
  return `${formatIpv4(prefix.network)}/${prefix.length}`
}

/** The highest address of the network. */
export function lastAddress(prefix: Prefix): number {
  return prefix.network + 2 ** (32 - prefix.length) - 1
}

/** Whether the address lies in the network. */
export function contains(prefix: Prefix, address: number): boolean {
  return networkOf(address, prefix.length) === prefix.network
}
