// Floods of connections: each of them complete, none of them much traffic, so that only their number tells. They are counted over all traffic classes
// that parts of a connection fall into: an exporter that sees whole flows says all in one record, one that samples packets in several.
import { distinctPorts, distinctSources } from '../aggregate/marks.ts'
import type { Classes } from '../vectors/compile.ts'
import { type ConnectionPart, connectionLabels } from '../vectors/vectors.ts'
import { level } from './baseline.ts'
import type { Candidate, JudgedBy } from './candidates.ts'
import { type Alarm, isMoreOfTheSame, observedMin } from './judge.ts'
import { createWindow, type Window } from './rates.ts'
import type { Series, Target } from './target.ts'

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
  /** All their packets; of sources and ports, those that opened. */
  window: Window
  opened: number
  closed: number
  /** Records and packets that carried something. */
  carried: number
  /** Packets a second. */
  normal: number
  /** The class that most of their packets are of. */
  heaviest: { series: Series; packets: number } | null
}

interface Line {
  seconds: number
  connectionsPerSecond: number
  holds: (connections: Connections) => boolean
}

/** The first that is crossed is told of. Clients of a service use few ports; a scan tries many. */
const lines: readonly Line[] = [
  { seconds: 10, connectionsPerSecond: 150, holds: isTiny },
  { seconds: 60, connectionsPerSecond: 50, holds: (found) => isTiny(found) && isUnused(found) },
  { seconds: 60, connectionsPerSecond: 4, holds: (found) => isTiny(found) && isUnused(found) && isFromFew(found) },
]
const leastPerSecond = Math.min(...lines.map(({ connectionsPerSecond }) => connectionsPerSecond))
/** Times normal, once that is learnt. */
const normalRatio = 4

export function connectionCandidate(target: Target, { classes, learnt, limits }: JudgedBy): Candidate | null {
  const to = lastOpening(target, classes)
  if (to === null) return null
  for (const line of lines) {
    const from = Math.max(to - line.seconds, target.overThrough + 1)
    const found = connectionsIn(target, classes, from, to)
    const alarm = judge(found, line, learnt, limits.sensitivity)
    if (alarm === null || found.heaviest === null) continue
    const { trafficClass, baseline } = found.heaviest.series
    const label = learnt && isMoreOfTheSame(found.window, baseline) ? null : labelOf(found)
    return { address: target.address, trafficClass, label, besides: [], alarm, isNewVector: true }
  }
  return null
}

function judge(found: Connections, line: Line, learnt: boolean, sensitivity: number): Alarm | null {
  const { window, opened, normal, heaviest } = found
  if (heaviest === null || window.observed < observedMin || distinctPorts(window.ports) > portsMax) return null
  const floor = line.connectionsPerSecond / sensitivity
  const value = opened / line.seconds
  const rate = window.packets / line.seconds
  const usual = learnt ? normalRatio * normal * (value / rate) : 0
  const threshold = Math.max(floor, usual)
  if (value <= threshold || !line.holds(found)) return null
  const source = threshold > floor ? 'baseline' : 'absolute'
  const why = { metric: 'connections', value, threshold, normal: learnt ? usual / normalRatio : null, source }
  const deviation = rate / Math.max(normal, window.packets / window.observed / line.seconds)
  // The attack is followed by its heaviest class.
  const ofClass = heaviest.packets / line.seconds
  return { window, rate: ofClass, line: ofClass * (threshold / value), deviation, whole: true, why }
}

const portsMax = 4

/** A connection has at least three packets beside its first, whoever opens it. */
const carriedRatio = 1.5

/** Whether packets that open connections come with what such connections carry, above normal: then they are no flood of half-open ones. */
export function areCarried(target: Target, classes: Classes, { from, to, packets }: Window): boolean {
  let more = 0
  for (const { trafficClass, ring, baseline } of target.series.values()) {
    const part = classes.vectors[trafficClass]?.connection
    if (ring === null || part === undefined || part === 'opens') continue
    more += Math.max(0, ring.packetsIn(from, to) - level(baseline) * (to - from))
  }
  return more > carriedRatio * packets
}

/** Handshakes came about, and not much more. */
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
  const found: Connections = { window: sums, opened: 0, closed: 0, carried: 0, normal: 0, heaviest: null }
  for (const series of target.series.values()) {
    const part = classes.vectors[series.trafficClass]?.connection
    if (series.ring === null || part === undefined) continue
    const window = series.ring.sum(from, to)
    if (window.packets === 0) continue
    const { opened, closed, carried } = tells[part]
    // A record stands for as many as a packet of it does.
    const records = window.flows * (window.packets / window.observed)
    if (opened) found.opened += records
    if (closed) found.closed += records
    if (carried) found.carried += records
    if (opened) sums.sources |= window.sources
    if (opened) sums.ports |= window.ports
    sums.packets += window.packets
    sums.bytes += window.bytes
    sums.observed += window.observed
    found.normal += level(series.baseline)
    if (window.packets > (found.heaviest?.packets ?? 0)) found.heaviest = { series, packets: window.packets }
  }
  return found
}
