// The judgement of one window, without state: counters, normal and limits in; the line that was crossed, and why, out.
import { distinctPorts, distinctSources, impossibleKinds, sourcePortSpread } from '../../aggregate/marks.ts'
import { UDP } from '../../net/protocols.ts'
import { lastingMultiple, type Signature, type Vector } from '../../vectors/vectors.ts'
import type { Why } from '../incidents/incident-report.ts'
import { judgement } from '../lines/judgement.ts'
import { bandOf, deviationOf, type Normal, noNormal } from '../normal/baseline.ts'
import { rounding } from '../rates/most-flows.ts'
import type { Window } from '../rates/rates.ts'
import type { Limits } from '../targets/target-settings.ts'
import { areLongConnections, areRequests, isEachOne, isSampled } from './kinds.ts'

/** A line that was crossed. */
export interface Alarm {
  window: Window
  /** Packets a second. */
  rate: number
  line: number
  /** Normal rate, packets a second; 0 while not known. */
  normal: number
  /** Rate over normal. */
  deviation: number
  /** Whether the traffic has the whole signature of the vector. */
  whole: boolean
  /** Whether ordinary traffic has grown without changing its kind: then visitors are likelier than an attack. */
  moreOfTheSame: boolean
  why: Why
}

const { observedMin, observedFarAbove, sigmas, manyPorts, scanSources, forgedSeconds, unconnectedRatio } = judgement
const { unconnectedPacketsPerSecond, forgedPacketsPerSecond, quietPart, quietRatio } = judgement

/** Rate below which what crossed the line is over. Packets a second. */
export function quietBelow({ line, normal }: Alarm): number {
  return Math.max(quietPart * line, quietRatio * normal)
}

export interface VectorTest {
  vector: Vector
  baseline: Normal
  /** Whether normal is learnt for the target. */
  learnt: boolean
  /** Divides floors. */
  sensitivity: number
  /** Whether the traffic goes to many addresses alike. */
  wide: boolean
  /** Multiplies floors but that of made-up sources: sums of a network add up what comes to all its addresses. */
  floorFactor: number
  /** Whether the packets of a window come with the other parts of conversations: then they are no flood because each is a record of its own. */
  isConversation: (window: Window) => boolean
  /** Whether the packets of a window belong to connections that nobody has opened. */
  isUnopened: (window: Window) => boolean
}

/** What the lines of a vector depend on, whatever the traffic. */
type LineTest = Omit<VectorTest, 'isConversation' | 'isUnopened'>

export function judgeVector(window: Window, test: VectorTest): Alarm | null {
  const { vector, baseline, learnt } = test
  const isFew = window.observed < observedMin
  if (isFew && (window.observed < observedFarAbove || test.wide || !mayBeFew(vector))) return null
  const seconds = window.to - window.from
  const rate = window.packets / seconds
  const normal = baseline.level
  const kind = kindOf(window, test)
  const { whole, forged, unconnected, unopened, scattered } = kind
  const isPlainKind = forged || unconnected || unopened || scattered
  // A resolver gets answers always; many addresses of a network do not.
  const isOrdinary = test.wide ? vector.ordinary === true : mayGrow(vector, normal)
  const moreOfTheSame = isOrdinary && learnt && !isPlainKind && isMoreOfTheSame(window, rate, baseline, vector)
  const newFloor = floorOf(window, test, kind, unlearntFloor(window, vector))
  const floor = learnt ? floorOf(window, test, kind, vector.raise.packetsPerSecond) : newFloor
  let line = floor
  let secondsMin = vector.raise.seconds
  if (learnt || normal > 0) {
    const multiple = multipleOf(vector, normal)
    const ratio = moreOfTheSame ? judgement.sameRatio : multiple.ratio
    const leastRatio = forged ? Math.min(ratio, judgement.forgedRatio) : ratio
    line = Math.max(floor, normal * leastRatio, normal + sigmas * noiseOf(window, baseline))
    secondsMin = multiple.seconds
  }
  if (isPlainKind || isPlain(rate, normal, floor)) secondsMin = Math.min(secondsMin, judgement.plainSeconds)
  if (forged) secondsMin = Math.min(secondsMin, forgedSeconds)
  if (whole && rate > judgement.suddenRatio * line && secondsMin <= judgement.suddenSeconds) secondsMin = 1
  const isOverwhelming = whole && isPlain(rate / judgement.overwhelming, normal, floor)
  if (isOverwhelming) secondsMin = Math.min(secondsMin, judgement.overwhelmingSeconds)
  if (seconds < secondsMin) return null
  if (rate <= line) return null
  if (isFew && !isCertain(window, rate / line)) return null
  // The floor of ordinary traffic is not far above that of busy hosts.
  if (vector.ordinary === true && !learnt && !isPlainKind && !isCertain(window, rate / floor)) return null
  const metric = 'packets'
  const source = line > floor ? 'baseline' : 'absolute'
  const band = learnt ? bandOf(baseline, 1) : null
  const error = samplingError(window)
  const why: Why = {
    ...{ metric, value: rate, threshold: line, normal: learnt ? normal : null, band, error, source },
    unlearnt: unlearntOf(window, rate, newFloor),
  }
  const deviation = deviationOf(rate, normal, measurable(window))
  return { window, rate, line, normal, deviation, whole, moreOfTheSame, why }
}

/** Whether packets are fewer than is evidence of anything but what `mayBeFew` allows; sums may have lost a little to rounding. */
export function areTooFew(observed: number): boolean {
  return observed * (1 + rounding) < observedMin
}

/**
 * Whether a few packets may be evidence at an address. Those of visitors who come at once, of transfers and of tunnels are none; and attacks on networks are
 * looked for in longer windows, since many addresses must be seen.
 */
export function mayBeFew({ connection, ordinary, tunnel }: Vector): boolean {
  return connection === undefined && !ordinary && !tunnel
}

/** What the packets of a window show beside their number. */
interface Kind {
  /** They have the whole signature of the vector. */
  whole: boolean
  /** Their sources are made up. */
  forged: boolean
  /** Each is a flow of its own, and belongs to no conversation. */
  unconnected: boolean
  /** They belong to connections that nobody has opened. */
  unopened: boolean
  /** They come from anywhere and go to ports all over. */
  scattered: boolean
}

function kindOf(window: Window, { vector, baseline, wide, isConversation, isUnopened }: VectorTest): Kind {
  const forged = isForged(window)
  const ofMany = forged || hasSources(window, vector.signature)
  // It is expensive to find out, and no evidence below the multiple of normal.
  const isMore = window.packets > multipleOf(vector, baseline.level).ratio * baseline.level * (window.to - window.from)
  const mayBeUnopened = vector.ordinary === true && vector.connection !== undefined && ofMany && isMore
  const unopened = mayBeUnopened && !areLongConnections(window, vector) && isUnopened(window)
  const isSigned = hasSignature(window, vector.signature) || areFewOfMany(window, vector.signature)
  const whole = forged || unopened || isSigned
  const mayBeUnconnected = vector.ordinary === true && whole && isUnconnected(window, vector.match.protocol, wide)
  const unconnected = mayBeUnconnected && !isConversation(window)
  // The packets of a network have many sources and ports always.
  const scattered = !wide && isFromAnyPort(vector) && isScattered(window)
  return { whole, forged, unopened, unconnected, scattered }
}

/** The floor of traffic of a kind; `plain` is that of the vector with its whole signature. */
function floorOf(window: Window, test: VectorTest, { whole, forged, unconnected }: Kind, plain: number): number {
  const { vector, learnt, sensitivity, floorFactor } = test
  let floor = plain
  if (unconnected) floor = Math.min(floor, unconnectedPacketsPerSecond)
  if (!whole) {
    const { partialPacketsPerSecond } = vector.raise
    const ofRequests = learnt && areRequests(window, vector) ? judgement.requestsPerSecond : Number.POSITIVE_INFINITY
    floor = Math.max(floor, Math.min(partialPacketsPerSecond, ofRequests))
  }
  if (isScan(window)) floor = Math.max(floor, judgement.scanPacketsPerSecond)
  floor *= floorFactor
  return (forged ? Math.min(floor, forgedPacketsPerSecond) : floor) / sensitivity
}

/** The multiple of normal that traffic must reach. What a target has always is judged as ordinary traffic. */
function multipleOf(vector: Vector, normal: number): { ratio: number; seconds: number } {
  return isUsual(vector, normal) ? lastingMultiple : vector.raise
}

function isUsual({ raise }: Vector, normal: number): boolean {
  return normal > judgement.usualPart * raise.packetsPerSecond
}

/** Whether growth of such traffic may be ordinary. */
export function mayGrow(vector: Vector, normal: number): boolean {
  const { ordinary, asked, tunnel } = vector
  return ordinary === true || ((asked === true || tunnel === true) && isUsual(vector, normal))
}

/** Whether such packets that come to many addresses of a network alike need no higher floor there: visitors, and answers, go to few. */
export function mayBeWide({ ordinary, asked }: Vector): boolean {
  return ordinary === true || asked === true
}

/** Rates above which traffic is an attack, with the whole signature of its vector and without it. Packets a second. */
export interface Lines {
  whole: number
  partial: number
}

/** The floors of a vector, before any comparison with normal. */
export function floorsOf({ raise }: Vector, learnt: boolean, sensitivity: number): Lines {
  const whole = learnt ? raise.packetsPerSecond : raise.unlearntPacketsPerSecond
  return { whole: whole / sensitivity, partial: Math.max(whole, raise.partialPacketsPerSecond) / sensitivity }
}

/** The lines of a vector at a target. Made-up sources and packets outside of any conversation are found below them; coarse sampling raises them. */
export function linesOf({ vector, baseline, learnt, sensitivity }: Omit<LineTest, 'wide' | 'floorFactor'>): Lines {
  const { whole, partial } = floorsOf(vector, learnt, sensitivity)
  const normal = baseline.level
  if (!learnt && normal === 0) return { whole, partial }
  const usual = Math.max(normal * multipleOf(vector, normal).ratio, normal + sigmas * baseline.spread)
  return { whole: Math.max(whole, usual), partial: Math.max(partial, usual) }
}

/** A lower bound of the lines of all windows, cheaper than the line of a window. `isOrdinary` is the opposite of `mayBePlain`. */
export function leastLine(
  { vector, baseline, learnt, sensitivity, floorFactor }: LineTest,
  isOrdinary = false,
): number {
  const { raise, ordinary } = vector
  const whole = learnt ? raise.packetsPerSecond : raise.unlearntPacketsPerSecond
  const own = floorFactor * (ordinary && !isOrdinary ? Math.min(unconnectedPacketsPerSecond, whole) : whole)
  const floor = isOrdinary ? own : Math.min(own, forgedPacketsPerSecond)
  const ratio = Math.min(raise.ratio, lastingMultiple.ratio, isOrdinary ? raise.ratio : judgement.forgedRatio)
  return Math.max(floor / sensitivity, baseline.level * ratio)
}

/** Whether sums of traffic may be from made-up sources, or unconnected. */
export function mayBePlain({ flows, observed, forgedSeconds }: Window, { ordinary }: Vector): boolean {
  return forgedSeconds > 0 || (ordinary === true && observed <= unconnectedRatio * flows)
}

/** A lower bound of the lines of all vectors at a sensitivity of 1, whatever is normal. Packets a second. */
export function leastLineOfAll(vectors: readonly (Vector | undefined)[]): number {
  const lines = vectors.flatMap((vector) => {
    if (vector === undefined) return []
    const test = { vector, baseline: noNormal, sensitivity: 1, wide: true, floorFactor: 1 }
    return [true, false].map((learnt) => leastLine({ ...test, learnt }))
  })
  return Math.min(...lines)
}

/** The metrics with absolute limits, in the order in which they are tried. */
const rateMetrics = ['packets', 'bytes', 'flows'] as const

/** Judges all traffic of a target by the absolute limits, which rise at busy addresses. */
export function judgeTotal(window: Window, baseline: Normal, learnt: boolean, limits: Limits): Alarm | null {
  const seconds = window.to - window.from
  const normal = baseline.level
  const rate = window.packets / seconds
  for (const metric of rateMetrics) {
    const value = window[metric] / seconds
    const usual = window.packets === 0 ? 0 : normal * (window[metric] / window.packets)
    const line = Math.max(limits[metric], judgement.limitRatio * usual)
    if (value <= line || window.observed < observedMin) continue
    if (metric !== 'flows' && !isCertain(window, value / line)) continue
    const band = learnt ? bandOf(baseline, value / rate) : null
    const error = samplingError(window)
    const source = limits.sources[metric]
    const unlearnt = unlearntOf(window, rate, limits[metric])
    const why = { metric, value, threshold: line, normal: learnt ? usual : null, band, error, source, unlearnt }
    const packetLine = rate * (line / value)
    const deviation = deviationOf(rate, normal, measurable(window))
    return { window, rate, line: packetLine, normal, deviation, whole: true, moreOfTheSame: false, why }
  }
  return null
}

/** What the judgement would rest on if nothing were known of the target, and nothing of others either. */
function unlearntOf(window: Window, rate: number, threshold: number): Why['unlearnt'] {
  const least = measurable(window)
  return { threshold, deviation: deviationOf(rate, 0, least), measurable: least }
}

/** Rate above which all traffic is an attack, packets a second; infinite without such a limit. */
export function totalLine(normal: Normal, limits: Limits): number {
  return Math.max(limits.packets, judgement.limitRatio * normal.level)
}

/** Whether a rate is so far above normal that it is plainly not ordinary traffic. */
function isPlain(rate: number, normal: number, floor: number): boolean {
  return rate > judgement.plainRatio * normal && rate > judgement.plainFloors * floor
}

/** Whether traffic has grown without changing its kind: by the mean packet length, and no further than a crowd of visitors goes. */
export function isMoreOfTheSame(window: Window, rate: number, baseline: Normal, vector: Vector): boolean {
  const ratio = window.bytes / window.packets / baseline.packetBytes
  // Packet lengths deviate about as much as their mean, and a number of packets by its root: few packets say less of either.
  const chance = judgement.sameSigmas / Math.sqrt(window.observed)
  const isSameLength = ratio > judgement.sameLengthMin - chance && ratio < judgement.sameLengthMax + chance
  return isSameLength && rate * (1 - chance) <= crowdRatio(vector) * baseline.level
}

/** How many times normal a crowd of visitors makes of a vector's traffic at most. */
function crowdRatio({ connection, asked }: Vector): number {
  if (connection !== undefined) return judgement.crowdConnections
  return asked ? judgement.crowdAnswers : judgement.crowdOthers
}

/** Whether traffic may be that of visitors, however much: whole connections are, while normal is not known. */
export function mayBeVisitors({ ordinary, connection }: Vector, learnt: boolean): boolean {
  return !learnt && ordinary === true && connection !== undefined && connection !== 'acknowledges'
}

function unlearntFloor({ packets, observed }: Window, { raise, unasked }: Vector): number {
  if (unasked) return raise.unlearntPacketsPerSecond
  return Math.max(raise.unlearntPacketsPerSecond, judgement.unlearntObserved * (packets / observed))
}

export function hasSignature(window: Window, signature: Signature): boolean {
  return hasLength(window, signature) && hasSources(window, signature)
}

function hasLength({ packets, bytes }: Window, { packetBytes: [min, max] }: Signature): boolean {
  return bytes >= min * packets && bytes <= max * packets
}

function hasSources(window: Window, { sourcesMin }: Signature): boolean {
  return distinctSources(window.sources) >= sourcesMin || isSprayed(window)
}

/** Whether a few sampled packets have the signature, as far as so few can show it: nearly each is from another source. */
function areFewOfMany(window: Window, signature: Signature): boolean {
  if (!isSampled(window) || window.observed >= observedMin || !hasLength(window, signature)) return false
  return distinctSources(window.sources) >= judgement.differentSourcesPart * window.observed
}

/** Part of random IPv4 addresses that no packet can come from: 34 of 256 /8 networks. */
const impossiblePart = 34 / 256

/** Whether sources are made up: impossible ones come about as often as among random addresses. */
export function isForged({ from, to, observed, sources, forgedSeconds }: Window): boolean {
  if (forgedSeconds === 0 || impossibleKinds(sources) < judgement.forgedKindsMin) return false
  const seconds = to - from
  const expected = seconds * (1 - (1 - impossiblePart) ** (observed / seconds))
  return forgedSeconds >= Math.max(Math.min(judgement.forgedSecondsMin, seconds), judgement.forgedPart * expected)
}

/** Whether few sources send from ports all over to ports all over: a program made the ports up, as no scanner and no system does. */
function isSprayed({ sources, ports }: Window): boolean {
  return (
    distinctSources(sources) < scanSources &&
    sourcePortSpread(ports) >= judgement.sprayedSpread &&
    distinctPorts(ports) >= manyPorts
  )
}

/**
 * Whether every flow has one packet and every packet another source. Only unsampled exports can show it. Questions to a server of short answers (DNS, NTP)
 * look like this, but have one port, and go to few addresses; so do page loads that are exported packet by packet (`isConversation`).
 */
function isUnconnected(window: Window, protocol: number, wide: boolean): boolean {
  if (isSampled(window) || !isEachOne(window)) return false
  if (protocol === UDP && distinctPorts(window.ports) < manyPorts && !wide) return false
  return distinctSources(window.sources) === Number.POSITIVE_INFINITY
}

function isScan(window: Window): boolean {
  return isToManyPorts(window) && distinctSources(window.sources) < scanSources && !isSprayed(window)
}

/** Whether packets of a vector belong to no connection and to no service that is known: such may come from anywhere. */
function isFromAnyPort({ ordinary, connection, match }: Vector): boolean {
  return ordinary === true && connection === undefined && match.srcPort === undefined
}

/**
 * Whether sampled packets go to ports all over, and hardly two come from one source: no service has such clients, and no client such servers. Of more packets
 * the marks do not tell how many sources they have.
 */
function isScattered(window: Window): boolean {
  const { observed, sources } = window
  if (!isSampled(window) || observed < observedMin || observed > judgement.scatteredObserved) return false
  return isEachOne(window) && isToManyPorts(window) && distinctSources(sources) >= judgement.scatteredPart * observed
}

function isToManyPorts({ ports, observed }: Window): boolean {
  return distinctPorts(ports) >= Math.min(manyPorts, judgement.scannedPart * observed)
}

/** Relative standard error of a sum of sampled packets (Poisson); 0 when nothing was sampled. */
export function samplingError(window: Window): number {
  return isSampled(window) ? 1 / Math.sqrt(window.observed) : 0
}

/** Whether a rate this many times its line is hardly the noise of sampling at the line. */
function isCertain(window: Window, multiple: number): boolean {
  if (!isSampled(window)) return true
  const expected = window.observed / multiple
  return window.observed > expected + sigmas * Math.sqrt(expected)
}

/** Standard deviation of the rate: that of counting sampled packets, and the learnt spread. */
function noiseOf(window: Window, baseline: Normal): number {
  const sampling = window.packets / window.observed
  const counting = (sampling * Math.max(baseline.mean, 1)) / (window.to - window.from)
  return Math.sqrt(counting + baseline.spread ** 2)
}

/** Rate of one packet as exported in the window, packets a second: less can't be measured. */
function measurable({ packets, observed, from, to }: Window): number {
  return packets / observed / (to - from)
}
