// What tells a flood from conversations, in two sets of 32 bits for each second: who sent, from and to which ports. Sets merge by OR, so they cost
// the same whatever comes.

/** Of a set of sources: places of hashed addresses; above them one for each network that no host is in. */
const hashedSources = 28
/** Of a set of ports: places of hashed destination ports; above them one for each sixteenth of the source ports, in their order. */
const hashedPorts = 16
const sourcePortRanges = 16

const hashedSourcesMask = 2 ** hashedSources - 1
const hashedPortsMask = 2 ** hashedPorts - 1

/** By first octet: the mark of an address that no packet can come from (RFC 1122 section 3.2.1.3; RFC 5771; RFC 1112 section 4). */
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

/** How many different addresses a set stands for; infinite when there are too many to tell, which is from some 90 on. */
export function distinctSources(set: number): number {
  return distinct(set & hashedSourcesMask, hashedSources)
}

/** How many different destination ports; infinite from some 45 on. */
export function distinctPorts(set: number): number {
  return distinct(set & hashedPortsMask, hashedPorts)
}

/** Which part of all source ports is in use, 0 to 1. The systems of hosts take theirs from a part: a half of them at most, but for translators. */
export function sourcePortSpread(set: number): number {
  return bitsIn(set >>> hashedPorts) / sourcePortRanges
}

/** Whether there was a source that no packet can come from: an eighth of random addresses are such. */
export function hasImpossibleSource(set: number): boolean {
  return set >>> hashedSources !== 0
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
