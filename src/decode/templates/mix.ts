// One step of a hash over numbers, for tables whose keys attackers choose: with a random seed nobody can aim at a place.

/** As in MurmurHash3 (public domain). */
export function mix(hash: number, value: number): number {
  value = Math.imul(value, 0xcc9e2d51)
  value = Math.imul((value << 15) | (value >>> 17), 0x1b873593)
  hash ^= value
  hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64
  hash ^= hash >>> 16
  return Math.imul(hash, 0x85ebca6b)
}
