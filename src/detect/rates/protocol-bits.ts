// Sets of IP protocols in 32 bits: the common ones have a bit each, all others share the last.

const listed = [0, 1, 2, 4, 6, 17, 33, 41, 46, 47, 50, 51, 58, 88, 89, 94, 97, 103, 108, 112, 115, 132, 136, 137]

/** Bit of all protocols without a bit of their own. */
export const unlistedBit = 0x8000_0000

/** Bit of each of the 256 protocols. */
export const protocolBits: Readonly<Uint32Array> = Uint32Array.from({ length: 256 }, (_, protocol) => {
  const at = listed.indexOf(protocol)
  return at === -1 ? unlistedBit : 1 << at
})

/** The protocols of a bit set, ascending. `unlisted` are those that the shared bit stands for, as far as the caller knows them. */
export function protocolsOf(bits: number, unlisted: readonly number[]): number[] {
  const found = listed.filter((_, at) => (bits & (1 << at)) !== 0)
  if ((bits & unlistedBit) === 0) return found
  return [...found, ...unlisted.filter((protocol) => !listed.includes(protocol))].sort((a, b) => a - b)
}
