// Floods of connections that are complete and carry little, so that only their number shows them. They are counted over all traffic classes that parts of a
// connection fall into: an exporter of whole flows reports a connection in one record, one that samples packets in several.
import { distinctPorts, withHashed } from '../../aggregate/marks.ts'
import { type Classes, total } from '../../vectors/compile.ts'
import { connectionLabels, connectionVector } from '../../vectors/vectors.ts'
import { connections as lines } from '../lines/connections.ts'
import { judgement } from '../lines/judgement.ts'
import { addNormals, bandOf, deviationOf, type Normal, noNormal } from '../normal/baseline.ts'
import { mostFlows, rounding } from '../rates/most-flows.ts'
import { createWindow, type RateBounds, type RateRing, type Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { Candidate, JudgedBy, Lines } from './candidates.ts'
import { areShorter, spanBefore } from './connections-before.ts'
import {
  areConversations,
  isFromFew,
  isOfOpen,
  mayBeOfHours,
  type Opening,
  openingOf,
  shows,
  unopenedLabel,
} from './conversations.ts'
import { type Alarm, areTooFew, isForged, isMoreOfTheSame, judgeVector, mayBeVisitors, samplingError } from './judge.ts'
import { isTransfer } from './kinds.ts'

/** The connections of a window. */
interface Connections {
  /** Sums of all their packets. */
  window: Window
  opened: number
  /** Records, as exported, that show an opening. */
  openings: number
  closed: number
  /** Connections that carried something. */
  carried: number
  /** It is expensive to find out, needed only where they are many, and found out once all of them are counted. */
  opening: () => Opening
  /** Whether each has fewer packets than those before; as expensive. */
  areShorter: () => boolean
  /** Normal of all their classes together. */
  normal: Normal
  /** The class that has most more of their packets than is normal for it, and its own packets. */
  heaviest: { series: Series; window: Window; excess: number } | null
}

/** A rate of connections that is an attack when they are of a kind. */
interface Flood {
  seconds: number
  perSecond: number
  /** It counts once normal is learnt. */
  needsNormal?: true
  holds: (connections: Connections) => boolean
}

const { shortSeconds, longSeconds } = lines

/** The kinds of floods; of those that hold for a length of window the one with the lowest rate counts. */
const floods: readonly Flood[] = [
  { seconds: shortSeconds, perSecond: lines.newPerSecond, holds: isTiny },
  {
    seconds: longSeconds,
    perSecond: lines.slowPerSecond,
    holds: (found) => isUnused(found) && isFromFew(found.window),
  },
  { seconds: longSeconds, perSecond: lines.unusedPerSecond, holds: isUnused },
  { seconds: longSeconds, perSecond: lines.hardlyUsedPerSecond, needsNormal: true, holds: isHardlyUsed },
]
const windowSeconds = [...new Set(floods.map(({ seconds }) => seconds))]
/** Length of the longest window of connections. */
export const connectionSeconds = Math.max(...floods.map(({ seconds }) => seconds))
const leastPerSecond = Math.min(...floods.map(({ perSecond }) => perSecond))

export function connectionCandidate(target: Target, by: JudgedBy): Candidate | null {
  const { ring } = target.total
  const to = lastOpening(target, by)
  if (ring === null || to === null) return null
  let unnamed: Candidate | null = null
  for (const seconds of windowSeconds) {
    const from = Math.max(to - seconds, target.overThrough + 1)
    const allTraffic = ring.sum(from, to)
    if (areFewIn(allTraffic, ring, by)) continue
    const found = connectionsIn(target, by, allTraffic)
    if (found.heaviest === null) continue
    const alarm = judgeNumber(found, by) ?? judgePackets(target, found, by)
    if (alarm === null) continue
    const { trafficClass } = found.heaviest.series
    const label = alarm.moreOfTheSame ? null : labelOf(found, alarm.why, by.classes)
    const candidate = { address: target.address, trafficClass, label, besides: [], alarm, isNewVector: true }
    if (label !== null) return candidate
    if (alarm.moreOfTheSame) return unnamed ?? candidate
    // A longer window may have enough packets for a name.
    unnamed ??= candidate
  }
  return unnamed
}

/** Whether a target whose seconds have these bounds has fewer records than any line, even if each is a connection. */
export function areFewConnections(bounds: RateBounds, { limits: { sensitivity }, leastLine }: Lines): boolean {
  if (bounds.packets > leastLine / sensitivity) return false
  return floods.every(({ seconds, perSecond }) => {
    return mostFlows(bounds, seconds) * bounds.sampling <= (perSecond / sensitivity) * seconds
  })
}

/**
 * Whether a window of all traffic has too few packets to prove anything, or fewer records than any line. It is added up sooner than the window of each
 * class.
 */
function areFewIn(
  { from, to, packets, flows, observed }: Window,
  ring: RateRing,
  { limits: { sensitivity }, leastLine }: Lines,
): boolean {
  const seconds = to - from
  if (areTooFew(observed)) return true
  if (packets * (1 + rounding) > (leastLine / sensitivity) * seconds) return false
  const sampling = ring.mostWithin('sampling', Math.max(from, ring.first), Math.min(to, ring.last + 1))
  return floods.every((flood) => {
    return flood.seconds !== seconds || flows * (1 + rounding) * sampling <= (flood.perSecond / sensitivity) * seconds
  })
}

/** Judges connections by their number, those of a kind in `floods`. */
function judgeNumber(found: Connections, { learnt, limits }: JudgedBy): Alarm | null {
  const { window, opened, openings, normal } = found
  const seconds = window.to - window.from
  if (openings < judgement.observedMin || distinctPorts(window.ports) > lines.portsMax) return null
  const holding = floods.filter((each) => each.seconds === seconds && each.holds(found))
  const unlearntFlood = lowestOf(holding.filter(({ needsNormal }) => !needsNormal))
  const flood = learnt ? lowestOf(holding) : unlearntFlood
  if (flood === undefined) return null
  const floor = flood.perSecond / limits.sensitivity
  const value = opened / seconds
  const rate = window.packets / seconds
  const usual = normal.level * (value / rate)
  const threshold = Math.max(floor, lines.normalRatio * usual)
  if (value <= threshold) return null
  const source = threshold > floor ? 'baseline' : 'absolute'
  const band = learnt ? bandOf(normal, value / rate) : null
  const error = samplingError(window)
  const least = window.packets / window.observed / seconds
  const unlearnt =
    unlearntFlood === undefined
      ? null
      : {
          threshold: unlearntFlood.perSecond / limits.sensitivity,
          deviation: deviationOf(rate, 0, least),
          measurable: least,
        }
  const why = { metric: 'connections', value, threshold, normal: learnt ? usual : null, band, error, source, unlearnt }
  const deviation = deviationOf(rate, normal.level, least)
  const moreOfTheSame = learnt && areMoreOfTheSame(found) && !found.areShorter()
  return ofHeaviest(found, {
    window,
    rate,
    line: rate * (threshold / value),
    normal: normal.level,
    deviation,
    whole: true,
    moreOfTheSame,
    why,
  })
}

function lowestOf(kinds: readonly Flood[]): Flood | undefined {
  return kinds.toSorted((a, b) => a.perSecond - b.perSecond).at(0)
}

/** Whether connections have grown without changing their kind: all their packets together, and those of the part that has grown most. */
function areMoreOfTheSame({ window, normal, heaviest }: Connections): boolean {
  const has = (packets: Window, baseline: Normal) =>
    isMoreOfTheSame(packets, packets.packets / (packets.to - packets.from), baseline, connectionVector)
  return has(window, normal) && (heaviest === null || has(heaviest.window, heaviest.series.baseline))
}

/** Judges the packets of connections, as those of any ordinary traffic. */
function judgePackets(target: Target, found: Connections, by: JudgedBy): Alarm | null {
  const { learnt, limits } = by
  const { sensitivity } = limits
  const isConversation = () => !isEmpty(found)
  const test = { vector: connectionVector, baseline: found.normal, learnt, sensitivity, wide: false, floorFactor: 1 }
  // A flood of one kind of packets from few sources comes beside visitors, who are many.
  const sources = withHashed(found.window.sources, found.heaviest?.window.sources ?? found.window.sources)
  const alarm = judgeVector(
    { ...found.window, sources },
    { ...test, isConversation, isUnopened: () => found.opening() === 'unopened' },
  )
  if (alarm === null) return null
  const mayBeVisits =
    isTransfer(found.window, connectionVector) ||
    (found.opening() === 'unopened' && mayBeOfHours(found.window, connectionVector)) ||
    areOfViewers(target, found, by) ||
    (mayBeVisitors(connectionVector, learnt) && !(isLeftOpen(found) || isEmpty(found)))
  const moreOfTheSame = (alarm.moreOfTheSame && !found.areShorter()) || mayBeVisits
  return ofHeaviest(found, { ...alarm, moreOfTheSame })
}

/** Whether most are bare acknowledgements, as those of a stream are; a few connections that are opened at the same time are not part of it. */
function areOfViewers(target: Target, { window, heaviest }: Connections, by: JudgedBy): boolean {
  if (heaviest === null || isForged(window)) return false
  const { trafficClass } = heaviest.series
  const vector = by.classes.vectors[trafficClass]
  if (vector?.connection !== 'acknowledges' || !mayBeOfHours(heaviest.window, vector)) return false
  return !areConversations([target], trafficClass, heaviest.window, by)
}

/**
 * The alarm as one of the class that has grown most: an attack is followed by one class. Normal is that of the class itself, as ordinary connections are made
 * of other parts than those of an attack.
 */
function ofHeaviest({ window, heaviest }: Connections, alarm: Alarm): Alarm {
  const part = (heaviest?.window.packets ?? 0) / window.packets
  const normal = heaviest?.series.baseline.level ?? 0
  return { ...alarm, rate: alarm.rate * part, line: alarm.line * part, normal }
}

function isTiny({ window, opened }: Connections): boolean {
  const { packets, bytes } = window
  const isComplete = packets > lines.tinyPacketsMin * opened && packets <= lines.tinyPacketsMax * opened
  return isComplete && bytes <= lines.tinyBytesMax * packets
}

/** Whether tiny connections carry parts of a request only, as those of slow clients that give up and come again. */
function isHardlyUsed(found: Connections): boolean {
  return isTiny(found) && found.window.bytes <= lines.hardlyUsedBytesMax * found.window.packets
}

/** Whether tiny connections are left open, or carry nothing. */
function isUnused(found: Connections): boolean {
  return isTiny(found) && (isLeftOpen(found) || isEmpty(found))
}

function isLeftOpen({ opened, closed }: Connections): boolean {
  return closed < lines.leftOpenPart * opened
}

function isEmpty({ opened, carried }: Connections): boolean {
  return carried < lines.emptyPart * opened
}

function labelOf(found: Connections, { metric }: Alarm['why'], { vectors }: Classes): string | null {
  const isUnopened = found.opening() === 'unopened'
  if (isUnopened && isOfOpen(found.heaviest?.window ?? found.window)) return connectionLabels.flood
  const vector = vectors[found.heaviest?.series.trafficClass ?? total] ?? connectionVector
  if (isUnopened || isForged(found.window)) return unopenedLabel(vector)
  // When too few packets tell how they were opened, only an alarm by their number proves connections.
  if (found.opening() === 'unknown' && metric !== 'connections') return null
  if (isEmpty(found)) return connectionLabels.empty
  return isLeftOpen(found) ? connectionLabels.slow : connectionLabels.flood
}

/** End of the changed seconds of traffic that opens connections; null when there is too little of it. */
function lastOpening(target: Target, { classes, limits: { sensitivity } }: JudgedBy): number | null {
  let last: number | null = null
  for (const { trafficClass, ring, changedFrom, changedTo } of target.series.values()) {
    const part = classes.vectors[trafficClass]?.connection
    if (ring === null || changedFrom >= changedTo || part === undefined || !shows[part].opened) continue
    const to = Math.min(changedTo, ring.last + 1)
    const most = ring.most('packets', Math.max(ring.first, changedFrom), to)
    if (most > leastPerSecond / sensitivity) last = Math.max(last ?? 0, to)
  }
  return last
}

/** Counts the connections of a window. `allTraffic`: the sums of all that is in it. */
function connectionsIn(target: Target, by: JudgedBy, allTraffic: Window): Connections {
  const { classes, learnt } = by
  const { from, to } = allTraffic
  const sums = createWindow(from, to)
  const none = { opened: 0, openings: 0, closed: 0, carried: 0 }
  let known: Opening | null = null
  const opening = () => {
    known ??= openingOf([target], sums, { classes, learnt })
    return known
  }
  const areShorter = () => areShorterThanBefore(target, found, by)
  const found: Connections = { window: sums, ...none, opening, areShorter, normal: noNormal, heaviest: null }
  for (const series of target.series.values()) {
    const part = classes.vectors[series.trafficClass]?.connection
    if (part === undefined) continue
    found.normal = addNormals(found.normal, series.baseline)
    // While all traffic is of one class, both have one ring: see `Target.raiseAlone`.
    const window = series.ring === target.total.ring ? allTraffic : series.ring?.sum(from, to)
    if (window === undefined || window.packets === 0) continue
    const { opened, closed, carried } = shows[part]
    // Each sampled record stands for as many connections as each observed packet stands for packets.
    const records = window.flows * (window.packets / window.observed)
    if (opened) found.opened += records
    if (opened) found.openings += window.flows
    if (closed) found.closed += records
    if (carried) found.carried += records
    addWindow(sums, window)
    const excess = window.packets - series.baseline.level * (to - from)
    if (excess > (found.heaviest?.excess ?? 0)) found.heaviest = { series, window, excess }
  }
  return found
}

function areShorterThanBefore(target: Target, found: Connections, by: JudgedBy): boolean {
  const { from, to } = spanBefore(found.window)
  const { ring } = target.total
  const first = Math.max(from, target.overThrough + 1, ring?.first ?? 0)
  if (ring === null || first >= to) return false
  return areShorter(found, connectionsIn(target, by, ring.sum(first, to)), found.normal.level)
}

function addWindow(to: Window, { packets, bytes, flows, observed, sources, ports, forgedSeconds }: Window): void {
  to.packets += packets
  to.bytes += bytes
  to.flows += flows
  to.observed += observed
  to.sources |= sources
  to.ports |= ports
  to.forgedSeconds = Math.max(to.forgedSeconds, forgedSeconds)
}
