// IPv6 addresses as text, in the one canonical form of RFC 5952.
import { isIPv6 } from 'node:net'
import { parseIpv4 } from './ipv4.ts'

/** The 16 octets at `at`, in network order: `2001:db8::1`. */
export function formatIpv6(view: DataView, at: number): string {
  // The longest run of zero groups is shortened, the first of equals, and only when it is two or more.
  let runStart = -1
  let runLength = 1
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && view.getUint16(at + 2 * (start + length)) === 0) length++
    if (length > runLength) {
      runStart = start
      runLength = length
    }
  }
  const groups = (from: number, to: number) => {
    const texts: string[] = []
    for (let group = from; group < to; group++) texts.push(view.getUint16(at + 2 * group).toString(16))
    return texts.join(':')
  }
  if (runStart < 0) return groups(0, 8)
  return `${groups(0, runStart)}::${groups(runStart + runLength, 8)}`
}

/** The 16 octets of an address in any of the forms of RFC 4291 section 2.2, a zone (`%eth0`) left out; null for any other text. */
export function parseIpv6(text: string): Uint8Array | null {
  const [address] = text.split('%', 1)
  if (!isIPv6(address)) return null
  const [head, tail] = address.split('::', 2).map(groupsOf)
  const groups = tail === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
  return Uint8Array.from(groups.flatMap((group) => [group >>> 8, group & 255]))
}

/** Groups of 16 bits; an IPv4 address at the end is two. */
function groupsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    const ipv4 = parseIpv4(group)
    return ipv4 === null ? [Number.parseInt(group, 16)] : [ipv4 >>> 16, ipv4 & 65_535]
  })
}
