// How far what goes unseen may raise what is normal: a value teaches at most a multiple of the anchor of its class, which rises by a small part a day. Without
// a bound an attacker who always stays just below a line would raise it to any height within hours.
import { TCP } from '../../net/protocols.ts'
import { total } from '../../vectors/compile.ts'
import { acceptingFlags, bulkPartial, connectionVector, type Vector, vectors } from '../../vectors/vectors.ts'
import { connections } from '../lines/connections.ts'
import { judgement } from '../lines/judgement.ts'
import { normal as lines } from '../lines/normal.ts'
import type { Series } from '../rates/series.ts'
import type { Teaches } from './baseline.ts'

export interface Bound {
  /** Most that is normal, times the anchor. */
  ratio: number
  /** Most that is normal where the anchor is lower. Packets a second. */
  least: number
  /** Whether it may be growth that has an event without a label: then what stays becomes normal. */
  mayBeTold: boolean
  /** Whether there may be as many as the connections beside them account for. */
  isCarried: boolean
}

const ordinary = { ratio: lines.ordinaryGrowth, mayBeTold: true, isCarried: false }
/** All traffic, and tunnels: these begin at any time, as large as the limits let them. */
const bulk: Bound = { ...ordinary, least: lines.totalLeast }

/** By class. */
const bounds: readonly Bound[] = [bulk, ...vectors.map(boundOfVector)]

function boundOfVector({ match, raise, connection, asked, ordinary: isOrdinary }: Vector): Bound {
  const { packetsPerSecond, partialPacketsPerSecond } = raise
  if (isOrdinary || asked) return { ...ordinary, least: packetsPerSecond }
  // Where exporters send no flags, all of TCP is of one class.
  const hasNoFlags = match.protocol === TCP && match.flagsSet === undefined && match.fragment === undefined
  if (hasNoFlags) return { ...ordinary, least: connectionVector.raise.packetsPerSecond }
  if (partialPacketsPerSecond === bulkPartial) return bulk
  const isCarried = connection !== undefined || match.flagsSet === acceptingFlags
  return { ratio: lines.rareGrowth, least: judgement.usualPart * packetsPerSecond, mayBeTold: false, isCarried }
}

/** What bounds a class. */
export function boundOf(trafficClass: number): Bound {
  return bounds[trafficClass]
}

interface Learnt {
  /** Packets a second. */
  rate: number
  /** Standard deviation of the rate by sampling alone. */
  noise: number
  teaches: Teaches
}

interface Circumstances {
  /** Whether the target is too new to be bounded. */
  isNew: boolean
  /** All series of the target. */
  all: ReadonlyMap<number, Series>
  /** The seconds of the value; `to` is not among them. */
  from: number
  to: number
}

/** Lets a class learn a value as far as its bound goes. */
export function learnBounded(
  { trafficClass, baseline }: Series,
  { rate, noise, teaches }: Learnt,
  { isNew, all, from, to }: Circumstances,
): void {
  const bound = boundOf(trafficClass)
  const isFree = isNew || (bound.mayBeTold && teaches === 'whole')
  let most = isFree ? rate : baseline.mostOf(bound)
  if (rate > most && bound.isCarried) most = Math.max(most, carriedPackets(all, from, to) / (to - from))
  baseline.learn(Math.min(rate, most), noise, teaches)
  baseline.follow(bound, isFree)
}

/** How many packets that open, accept or break off connections the other packets of connections account for. */
function carriedPackets(all: Circumstances['all'], from: number, to: number): number {
  let packets = 0
  for (const { trafficClass, ring } of all.values()) {
    if (trafficClass === total) continue
    const { ordinary: isOrdinary, connection } = vectors[trafficClass - 1]
    if (isOrdinary && connection !== undefined) packets += ring?.sum(from, to).packets ?? 0
  }
  return packets / connections.carriedRatio
}
