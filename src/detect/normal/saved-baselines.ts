// The normal of the targets of a /24 in stored form: one blob, little-endian. It is checked when it is read, since a disk may have changed it.
//
//   version 4 | then for each target
//   number 2: the last octet of the address; 256 is added for the /24, 512 for a /25, ... | since 4 | heard 4 | learns since 4 | hour 4 | hour's sum 4 | hour's count 1 |
//   1: had learnt before a gap, plus 2: with a season, then its 168 octets | classes 1 | then for each class its key 4 (see class-keys.ts) and its numbers, 4 each
//
// Version 3 is the same without the last of the numbers, the anchor; version 2 likewise, from when answers of web servers (`answer` in class-keys.ts) had no
// classes of their own.
import { addressLength, networkOf } from '../../net/network.ts'
import { TCP } from '../../net/protocols.ts'
import { ACK, FIN, PSH } from '../../net/tcp-flags.ts'
import { type ClassKeys, matchOf } from '../../vectors/class-keys.ts'
import type { Match } from '../../vectors/vectors.ts'
import { longestLength, wholeLength } from '../rates/network-sums.ts'
import { anchorAtRecent, heaviestOf, savedNumbers, savedNumbersWithoutAnchor } from './baseline.ts'
import { type SavedSeason, weekHours } from './season.ts'

export interface SavedBaselines {
  /** The first address of a /24. */
  network: number
  /** Last traffic, Unix milliseconds. */
  heardMs: number
  savedMs: number
  octets: Uint8Array
}

/** The saved state of a target (target.ts); times are Unix time, seconds. */
export interface SavedTarget {
  address: number
  /** Prefix length, bits. */
  length: number
  sinceSecond: number
  heardSecond: number
  learnsSince: number
  /** Whether normal was learnt before a gap, after which it is learnt again. */
  hadLearnt: boolean
  season: SavedSeason
  classes: { trafficClass: number; numbers: Float32Array }[]
}

const version = 4
const versionWithoutAnchors = 3
const versionWithoutAnswers = 2
const hadLearntBit = 1
const seasonBit = 2
const fixedOctets = 2 + 4 * 5 + 1 + 1 + 1
const octetsOfClass = (numbers: number) => 4 + 4 * numbers
const classOctets = octetsOfClass(savedNumbers)

export function encodeTargets(targets: readonly SavedTarget[], keys: ClassKeys): Uint8Array {
  const sizeOf = ({ season, classes }: SavedTarget) =>
    fixedOctets + (season.codes?.length ?? 0) + classes.length * classOctets
  const octets = new Uint8Array(targets.reduce((sum, target) => sum + sizeOf(target), 1))
  const view = new DataView(octets.buffer)
  octets[0] = version
  let at = 1
  for (const target of targets) {
    const { address, length, sinceSecond, heardSecond, learnsSince, hadLearnt, season, classes } = target
    view.setUint16(at, (address % 256) + 256 * kindOf(length), true)
    view.setUint32(at + 2, sinceSecond, true)
    view.setUint32(at + 6, heardSecond, true)
    view.setUint32(at + 10, learnsSince, true)
    view.setUint32(at + 14, season.hour, true)
    view.setFloat32(at + 18, season.sum, true)
    view.setUint8(at + 22, season.count)
    view.setUint8(at + 23, (hadLearnt ? hadLearntBit : 0) + (season.codes === null ? 0 : seasonBit))
    at += 24
    if (season.codes !== null) octets.set(season.codes, at)
    at += season.codes?.length ?? 0
    view.setUint8(at++, classes.length)
    for (const { trafficClass, numbers } of classes) {
      view.setUint32(at, keys.keyOf(trafficClass), true)
      for (let i = 0; i < savedNumbers; i++) view.setFloat32(at + 4 + 4 * i, numbers[i], true)
      at += classOctets
    }
  }
  return octets
}

/** Reads a blob; null when it is damaged, or of another version. Classes that the table of vectors lacks are left out. */
export function decodeTargets({ network, octets }: SavedBaselines, keys: ClassKeys): SavedTarget[] | null {
  try {
    return targetsOf(network, octets, keys)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Throws RangeError on impossible values. */
function targetsOf(network: number, octets: Uint8Array, keys: ClassKeys): SavedTarget[] {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  const targets: SavedTarget[] = []
  const from = view.getUint8(0)
  if (from < versionWithoutAnswers || from > version) throw new RangeError('of another version')
  const width = from > versionWithoutAnchors ? savedNumbers : savedNumbersWithoutAnchor
  for (let at = 1; at < octets.length; ) {
    const { octet, length } = placeAt(view, at)
    const bits = view.getUint8(at + 23)
    const hasSeason = (bits & seasonBit) !== 0
    const season: SavedSeason = {
      hour: view.getUint32(at + 14, true),
      sum: amountAt(view, at + 18),
      count: view.getUint8(at + 22),
      codes: hasSeason ? octets.slice(at + 24, at + 24 + weekHours) : null,
    }
    const target: SavedTarget = {
      address: network + octet,
      length,
      sinceSecond: view.getUint32(at + 2, true),
      heardSecond: view.getUint32(at + 6, true),
      learnsSince: view.getUint32(at + 10, true),
      hadLearnt: (bits & hadLearntBit) !== 0,
      season,
      classes: [],
    }
    at += 24 + (hasSeason ? weekHours : 0)
    const classes = view.getUint8(at++)
    for (let i = 0; i < classes; i++, at += octetsOfClass(width)) {
      const trafficClass = keys.classOf(view.getUint32(at, true))
      const numbers = new Float32Array(savedNumbers)
      for (let place = 0; place < width; place++) numbers[place] = amountAt(view, at + 4 + 4 * place)
      if (width < savedNumbers) anchorAtRecent(numbers)
      if (trafficClass !== null) target.classes.push({ trafficClass, numbers })
    }
    if (from === versionWithoutAnswers) addAnswers(target, keys)
    targets.push(target)
  }
  return targets
}

/**
 * Gives the classes of answers what was learnt of the packets that they were among before: as classes without history they would make an attack of what a
 * host fetches every day.
 */
function addAnswers({ classes }: SavedTarget, keys: ClassKeys): void {
  const matches = Array.from(keys.list, matchOf)
  const among = classes.filter(({ trafficClass }) => mayHoldAnswers(matches[trafficClass]))
  if (among.length === 0 || classes.some(({ trafficClass }) => areAnswers(matches[trafficClass]))) return
  const numbers = heaviestOf(among.map((each) => each.numbers))
  matches.forEach((match, trafficClass) => {
    if (areAnswers(match)) classes.push({ trafficClass, numbers })
  })
}

function areAnswers(match: Match | null): boolean {
  return match?.protocol === TCP && match.srcPort !== undefined
}

/** Whether a class that is known by its flags has packets with those of an answer, or of the last one of a connection. */
function mayHoldAnswers(match: Match | null): boolean {
  const { flagsSet, flagsClear = 0, srcPort } = match ?? {}
  if (flagsSet === undefined || srcPort !== undefined) return false
  return [ACK | PSH, ACK | PSH | FIN].some((flags) => (flags & flagsSet) === flagsSet && (flags & flagsClear) === 0)
}

/** Kind of a target: 0 an address, 1 a /24, 2 a /25, ... */
function kindOf(length: number): number {
  return length === addressLength ? 0 : length - wholeLength + 1
}

function placeAt(view: DataView, at: number): { octet: number; length: number } {
  const number = view.getUint16(at, true)
  const octet = number % 256
  const length = number < 256 ? addressLength : wholeLength - 1 + Math.floor(number / 256)
  const isNetwork = length <= longestLength && networkOf(octet, length) === octet
  if (length !== addressLength && !isNetwork) throw new RangeError('no address and no network')
  return { octet, length }
}

function amountAt(view: DataView, at: number): number {
  const amount = view.getFloat32(at, true)
  if (!Number.isFinite(amount) || amount < 0) throw new RangeError('no amount')
  return amount
}
