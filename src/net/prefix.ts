// IPv4 prefixes and inclusive address ranges, as unsigned 32-bit integers.
import { formatIpv4, parseIpv4 } from './ipv4.ts'

/** A network; its host bits are zero. */
export interface Prefix {
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

/** Strict `a.b.c.d/length`, host bits cleared; null when the text is none. */
export function parsePrefix(text: string): Prefix | null {
  const parts = cidr.exec(text)
  if (parts === null) return null
  const address = parseIpv4(parts[1])
  const length = Number(parts[2])
  if (address === null || length > 32) return null
  return { network: networkOf(address, length), length }
}

export function formatPrefix(prefix: Prefix): string {
  return `${formatIpv4(prefix.network)}/${prefix.length}`
}

/** The highest address of the network. */
export function lastAddress(prefix: Prefix): number {
  return prefix.network + 2 ** (32 - prefix.length) - 1
}

export function contains(prefix: Prefix, address: number): boolean {
  return networkOf(address, prefix.length) === prefix.network
}

/** The union of inclusive ranges `[first, last]`, as sorted, disjoint, non-adjacent pairs: first, last, first, last, ... */
export function mergeRanges(ranges: readonly (readonly [first: number, last: number])[]): Uint32Array {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0])
  const merged = new Uint32Array(sorted.length * 2)
  let end = 0
  for (const [first, last] of sorted) {
    if (end > 0 && first <= merged[end - 1] + 1) {
      if (last > merged[end - 1]) merged[end - 1] = last
    } else {
      merged[end++] = first
      merged[end++] = last
    }
  }
  return merged.slice(0, end)
}

/** What of the first ranges is not in the second; both, and the result, as `mergeRanges` has them. */
export function subtractRanges(ranges: Uint32Array, without: Uint32Array): Uint32Array {
  const left: number[] = []
  let at = 0
  for (let i = 0; i < ranges.length; i += 2) {
    let first = ranges[i]
    const last = ranges[i + 1]
    while (at < without.length && without[at + 1] < first) at += 2
    for (let j = at; j < without.length && without[j] <= last && first <= last; j += 2) {
      if (without[j] > first) left.push(first, without[j] - 1)
      first = without[j + 1] + 1
    }
    if (first <= last) left.push(first, last)
  }
  return Uint32Array.from(left)
}
