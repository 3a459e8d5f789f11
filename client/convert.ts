// Statistic items as people read them: an address from its integer, TCP flags from theirs.

/** 16843009 -> `1.1.1.1`. */
export function ipFromItem(item: number): string {
  return `${item >>> 24}.${(item >>> 16) & 255}.${(item >>> 8) & 255}.${item & 255}`
}

const flagLetters = 'CEUAPRSF'

/** 27 -> `...AP.SF`: eight positions, most significant bit first, `.` where a flag is not set. */
export function flagsFromItem(item: number): string {
  return [...flagLetters].map((letter, i) => ((item & (0x80 >> i)) === 0 ? '.' : letter)).join('')
}
