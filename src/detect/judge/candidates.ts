// Judges the changed traffic of a target: the worst window of each class that is an attack, the heaviest first.
import type { Classes } from '../../vectors/compile.ts'
import { total } from '../../vectors/compile.ts'
import type { Vector } from '../../vectors/vectors.ts'
import { judgement } from '../lines/judgement.ts'
import type { RateBounds, Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { Limits } from '../targets/target-settings.ts'
import { busiestWindows, type ChangedSeconds, longestSeconds, secondsAround } from './busy-windows.ts'
import { areFewConnections, connectionCandidate, connectionSeconds } from './connections.ts'
import { areAlone, areAnswered, areCarried, areConversations, areUnopened, labelOfClass } from './conversations.ts'
import { areFewHeld, heldConnectionSeconds, heldConnectionsCandidate } from './held-connections.ts'
import {
  type Alarm,
  areTooFew,
  hasSignature,
  isForged,
  isMoreOfTheSame,
  judgeTotal,
  judgeVector,
  leastLine,
  mayBeFew,
  mayBeVisitors,
  mayGrow,
  type VectorTest,
} from './judge.ts'
import { isTransfer } from './kinds.ts'

export interface Candidate {
  /** IPv4 address of the victim. */
  address: number
  trafficClass: number
  label: string | null
  /** See `Vector.besides`. */
  besides: readonly string[]
  alarm: Alarm
  /** Whether its share of the traffic is large enough, for long enough, to be an attack of its own beside another. */
  isNewVector: boolean
}

/** What the lowest lines of a target follow from. */
export interface Lines {
  limits: Pick<Limits, 'packets' | 'bytes' | 'flows' | 'sensitivity'>
  /** See `leastLineOfAll`. */
  leastLine: number
}

export interface JudgedBy extends Lines {
  classes: Classes
  limits: Limits
  learnt: boolean
}

const { observedFarAbove, newVectorShare, newVectorSeconds } = judgement
const { limitSeconds, unexplainedSeconds, explainingShare } = judgement
/** How far from a changed second the traffic lies that is judged with it, at most. */
export const farthestSeconds = Math.max(longestSeconds, connectionSeconds, heldConnectionSeconds)

export function candidatesOf(target: Target, by: JudgedBy): Candidate[] {
  const candidates: Candidate[] = []
  const changed = changedOf(target, target.total)
  if (changed === null) return candidates
  const { from, to } = secondsAround(changed)
  // One look at the bounds of a few pages tells which of the judgements below can find nothing. Windows of connections are no longer than others.
  const bounds = changed.ring.boundsWithin(from, to)
  const { observed } = bounds
  if (!mayProveAny(observed, target, by.classes)) return candidates
  const isAllQuiet = isQuiet(bounds, by)
  const hasFewConnections = areTooFew(observed) || areFewConnections(bounds, by)
  for (const series of isAllQuiet ? [] : target.series.values()) {
    if (series.changedFrom >= series.changedTo || !mayProve(observed, by.classes.vectors[series.trafficClass])) continue
    const found = series.trafficClass === total ? totalCandidate(target, by) : vectorCandidate(target, series, by)
    if (found !== null) candidates.push(found)
  }
  const flood = (hasFewConnections ? null : connectionCandidate(target, by)) ?? heldConnectionsCandidate(target, by)
  if (flood !== null) candidates.push(flood)
  return candidates.sort((a, b) => b.alarm.rate - a.alarm.rate || a.trafficClass - b.trafficClass)
}

/** Whether no window of traffic that has these bounds may cross any line. */
export function areFarBelow(bounds: RateBounds, by: Lines): boolean {
  return isQuiet(bounds, by) && areFewConnections(bounds, by) && areFewHeld(bounds, by)
}

/** Whether no window of traffic that has these bounds may cross a line of a vector or an absolute limit. */
function isQuiet({ packets, bytes, flows }: RateBounds, { limits, leastLine }: Lines): boolean {
  return (
    packets <= Math.min(limits.packets, leastLine / limits.sensitivity) &&
    bytes <= limits.bytes &&
    flows <= limits.flows
  )
}

/** How many packets were observed in all windows that are judged, at most. */
function observedAround(target: Target): number {
  const changed = changedOf(target, target.total)
  if (changed === null) return 0
  const { from, to } = secondsAround(changed)
  return changed.ring.observedWithin(from, to)
}

/** Whether the packets around what changed at a target may be evidence at all: behind coarse sampling most addresses have too few. */
export function hasEvidence(target: Target, classes: Classes): boolean {
  return mayProveAny(observedAround(target), target, classes)
}

/** Whether as many packets may be evidence at all: fewer than `observedMin` are so only of the classes of `mayBeFew`. */
function mayProveAny(observed: number, { series }: Target, classes: Classes): boolean {
  if (observed < observedFarAbove) return false
  if (!areTooFew(observed)) return true
  for (const { trafficClass } of series.values()) if (mayProve(observed, classes.vectors[trafficClass])) return true
  return false
}

/** Whether as many packets may be evidence of a vector, or of all traffic without one. */
function mayProve(observed: number, vector: Vector | undefined): boolean {
  return !areTooFew(observed) || (vector !== undefined && mayBeFew(vector))
}

function vectorCandidate(target: Target, series: Series, by: JudgedBy): Candidate | null {
  const vector = by.classes.vectors[series.trafficClass]
  if (vector === undefined) return null
  const { learnt, limits } = by
  const alarms = alarmsOf(target, series, {
    vector,
    baseline: series.baseline,
    learnt,
    sensitivity: limits.sensitivity,
    wide: false,
    floorFactor: 1,
    isConversation: (window) => areConversations([target], series.trafficClass, window, by),
    isUnopened: (window) => areUnopened([target], window, by),
  })
  const worst = worstOf(alarms)
  if (worst === null) return null
  if (vector.connection === 'opens' && areCarried(target, series, worst.window, by)) return null
  if (areAnswered(target, series, worst.window, by)) return null
  const isNewVector = alarms.some(
    ({ window }) =>
      window.to - window.from >= newVectorSeconds && window.packets >= newVectorShare * packetsOf(target, window),
  )
  const isAlone = vector.connection === 'acknowledges' && areAlone(target, series, worst.window, by)
  const { trafficClass } = series
  const mayBeUsual =
    (worst.moreOfTheSame && !isAlone) ||
    isTransfer(worst.window, vector) ||
    (mayBeVisitors(vector, learnt) && !areUnopened([target], worst.window, by))
  const label = mayBeUsual ? null : labelOfClass([target], trafficClass, worst.window, by)
  return { address: target.address, trafficClass, label, besides: vector.besides ?? [], alarm: worst, isNewVector }
}

/** Alarms of the busiest window of each length. */
export function alarmsOf(target: Target, series: Series, test: VectorTest): Alarm[] {
  const changed = changedOf(target, series)
  if (changed === null) return []
  return busiestWindows(changed, leastLine(test)).flatMap((window) => judgeVector(window, test) ?? [])
}

function changedOf(target: Target, { ring, changedFrom, changedTo }: Series): ChangedSeconds | null {
  if (ring === null || changedFrom >= changedTo) return null
  return { ring, from: changedFrom, to: changedTo, earliest: target.overThrough + 1 }
}

export function worstOf(alarms: Alarm[]): Alarm | null {
  const excess = (alarm: Alarm) => alarm.rate / alarm.line
  return alarms.reduce<Alarm | null>(
    (worst, alarm) => (worst === null || excess(alarm) > excess(worst) ? alarm : worst),
    null,
  )
}

function packetsOf(target: Target, { from, to }: Window): number {
  return target.total.ring?.packetsIn(from, to) ?? 0
}

function totalCandidate(target: Target, by: JudgedBy): Candidate | null {
  const changed = changedOf(target, target.total)
  if (changed === null) return null
  const { from, to } = secondsAround(changed)
  if (changed.ring.isWithin(by.limits, from, to)) return null
  for (const window of busiestWindows(changed, 0)) {
    const seconds = window.to - window.from
    if (seconds < limitSeconds) continue
    const alarm = judgeTotal(window, target.total.baseline, by.learnt, by.limits)
    if (alarm === null) continue
    const trafficClass = explaining(target, window, by)
    if (trafficClass === total && seconds < unexplainedSeconds) continue
    const part = target.series.get(trafficClass)?.ring?.sum(window.from, window.to) ?? window
    const label = labelOfClass([target], trafficClass, part, by)
    const { besides = [] } = by.classes.vectors[trafficClass] ?? {}
    return { address: target.address, trafficClass, label, besides, alarm, isNewVector: false }
  }
  return null
}

/** The class that explains a window, unless it looks like ordinary traffic; else `total`. */
function explaining(target: Target, window: Window, by: JudgedBy): number {
  const { classes, learnt } = by
  for (const { trafficClass, ring, baseline } of target.series.values()) {
    const vector = classes.vectors[trafficClass]
    if (ring === null || vector === undefined) continue
    const part = ring.sum(window.from, window.to)
    if (part.packets < explainingShare * window.packets) continue
    const rate = part.packets / (part.to - part.from)
    const isGrowth = mayGrow(vector, baseline.level) && isMoreOfTheSame(part, rate, baseline, vector)
    const isUnopened = areUnopened([target], part, by) || isForged(part)
    const isUnknown = mayBeVisitors(vector, learnt) || !hasSignature(part, vector.signature)
    const isOrdinary = vector.ordinary && !isUnopened && isUnknown
    return isGrowth || isOrdinary || isTransfer(part, vector) ? total : trafficClass
  }
  return total
}
