// The judgement, without state: a window of counters, what is normal and the limits in; which line was crossed, and why, out.
import { distinctPorts, distinctSources, sourcePortSpread } from '../aggregate/marks.ts'
import { UDP } from '../net/protocols.ts'
import { lastingMultiple, type Signature, type Vector } from '../vectors/vectors.ts'
import { bandOf, deviationOf, type Normal, noNormal } from './baseline.ts'
import type { Why } from './incident-report.ts'
import type { Window } from './rates.ts'
import type { Limits } from './target-settings.ts'

/** A line that was crossed. */
export interface Alarm {
  window: Window
  /** Packets a second. */
  rate: number
  line: number
  /** What is normal; 0 while nothing is known of it. Packets a second. */
  normal: number
  /** Current over normal. */
  deviation: number
  /** Whether the traffic has all that the vector's signature asks for. */
  whole: boolean
  /** Whether ordinary traffic has grown without changing its kind: visitors, more likely than an attack. */
  moreOfTheSame: boolean
  why: Why
}

/** Traffic is no attack's any more when it is no more than so many times normal. */
export const quietRatio = 2

/** Packets a second below which what crossed the line is over. */
export function quietBelow({ line, normal }: Alarm): number {
  return Math.max(line / 2, quietRatio * normal)
}

/** Fewer packets than this, as exported, prove nothing. */
export const observedMin = 12
const sigmas = 6
/** More destination ports than a host's services and conversations have at a time. */
const manyPorts = 24
/** From so few sources, many ports mean a scan. */
const scanSources = 6

export interface VectorTest {
  vector: Vector
  baseline: Normal
  /** Whether the target has been known long enough to say what is normal for it. */
  learnt: boolean
  /** Divides floors. */
  sensitivity: number
  /** Whether the traffic goes to many addresses alike. */
  wide: boolean
}

export function judgeVector(window: Window, test: VectorTest): Alarm | null {
  const { vector, baseline, learnt, sensitivity, wide } = test
  if (window.observed < observedMin) return null
  const { raise } = vector
  const seconds = window.to - window.from
  const rate = window.packets / seconds
  const normal = baseline.level
  const whole = hasSignature(window, vector.signature)
  const forged = whole && isForged(window)
  const unconnected = vector.ordinary === true && whole && isUnconnected(window, vector.match.protocol, wide)
  // A resolver gets answers anyway; many addresses of a network do not.
  const isOrdinary = wide ? vector.ordinary === true : mayGrow(vector, normal)
  const moreOfTheSame =
    isOrdinary && learnt && !forged && !unconnected && isMoreOfTheSame(window, rate, baseline, vector)
  let floor = learnt ? raise.packetsPerSecond : unlearntFloor(window, vector)
  if (unconnected) floor = Math.min(floor, unconnectedPacketsPerSecond)
  if (forged) floor = Math.min(floor, forgedPacketsPerSecond)
  if (!whole) floor = Math.max(floor, raise.partialPacketsPerSecond)
  if (isScan(window)) floor = Math.max(floor, scanPacketsPerSecond)
  floor /= sensitivity
  let line = floor
  let secondsMin = raise.seconds
  if (learnt || normal > 0) {
    const multiple = multipleOf(vector, normal)
    const ratio = moreOfTheSame ? sameRatio : multiple.ratio
    line = Math.max(floor, normal * ratio, normal + sigmas * noiseOf(window, baseline))
    secondsMin = multiple.seconds
  }
  if (unconnected || isPlain(rate, normal, floor)) secondsMin = Math.min(secondsMin, plainSeconds)
  if (forged) secondsMin = Math.min(secondsMin, forgedSeconds)
  if (whole && rate > suddenFactor * line && secondsMin <= forgedSeconds) secondsMin = 1
  if (seconds < secondsMin) return null
  if (rate <= line) return null
  // Such a floor is not far above what busy hosts have.
  if (vector.ordinary === true && !learnt && !forged && !unconnected && !isCertain(window, rate / floor)) return null
  const metric = 'packets'
  const source = line > floor ? 'baseline' : 'absolute'
  const band = learnt ? bandOf(baseline, 1) : null
  const error = samplingError(window)
  const why: Why = { metric, value: rate, threshold: line, normal: learnt ? normal : null, band, error, source }
  const deviation = deviationOf(rate, normal, measurable(window))
  return { window, rate, line, normal, deviation, whole, moreOfTheSame, why }
}

/** What a target has anyway is ordinary for it, whatever it is for others. */
function multipleOf(vector: Vector, normal: number): { ratio: number; seconds: number } {
  return isUsual(vector, normal) ? lastingMultiple : vector.raise
}

function isUsual({ raise }: Vector, normal: number): boolean {
  return normal * usualFactor > raise.packetsPerSecond
}

/** Whether more of it may be what an address gets anyway. */
export function mayGrow(vector: Vector, normal: number): boolean {
  return vector.ordinary === true || (vector.asked === true && isUsual(vector, normal))
}

/** Packets a second above which traffic is an attack when it has the whole signature of its vector, and when it has not. */
export interface Lines {
  whole: number
  partial: number
}

/** Before anything is compared with what is normal. */
export function floorsOf({ raise }: Vector, learnt: boolean, sensitivity: number): Lines {
  const whole = learnt ? raise.packetsPerSecond : raise.unlearntPacketsPerSecond
  return { whole: whole / sensitivity, partial: Math.max(whole, raise.partialPacketsPerSecond) / sensitivity }
}

/** What plainly is no traffic of hosts (made-up sources, packets outside of any conversation) is seen below them; coarse sampling raises them. */
export function linesOf({ vector, baseline, learnt, sensitivity }: Omit<VectorTest, 'wide'>): Lines {
  const { whole, partial } = floorsOf(vector, learnt, sensitivity)
  const normal = baseline.level
  if (!learnt && normal === 0) return { whole, partial }
  const usual = Math.max(normal * multipleOf(vector, normal).ratio, normal + sigmas * baseline.spread)
  return { whole: Math.max(whole, usual), partial: Math.max(partial, usual) }
}

/** No window of fewer packets a second is an alarm: cheaper to find out than the line of a window. `isPlainlyNone`: see `mayBePlain`. */
export function leastLine({ vector, baseline, learnt, sensitivity }: VectorTest, isPlainlyNone = false): number {
  const { raise, ordinary } = vector
  const whole = learnt ? raise.packetsPerSecond : raise.unlearntPacketsPerSecond
  const least = Math.min(forgedPacketsPerSecond, ordinary ? unconnectedPacketsPerSecond : Number.POSITIVE_INFINITY)
  const floor = Math.min(isPlainlyNone ? Number.POSITIVE_INFINITY : least, whole) / sensitivity
  return Math.max(floor, baseline.level * Math.min(raise.ratio, lastingMultiple.ratio))
}

/** Whether sums of traffic may be of made-up sources, or unconnected; false: neither. */
export function mayBePlain({ flows, observed, forgedSeconds }: Window, { ordinary }: Vector): boolean {
  return forgedSeconds > 0 || (ordinary === true && observed <= unconnectedRatio * flows)
}

/** No line of any of the vectors is below this at a sensitivity of 1, whatever is normal. Packets a second. */
export function leastLineOfAll(vectors: readonly (Vector | undefined)[]): number {
  const lines = vectors.flatMap((vector) => {
    if (vector === undefined) return []
    return [true, false].map((learnt) => leastLine({ vector, baseline: noNormal, learnt, sensitivity: 1, wide: true }))
  })
  return Math.min(...lines)
}

/** What the absolute limits are of, in the order in which they are tried. */
const rateMetrics = ['packets', 'bytes', 'flows'] as const

/** All traffic of a target against the limits that hold whatever is normal, unless double the normal is more. */
export function judgeTotal(window: Window, baseline: Normal, learnt: boolean, limits: Limits): Alarm | null {
  const seconds = window.to - window.from
  const normal = baseline.level
  const rate = window.packets / seconds
  for (const metric of rateMetrics) {
    const value = window[metric] / seconds
    const usual = window.packets === 0 ? 0 : normal * (window[metric] / window.packets)
    const line = Math.max(limits[metric], 2 * usual)
    if (value <= line || window.observed < observedMin) continue
    if (metric !== 'flows' && !isCertain(window, value / line)) continue
    const band = learnt ? bandOf(baseline, value / rate) : null
    const error = samplingError(window)
    const source = limits.sources[metric]
    const why = { metric, value, threshold: line, normal: learnt ? usual : null, band, error, source }
    const packetLine = rate * (line / value)
    const deviation = deviationOf(rate, normal, measurable(window))
    return { window, rate, line: packetLine, normal, deviation, whole: true, moreOfTheSame: false, why }
  }
  return null
}

/** Packets a second above which all traffic is an attack; infinite when there is no such limit. */
export function totalLine(normal: Normal, limits: Limits): number {
  return Math.max(limits.packets, 2 * normal.level)
}

/** Packets of a record, where each has one; some are sent twice. */
const unconnectedRatio = 1.1
/** Packets a second of unconnected packets from everywhere that are an attack. */
const unconnectedPacketsPerSecond = 200
/** Packets a second with sources made up at random that are an attack, and for how long. */
const forgedPacketsPerSecond = 100
const forgedSeconds = 3
/** What is so many times above its line is judged by a single second. */
const suddenFactor = 2
/** How long ordinary packets must keep up what plainly is no ordinary traffic. */
const plainSeconds = 10
/** Traffic is usual for a target when it normally has this part of the floor. */
const usualFactor = 4
function isPlain(rate: number, normal: number, floor: number): boolean {
  return rate > 20 * normal && rate > 4 * floor
}

/** Traffic of the same kind multiplies by less, or it is no crowd: the connections of visitors, answers that were asked for, and what else is ordinary. */
const crowdMax = { connections: 100, answers: 15, others: 30 }
/** Busy hours and bursts of visitors make as much of normal; what looks like them must be more. */
const sameRatio = 6

/** By the mean packet length, which another kind of traffic would change. */
export function isMoreOfTheSame(window: Window, rate: number, baseline: Normal, vector: Vector): boolean {
  const ratio = window.bytes / window.packets / baseline.packetBytes
  // The lengths of packets deviate about as much as their mean is, and their number by its root: few packets say less of either.
  const chance = 3 / Math.sqrt(window.observed)
  const most = crowdMaxOf(vector)
  return ratio > 0.75 - chance && ratio < 1.33 + chance && rate * (1 - chance) <= most * baseline.level
}

function crowdMaxOf({ connection, asked }: Vector): number {
  if (connection !== undefined) return crowdMax.connections
  return asked ? crowdMax.answers : crowdMax.others
}

/** Before normal is known, whole connections may be those of visitors, however many. */
export function mayBeVisitors({ ordinary, connection }: Vector, learnt: boolean): boolean {
  return !learnt && ordinary === true && connection !== undefined && connection !== 'acknowledges'
}

/** While normal is not known, what hosts may have anyway must at least be plain to see for an exporter that samples: it has large networks. */
const unlearntObservedPerSecond = 5

function unlearntFloor({ packets, observed }: Window, { raise, unasked }: Vector): number {
  if (unasked) return raise.unlearntPacketsPerSecond
  return Math.max(raise.unlearntPacketsPerSecond, unlearntObservedPerSecond * (packets / observed))
}

/** Packets a second from which a scan is a flood as well. */
const scanPacketsPerSecond = 5_000

export function hasSignature(window: Window, signature: Signature): boolean {
  const size = window.bytes / window.packets
  const [min, max] = signature.packetBytes
  if (size < min || size > max) return false
  return distinctSources(window.sources) >= signature.sourcesMin || isSprayed(window)
}

/** The part of random IPv4 addresses that no packet can come from: 34 of 256 /8 networks. */
const impossiblePart = 34 / 256
/** So many seconds with impossible sources are no accident, nor are there hosts that send from such by mistake. */
const forgedSecondsMin = 4
/** Of the seconds in which random addresses would show them. */
const forgedPart = 0.7

/** Whether sources are made up: impossible ones are there about as often as among random addresses. No host sends from such. */
function isForged({ from, to, observed, forgedSeconds }: Window): boolean {
  const seconds = to - from
  const expected = seconds * (1 - (1 - impossiblePart) ** (observed / seconds))
  return forgedSeconds >= Math.max(Math.min(forgedSecondsMin, seconds), forgedPart * expected)
}

/** One source, from ports all over and to ports all over: made up by a program, as no scanner and no system of a host does. */
function isSprayed({ sources, ports }: Window): boolean {
  return distinctSources(sources) < scanSources && sourcePortSpread(ports) >= 0.75 && distinctPorts(ports) >= manyPorts
}

/**
 * Every flow has one packet and every packet another source: only unsampled exports can show it, and no conversation looks like this. Questions
 * to a server of short answers (DNS, NTP) do, but they have one port, and go to few addresses.
 */
function isUnconnected(window: Window, protocol: number, wide: boolean): boolean {
  if (isSampled(window) || window.observed > unconnectedRatio * window.flows) return false
  if (protocol === UDP && distinctPorts(window.ports) < manyPorts && !wide) return false
  return distinctSources(window.sources) === Number.POSITIVE_INFINITY
}

function isScan(window: Window): boolean {
  return distinctPorts(window.ports) >= manyPorts && distinctSources(window.sources) < scanSources && !isSprayed(window)
}

function isSampled({ packets, observed }: Window): boolean {
  return packets > observed * 1.01
}

/** Of a sum of sampled packets: the standard deviation over the sum (Poisson). 0: nothing was sampled. */
export function samplingError(window: Window): number {
  return isSampled(window) ? 1 / Math.sqrt(window.observed) : 0
}

/** Whether a rate that is so many times a line would hardly be so by chance if it were at the line: sampling makes noise. */
function isCertain(window: Window, multiple: number): boolean {
  if (!isSampled(window)) return true
  const expected = window.observed / multiple
  return window.observed > expected + sigmas * Math.sqrt(expected)
}

/** Standard deviation of the rate: of counting sampled packets, and what was learnt. */
function noiseOf(window: Window, baseline: Normal): number {
  const sampling = window.packets / window.observed
  const counting = (sampling * Math.max(baseline.mean, 1)) / (window.to - window.from)
  return Math.sqrt(counting + baseline.spread ** 2)
}

/** Packets a second that one packet, as exported, in the window amounts to: less can't be seen. */
function measurable({ packets, observed, from, to }: Window): number {
  return packets / observed / (to - from)
}
