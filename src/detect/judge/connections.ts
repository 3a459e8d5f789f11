// Floods of connections that are complete and carry little, so that only their number shows them. They are counted over all traffic classes that parts of a
// connection fall into: an exporter of whole flows reports a connection in one record, one that samples packets in several.
import { distinctPorts, distinctSources } from '../../aggregate/marks.ts'
import type { Classes } from '../../vectors/compile.ts'
import { type ConnectionPart, connectionLabels, connectionVector } from '../../vectors/vectors.ts'
import { connections as lines } from '../lines/connections.ts'
import { judgement } from '../lines/judgement.ts'
import { addNormals, bandOf, deviationOf, type Normal, noNormal } from '../normal/baseline.ts'
import { createWindow, type RateBounds, type Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { Candidate, JudgedBy } from './candidates.ts'
import { type Alarm, isForged, isMoreOfTheSame, judgeVector, mayBeVisitors, samplingError } from './judge.ts'

/** What a record or a packet of each part shows: a connection was opened, was closed, carried something. */
const shows: Readonly<Record<ConnectionPart, { opened: boolean; closed: boolean; carried: boolean }>> = {
  opens: { opened: true, closed: false, carried: false },
  empty: { opened: true, closed: true, carried: false },
  idle: { opened: true, closed: false, carried: true },
  whole: { opened: true, closed: true, carried: true },
  acknowledges: { opened: false, closed: false, carried: false },
  carries: { opened: false, closed: false, carried: true },
  closes: { opened: false, closed: true, carried: false },
}

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

/** The kinds of floods; the first that holds for a length of window counts. */
const floods: readonly Flood[] = [
  { seconds: shortSeconds, perSecond: lines.newPerSecond, holds: isTiny },
  { seconds: longSeconds, perSecond: lines.slowPerSecond, holds: (found) => isUnused(found) && isFromFew(found) },
  { seconds: longSeconds, perSecond: lines.unusedPerSecond, holds: isUnused },
  { seconds: longSeconds, perSecond: lines.hardlyUsedPerSecond, needsNormal: true, holds: isHardlyUsed },
]
const windowSeconds = [...new Set(floods.map(({ seconds }) => seconds))]
/** Length of the longest window of connections. */
export const connectionSeconds = Math.max(...floods.map(({ seconds }) => seconds))
const leastPerSecond = Math.min(...floods.map(({ perSecond }) => perSecond))

export function connectionCandidate(target: Target, by: JudgedBy): Candidate | null {
  if (areFew(target, by)) return null
  const to = lastOpening(target, by.classes)
  if (to === null) return null
  for (const seconds of windowSeconds) {
    const from = Math.max(to - seconds, target.overThrough + 1)
    const found = connectionsIn(target, by.classes, from, to)
    if (found.heaviest === null) continue
    const alarm = judgeNumber(found, by) ?? judgePackets(found, by)
    if (alarm === null) continue
    const { trafficClass } = found.heaviest.series
    const label = alarm.moreOfTheSame ? null : labelOf(found)
    return { address: target.address, trafficClass, label, besides: [], alarm, isNewVector: true }
  }
  return null
}

/** Whether there are fewer records than any line, even if each is a connection. Most addresses have, and it is cheap to find out. */
function areFew({ total: { ring, changedFrom, changedTo } }: Target, by: JudgedBy): boolean {
  if (ring === null) return true
  const to = Math.min(changedTo, ring.last + 1)
  return areFewConnections(ring.boundsWithin(Math.max(ring.first, changedFrom - connectionSeconds), to), by)
}

/** The same of a target whose seconds have these bounds. */
export function areFewConnections({ packets, flows, sampling }: RateBounds, { limits, leastLine }: JudgedBy): boolean {
  if (packets > leastLine / limits.sensitivity) return false
  return flows * sampling <= leastPerSecond / limits.sensitivity
}

/** Judges the number of connections, whatever they carry. */
function judgeNumber(found: Connections, { learnt, limits }: JudgedBy): Alarm | null {
  const { window, opened, openings, normal } = found
  const seconds = window.to - window.from
  if (openings < judgement.observedMin || distinctPorts(window.ports) > lines.portsMax) return null
  const holding = floods.filter((each) => each.seconds === seconds && each.holds(found))
  const unlearntFlood = holding.find(({ needsNormal }) => !needsNormal)
  const flood = learnt ? holding.at(0) : unlearntFlood
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
  const moreOfTheSame = learnt && areMoreOfTheSame(found)
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

/** Whether connections have grown without changing their kind: all their packets together, and those of the part that has grown most. */
function areMoreOfTheSame({ window, normal, heaviest }: Connections): boolean {
  const has = (packets: Window, baseline: Normal) =>
    isMoreOfTheSame(packets, packets.packets / (packets.to - packets.from), baseline, connectionVector)
  return has(window, normal) && (heaviest === null || has(heaviest.window, heaviest.series.baseline))
}

/** Judges the packets of connections, as those of any ordinary traffic. */
function judgePackets(found: Connections, { learnt, limits }: JudgedBy): Alarm | null {
  const { sensitivity } = limits
  const isConversation = () => !isEmpty(found)
  const test = { vector: connectionVector, baseline: found.normal, learnt, sensitivity, wide: false, isConversation }
  const alarm = judgeVector(found.window, test)
  if (alarm === null) return null
  const mayBeVisits = mayBeVisitors(connectionVector, learnt) && !(isLeftOpen(found) || isEmpty(found))
  return ofHeaviest(found, { ...alarm, moreOfTheSame: alarm.moreOfTheSame || mayBeVisits })
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

/** Whether packets that open connections come with what such connections carry: then they are no SYN flood. */
export function areCarried(target: Target, opening: Series, window: Window, by: JudgedBy): boolean {
  return areAllCarried([target], opening.trafficClass, window, by)
}

/** The same for several targets together. */
export function areAllCarried(
  targets: readonly Target[],
  trafficClass: number,
  window: Window,
  { classes, learnt }: Pick<JudgedBy, 'classes' | 'learnt'>,
): boolean {
  const normal = learnt ? 'level' : 'none'
  let opened = 0
  let carried = 0
  for (const target of targets) {
    const opening = target.series.get(trafficClass)
    if (opening === undefined) continue
    opened += packetsAbove(normal, [opening], window)
    carried += packetsAbove(normal, otherParts(target, opening, classes), window)
  }
  return carried > lines.carriedRatio * opened
}

/**
 * Whether acknowledgements come with packets that open connections and packets that carry something, as those of page loads do. False for every other class,
 * from made-up sources, which have no conversations, and while normal is not known: then all that is usual would come beside them.
 */
export function areConversations(
  targets: readonly Target[],
  trafficClass: number,
  window: Window,
  { classes, learnt }: Pick<JudgedBy, 'classes' | 'learnt'>,
): boolean {
  if (!learnt || isForged(window) || classes.vectors[trafficClass]?.connection !== 'acknowledges') return false
  const sums = { acknowledged: 0, beside: 0, opened: 0, carried: 0 }
  for (const target of targets) {
    for (const series of target.series.values()) {
      const part = classes.vectors[series.trafficClass]?.connection
      if (part === undefined) continue
      const packets = packetsAbove('level', [series], window)
      if (part === 'acknowledges') sums.acknowledged += packets
      else sums.beside += packets
      if (shows[part].opened) sums.opened += packets
      if (shows[part].carried) sums.carried += packets
    }
  }
  const { acknowledged, beside, opened, carried } = sums
  const least = lines.conversationPart * acknowledged
  return beside >= least && opened >= lines.openedPart * beside && carried >= lines.emptyPart * opened
}

/** The label of an attack by a traffic class: acknowledgements of conversations are what a flood of connections consists of. */
export function labelOfClass(
  targets: readonly Target[],
  trafficClass: number,
  window: Window,
  by: Pick<JudgedBy, 'classes' | 'learnt'>,
): string | null {
  if (areConversations(targets, trafficClass, window, by)) return connectionLabels.flood
  return by.classes.vectors[trafficClass]?.label ?? null
}

/** Whether acknowledgements have become more, and what visitors send beside them has not. */
export function areAlone(target: Target, acknowledging: Series, window: Window, { classes }: JudgedBy): boolean {
  const others = otherParts(target, acknowledging, classes)
  const usual = others.reduce((sum, { baseline }) => sum + baseline.mean, 0)
  const { mean } = acknowledging.baseline
  const expected = packetsAbove('mean', [acknowledging], window) * (usual / mean)
  // Too little is expected to be seen at all.
  if (!(expected * (window.observed / window.packets) >= judgement.observedMin)) return false
  return packetsAbove('mean', others, window) < lines.besidePart * expected
}

function otherParts(target: Target, own: Series, { vectors }: Classes): Series[] {
  return [...target.series.values()].filter((series) => {
    const part = vectors[series.trafficClass]?.connection
    return part !== undefined && part !== vectors[own.trafficClass]?.connection
  })
}

/** Packets in a window above what is normal for each series. */
function packetsAbove(normal: 'mean' | 'level' | 'none', parts: readonly Series[], { from, to }: Window): number {
  return parts.reduce((sum, { ring, baseline }) => {
    const usual = normal === 'none' ? 0 : baseline[normal] * (to - from)
    return sum + Math.max(0, (ring?.packetsIn(from, to) ?? 0) - usual)
  }, 0)
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

function isFromFew({ window }: Connections): boolean {
  return distinctSources(window.sources) < lines.fewSources
}

function labelOf(found: Connections): string {
  if (isEmpty(found)) return connectionLabels.empty
  return isLeftOpen(found) ? connectionLabels.slow : connectionLabels.flood
}

/** End of the changed seconds of traffic that opens connections; null when there is too little of it. */
function lastOpening(target: Target, classes: Classes): number | null {
  let last: number | null = null
  for (const { trafficClass, ring, changedFrom, changedTo } of target.series.values()) {
    const part = classes.vectors[trafficClass]?.connection
    if (ring === null || changedFrom >= changedTo || part === undefined || !shows[part].opened) continue
    const to = Math.min(changedTo, ring.last + 1)
    if (ring.most('packets', Math.max(ring.first, changedFrom), to) > leastPerSecond) last = Math.max(last ?? 0, to)
  }
  return last
}

function connectionsIn(target: Target, classes: Classes, from: number, to: number): Connections {
  const sums = createWindow(from, to)
  const none = { opened: 0, openings: 0, closed: 0, carried: 0 }
  const found: Connections = { window: sums, ...none, normal: noNormal, heaviest: null }
  for (const series of target.series.values()) {
    const part = classes.vectors[series.trafficClass]?.connection
    if (part === undefined) continue
    found.normal = addNormals(found.normal, series.baseline)
    const window = series.ring?.sum(from, to)
    if (window === undefined || window.packets === 0) continue
    const { opened, closed, carried } = shows[part]
    // A sampled record stands for as many connections as its packets for packets.
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

function addWindow(to: Window, { packets, bytes, flows, observed, sources, ports, forgedSeconds }: Window): void {
  to.packets += packets
  to.bytes += bytes
  to.flows += flows
  to.observed += observed
  to.sources |= sources
  to.ports |= ports
  to.forgedSeconds = Math.max(to.forgedSeconds, forgedSeconds)
}
