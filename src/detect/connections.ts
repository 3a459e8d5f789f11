// Floods of connections: each of them complete, none of them much traffic, so that only their number tells. They are counted over all traffic classes
// that parts of a connection fall into: an exporter that sees whole flows says all in one record, one that samples packets in several.
import { distinctPorts, distinctSources } from '../aggregate/marks.ts'
import type { Classes } from '../vectors/compile.ts'
import { type ConnectionPart, connectionLabels, connectionVector } from '../vectors/vectors.ts'
import { addNormals, bandOf, deviationOf, type Normal, noNormal } from './baseline.ts'
import type { Candidate, JudgedBy } from './candidates.ts'
import { type Alarm, isMoreOfTheSame, judgeVector, mayBeVisitors, observedMin, samplingError } from './judge.ts'
import { createWindow, type Window } from './rates.ts'
import type { Series } from './series.ts'
import type { Target } from './target.ts'

/** What a record or a packet of each part tells: a connection was opened, was closed, carried something. */
const tells: Readonly<Record<ConnectionPart, { opened: boolean; closed: boolean; carried: boolean }>> = {
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
  /** All their packets. */
  window: Window
  opened: number
  /** Records and packets, as exported, that tell of it. */
  openings: number
  closed: number
  /** Records and packets that carried something. */
  carried: number
  /** What is normal for all of them together. */
  normal: Normal
  /** The class that most of their packets are of. */
  heaviest: { series: Series; packets: number } | null
}

interface Line {
  seconds: number
  connectionsPerSecond: number
  holds: (connections: Connections) => boolean
}

/** Of those of some seconds the first that holds counts. */
const lines: readonly Line[] = [
  { seconds: 10, connectionsPerSecond: 150, holds: isTiny },
  { seconds: 60, connectionsPerSecond: 4, holds: (found) => isTiny(found) && isUnused(found) && isFromFew(found) },
  { seconds: 60, connectionsPerSecond: 50, holds: (found) => isTiny(found) && isUnused(found) },
]
const windowSeconds = [...new Set(lines.map(({ seconds }) => seconds))]
const longest = Math.max(...windowSeconds)
const leastPerSecond = Math.min(...lines.map(({ connectionsPerSecond }) => connectionsPerSecond))
/** Times normal. */
const normalRatio = 4
/** Clients of a service use few ports; a scan tries many. */
const portsMax = 4

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

/** Whether all records, be each a connection, are fewer than any line: so it is with most addresses, and costs little to find out. */
function areFew({ total: { ring, changedFrom, changedTo } }: Target, { limits, leastLine }: JudgedBy): boolean {
  if (ring === null) return true
  const to = Math.min(changedTo, ring.last + 1)
  const from = Math.max(ring.first, changedFrom - longest)
  if (ring.mostWithin('packets', from, to) > leastLine / limits.sensitivity) return false
  const records = ring.mostWithin('flows', from, to) * ring.mostWithin('sampling', from, to)
  return records <= leastPerSecond / limits.sensitivity
}

/** How many connections there are, whatever they carry. */
function judgeNumber(found: Connections, { learnt, limits }: JudgedBy): Alarm | null {
  const { window, opened, openings, normal } = found
  const seconds = window.to - window.from
  if (openings < observedMin || distinctPorts(window.ports) > portsMax) return null
  const line = lines.find((each) => each.seconds === seconds && each.holds(found))
  if (line === undefined) return null
  const floor = line.connectionsPerSecond / limits.sensitivity
  const value = opened / seconds
  const rate = window.packets / seconds
  const usual = normal.level * (value / rate)
  const threshold = Math.max(floor, normalRatio * usual)
  if (value <= threshold) return null
  const source = threshold > floor ? 'baseline' : 'absolute'
  const band = learnt ? bandOf(normal, value / rate) : null
  const error = samplingError(window)
  const why = { metric: 'connections', value, threshold, normal: learnt ? usual : null, band, error, source }
  const deviation = deviationOf(rate, normal.level, window.packets / window.observed / seconds)
  const moreOfTheSame = learnt && isMoreOfTheSame(window, rate, normal, connectionVector)
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

/** How much they carry, be they few: as any ordinary traffic is judged. */
function judgePackets(found: Connections, { learnt, limits }: JudgedBy): Alarm | null {
  const { sensitivity } = limits
  const test = { vector: connectionVector, baseline: found.normal, learnt, sensitivity, wide: false }
  const alarm = judgeVector(found.window, test)
  if (alarm === null) return null
  const mayBeVisits = mayBeVisitors(connectionVector, learnt) && !isUnused(found)
  return ofHeaviest(found, { ...alarm, moreOfTheSame: alarm.moreOfTheSame || mayBeVisits })
}

/** An attack is followed by one class: the alarm as one of that which has most of it. */
function ofHeaviest({ window, heaviest }: Connections, alarm: Alarm): Alarm {
  const part = (heaviest?.packets ?? 0) / window.packets
  return { ...alarm, rate: alarm.rate * part, line: alarm.line * part, normal: alarm.normal * part }
}

/** A connection has at least three packets beside its first, whoever opens it. */
const carriedRatio = 1.5

/** Whether packets that open connections come with what such connections carry: then they are no flood of half-open ones. */
export function areCarried(target: Target, opening: Series, window: Window, by: JudgedBy): boolean {
  return areAllCarried([target], opening.trafficClass, window, by)
}

/** Likewise, for several targets together. */
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
  return carried > carriedRatio * opened
}

/** Of what else a target usually gets with acknowledgements, more visitors bring at least such a part. */
const besidePart = 0.1

/** Whether acknowledgements have become more, and what visitors send beside them has not: they are no visitors'. */
export function areAlone(target: Target, acknowledging: Series, window: Window, { classes }: JudgedBy): boolean {
  const others = otherParts(target, acknowledging, classes)
  const usual = others.reduce((sum, { baseline }) => sum + baseline.mean, 0)
  const { mean } = acknowledging.baseline
  const expected = packetsAbove('mean', [acknowledging], window) * (usual / mean)
  // Too little of it is expected for there to be any.
  if (!(expected * (window.observed / window.packets) >= observedMin)) return false
  return packetsAbove('mean', others, window) < besidePart * expected
}

function otherParts(target: Target, own: Series, { vectors }: Classes): Series[] {
  return [...target.series.values()].filter((series) => {
    const part = vectors[series.trafficClass]?.connection
    return part !== undefined && part !== vectors[own.trafficClass]?.connection
  })
}

/** Packets in a window, as far as they are more than what is normal for each. */
function packetsAbove(normal: 'mean' | 'level' | 'none', parts: readonly Series[], { from, to }: Window): number {
  return parts.reduce((sum, { ring, baseline }) => {
    const usual = normal === 'none' ? 0 : baseline[normal] * (to - from)
    return sum + Math.max(0, (ring?.packetsIn(from, to) ?? 0) - usual)
  }, 0)
}

function isTiny({ window, opened }: Connections): boolean {
  return window.packets > 1.5 * opened && window.packets <= 10 * opened && window.bytes <= 150 * window.packets
}

/** What was opened is left open, or carried nothing. */
function isUnused({ opened, closed, carried }: Connections): boolean {
  return closed < 0.3 * opened || carried < 0.2 * opened
}

function isFromFew({ window }: Connections): boolean {
  return distinctSources(window.sources) < 24
}

function labelOf({ opened, closed, carried }: Connections): string {
  if (carried < 0.2 * opened) return connectionLabels.empty
  return closed < 0.3 * opened ? connectionLabels.slow : connectionLabels.flood
}

/** The end of what changed in traffic that opens connections, where there may be enough of it. */
function lastOpening(target: Target, classes: Classes): number | null {
  let last: number | null = null
  for (const { trafficClass, ring, changedFrom, changedTo } of target.series.values()) {
    const part = classes.vectors[trafficClass]?.connection
    if (ring === null || changedFrom >= changedTo || part === undefined || !tells[part].opened) continue
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
    const { opened, closed, carried } = tells[part]
    // A record stands for as many as a packet of it does.
    const records = window.flows * (window.packets / window.observed)
    if (opened) found.opened += records
    if (opened) found.openings += window.flows
    if (closed) found.closed += records
    if (carried) found.carried += records
    addWindow(sums, window)
    if (window.packets > (found.heaviest?.packets ?? 0)) found.heaviest = { series, packets: window.packets }
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
