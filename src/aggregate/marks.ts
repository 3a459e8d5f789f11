// Marks of the sources and the ports of a second, as two sets of 32 bits: they tell a flood from conversations. Sets merge by OR, so their cost does not
// depend on the traffic.

/** Bits for hashed addresses in a set of sources; each bit above them stands for a network that no host is in. */
const hashedSources = 28
/** Bits for hashed destination ports in a set of ports; each bit above them stands for a sixteenth of the source ports, in their order. */
const hashedPorts = 16
const sourcePortRanges = 16

const hashedSourcesMask = 2 ** hashedSources - 1
const hashedPortsMask = 2 ** hashedPorts - 1

/** Mark of an address that no packet can come from, by its first octet (RFC 1122 section 3.2.1.3; RFC 5771; RFC 1112 section 4). */
const impossible = Uint32Array.from({ length: 256 }, (_, octet) => {
  if (octet === 0) return 1 << 28
  if (octet === 127) return 1 << 29
  if (octet >= 240) return 1 << 31
  return octet >= 224 ? 1 << 30 : 0
})

export function sourceMark(address: number): number {
  return ((1 << placeOf(address, hashedSources)) | impossible[address >>> 24]) >>> 0
}

export function portMark(srcPort: number, dstPort: number): number {
  return ((1 << placeOf(dstPort, hashedPorts)) | (1 << (hashedPorts + ((srcPort & 0xffff) >>> 12)))) >>> 0
}

/** Estimates the number of addresses in a set; infinite from about 90 on. */
export function distinctSources(set: number): number {
  return distinct(set & hashedSourcesMask, hashedSources)
}

/** Estimates the number of destination ports in a set; infinite from about 45 on. */
export function distinctPorts(set: number): number {
  return distinct(set & hashedPortsMask, hashedPorts)
}

/** Share of the source ports in use, 0 to 1. Operating systems use half of them at most; only address translators use more. */
export function sourcePortSpread(set: number): number {
  return bitsIn(set >>> hashedPorts) / sourcePortRanges
}

/** The set without the sources that no packet can come from. */
export function possibleSources(set: number): number {
  return set & hashedSourcesMask
}

/** Whether a set has a source that no packet can come from: an eighth of random addresses are such. */
export function hasImpossibleSource(set: number): boolean {
  return set >>> hashedSources !== 0
}

/** How many kinds of sources that no packet can come from a set has, of four. */
export function impossibleKinds(set: number): number {
  return bitsIn(set >>> hashedSources)
}

/** A set with the hashed sources of another, and its own impossible ones. */
export function withHashed(set: number, other: number): number {
  return ((set & ~hashedSourcesMask) | (other & hashedSourcesMask)) >>> 0
}

function placeOf(value: number, places: number): number {
  return ((Math.imul(value, 0x9e3779b1) >>> 16) * places) >>> 16
}

/** Linear counting (Whang et al. 1990). */
function distinct(bits: number, places: number): number {
  const unset = places - bitsIn(bits)
  return unset === 0 ? Number.POSITIVE_INFINITY : places * Math.log(places / unset)
}

function bitsIn(bits: number): number {
  let count = 0
  for (let rest = bits >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++
  return count
}
