// IPv6 addresses as text, in the one canonical form of RFC 5952.

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
