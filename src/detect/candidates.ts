// What of a target's changed traffic the judge takes for an attack: of every series the worst window, the heaviest first.
import type { Classes } from '../vectors/compile.ts'
import { total } from '../vectors/compile.ts'
import { type Alarm, hasSignature, judgeTotal, judgeVector } from './judge.ts'
import type { Limits } from './limits.ts'
import type { RateRing, Window } from './rates.ts'
import type { Series, Target } from './target.ts'

export interface Candidate {
  trafficClass: number
  label: string | null
  alarm: Alarm
  /** Whether it is enough of the traffic, for long enough, to be an attack of its own beside another. */
  isNewVector: boolean
}

export interface JudgedBy {
  classes: Classes
  limits: Limits
  learnt: boolean
}

/** A flood shows in the shortest, an attack little above normal or behind coarse sampling in the longest. Seconds. */
const windowSeconds = [3, 10, 30, 60]
/** A second vector has at least this share of the traffic, and lasts this long. */
const vectorShareMin = 0.2
const vectorSecondsMin = 10
/** All traffic that no vector explains must pass its limit for longer. */
const unexplainedSecondsMin = 10
/** The share of traffic that explains it. */
const explainingShare = 0.5

export function candidatesOf(target: Target, by: JudgedBy): Candidate[] {
  const candidates: Candidate[] = []
  for (const series of target.series.values()) {
    const { ring } = series
    if (ring === null || series.changedFrom >= series.changedTo) continue
    const found = series.trafficClass === total ? totalCandidate(target, ring, by) : vectorCandidate(target, series, by)
    if (found !== null) candidates.push(found)
  }
  for (const series of target.series.values()) {
    series.changedFrom = Number.POSITIVE_INFINITY
    series.changedTo = Number.NEGATIVE_INFINITY
  }
  return candidates.sort((a, b) => b.alarm.rate - a.alarm.rate || a.trafficClass - b.trafficClass)
}

function vectorCandidate(
  target: Target,
  { trafficClass, ring, baseline, changedFrom, changedTo }: Series,
  by: JudgedBy,
) {
  const vector = by.classes.vectors[trafficClass]
  if (vector === undefined || ring === null) return null
  let worst: Alarm | null = null
  let isNewVector = false
  for (const seconds of windowSeconds) {
    const window = busiest(ring, changedFrom, changedTo, seconds)
    const alarm = judgeVector(window, { vector, baseline, learnt: by.learnt, sensitivity: by.limits.sensitivity })
    if (alarm === null) continue
    if (worst === null || alarm.rate / alarm.line > worst.rate / worst.line) worst = alarm
    isNewVector ||= seconds >= vectorSecondsMin && window.packets >= vectorShareMin * packetsOf(target, window)
  }
  return worst === null ? null : { trafficClass, label: vector.label, alarm: worst, isNewVector }
}

function packetsOf(target: Target, { from, to }: Window): number {
  return target.total.ring?.packetsIn(from, to) ?? 0
}

function totalCandidate(target: Target, ring: RateRing, by: JudgedBy): Candidate | null {
  const { baseline, changedFrom, changedTo } = target.total
  for (const seconds of windowSeconds) {
    const window = busiest(ring, changedFrom, changedTo, seconds)
    const alarm = judgeTotal(window, baseline, by.learnt, by.limits)
    if (alarm === null) continue
    const trafficClass = explaining(target, window, by.classes)
    if (trafficClass === total && seconds < unexplainedSecondsMin) continue
    return { trafficClass, label: by.classes.vectors[trafficClass]?.label ?? null, alarm, isNewVector: false }
  }
  return null
}

/** The class that most of a window consists of, unless it looks like ordinary traffic; else `total`. */
function explaining(target: Target, window: Window, classes: Classes): number {
  for (const { trafficClass, ring } of target.series.values()) {
    const vector = classes.vectors[trafficClass]
    if (ring === null || vector === undefined) continue
    const part = ring.sum(window.from, window.to)
    if (part.packets < explainingShare * window.packets) continue
    return vector.ordinary && !hasSignature(part, vector.signature) ? total : trafficClass
  }
  return total
}

/** Of the windows of so many seconds that have a changed second, the one with the most packets. */
function busiest(ring: RateRing, changedFrom: number, changedTo: number, seconds: number): Window {
  const first = Math.max(ring.first + seconds - 1, changedFrom)
  let to = first + 1
  let packets = ring.packetsIn(to - seconds, to)
  let most = packets
  let mostTo = to
  for (to++; to <= Math.min(changedTo + seconds - 1, ring.last + 1); to++) {
    packets += ring.packetsAt(to - 1) - ring.packetsAt(to - 1 - seconds)
    if (packets <= most) continue
    most = packets
    mostTo = to
  }
  return ring.sum(mostTo - seconds, mostTo)
}
