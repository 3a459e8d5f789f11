// Compiles the table of vectors to look-up tables: the class of a flow costs two or three array reads, however many rows there are. A class is the number
// of a row, from 1; class 0 is all traffic of a target together.
import { TCP, UDP } from '../net/protocols.ts'
import { answerFlags, type Match, type Vector } from './vectors.ts'

/** The class of all traffic of a target. */
export const total = 0

/** Stands for the flags of a record that has none. */
export const flagsUnknown = 256

/** Stands for the source port of a record that has no ports. */
export const portsUnknown = 65_536

const answerMask = answerFlags.flagsSet | answerFlags.flagsClear

/** Classes that fit the counters' keys. */
export const classesMax = 1024

export interface Classes {
  /** The vector of each class; place 0 is unused. */
  readonly vectors: readonly (Vector | undefined)[]
  /** A bit for each source port that a row names: these 8 KiB stay in the processor's nearest cache, which the tables by port do not. */
  readonly namedPorts: Uint32Array
  /** Class of fragments, by IP protocol; 0: fragments have no class of their own. */
  readonly ofFragment: Uint16Array
  /** Class of a UDP packet, by source port; by the port of both ends when it is the same. */
  readonly ofSourcePort: Uint16Array
  readonly ofPeers: Uint16Array
  /** Class of what TCP services answer, by source port; 0: that of the flags. Only packets with `answerFlags` are such. */
  readonly ofAnswers: Uint16Array
  /** Class of a TCP packet, by flags; place `flagsUnknown`: of one whose flags the exporter did not send. */
  readonly ofFlags: Uint16Array
  /** Class of what is left, by IP protocol. */
  readonly ofProtocol: Uint16Array
}

/** Compiles the table. Of two rows that look at the same fields the earlier one takes what matches both; which fields come first is for `classOf`. */
export function compileVectors(table: readonly Vector[]): Classes {
  if (table.length >= classesMax) throw new RangeError(`more than ${classesMax - 1} vectors`)
  const classes = {
    vectors: [undefined, ...table],
    namedPorts: new Uint32Array(portsUnknown / 32 + 1),
    ofFragment: new Uint16Array(256),
    ofSourcePort: new Uint16Array(65_536),
    ofPeers: new Uint16Array(65_536),
    ofAnswers: new Uint16Array(65_536),
    ofFlags: new Uint16Array(257),
    ofProtocol: new Uint16Array(256),
  }
  table.forEach(({ match }, row) => {
    if (match.srcPort !== undefined) classes.namedPorts[match.srcPort >>> 5] |= 1 << (match.srcPort & 31)
    for (const { table, places } of entriesOf(match)) {
      const into = classes[table]
      for (const place of places) if (into[place] === 0) into[place] = row + 1
    }
  })
  fillGaps(classes.ofSourcePort, classes.ofProtocol[UDP])
  fillGaps(classes.ofPeers, classes.ofProtocol[UDP])
  fillGaps(classes.ofFlags, classes.ofProtocol[TCP])
  return classes
}

function fillGaps(places: Uint16Array, rest: number): void {
  for (let at = 0; at < places.length; at++) if (places[at] === 0) places[at] = rest
}

interface Entries {
  table: 'ofFragment' | 'ofSourcePort' | 'ofPeers' | 'ofAnswers' | 'ofFlags' | 'ofProtocol'
  places: number[]
}

function entriesOf(match: Match): Entries[] {
  const { protocol, fragment, srcPort, notPeers, flagsSet, flagsClear } = match
  if (fragment) return [{ table: 'ofFragment', places: [protocol] }]
  if (srcPort !== undefined && protocol === TCP) return [{ table: 'ofAnswers', places: [srcPort] }]
  if (srcPort !== undefined) {
    const answers: Entries = { table: 'ofSourcePort', places: [srcPort] }
    return notPeers ? [answers] : [answers, { table: 'ofPeers', places: [srcPort] }]
  }
  if (flagsSet === undefined || flagsClear === undefined) return [{ table: 'ofProtocol', places: [protocol] }]
  const places = Array.from({ length: 256 }, (_, flags) => flags)
  return [
    {
      table: 'ofFlags',
      places: places.filter((flags) => (flags & flagsSet) === flagsSet && (flags & flagsClear) === 0),
    },
  ]
}

/** The classes that packets which match are in, unless they are fragments; several where the table tells these packets apart. */
export function classesOfMatch(classes: Classes, match: Match): number[] {
  const found = entriesOf(match).flatMap(({ table, places }) => places.map((place) => classes[table][place]))
  return [...new Set(found)]
}

/**
 * The class of a flow. `flags` below 256 (or `flagsUnknown`), `protocol` below 256, ports below 65536 (or `srcPort` `portsUnknown`). Fragments come first: where
 * an exporter does not tell which packets are such, they are those whose ports it sends as 0. Then come ports, flags, and the protocol.
 */
export function classOf(
  classes: Classes,
  protocol: number,
  srcPort: number,
  dstPort: number,
  flags: number,
  fragment: number,
): number {
  if (fragment !== 0 || (srcPort === 0 && dstPort === 0)) {
    const found = classes.ofFragment[protocol]
    if (found !== 0 && (fragment !== 0 || protocol === TCP || protocol === UDP)) return found
  }
  const isNamed = ((classes.namedPorts[srcPort >>> 5] >>> (srcPort & 31)) & 1) !== 0
  if (protocol === UDP && isNamed) return srcPort === dstPort ? classes.ofPeers[srcPort] : classes.ofSourcePort[srcPort]
  if (protocol !== TCP) return classes.ofProtocol[protocol]
  const answer = isNamed && (flags & answerMask) === answerFlags.flagsSet ? classes.ofAnswers[srcPort] : 0
  return answer === 0 ? classes.ofFlags[flags] : answer
}
