// The state of one address, which explains why there is an event or not: settings, how far normal is learnt, and the rates, normal and lines of each class.
import { hasAddress } from '../../net/address-bits.ts'
import { type Classes, total } from '../../vectors/compile.ts'
import { matchTexts } from '../../vectors/match-text.ts'
import { vectors } from '../../vectors/vectors.ts'
import type { Incident } from '../incidents/incident.ts'
import { victimsOf } from '../incidents/victims.ts'
import { type Lines, linesOf, totalLine } from '../judge/judge.ts'
import { noNormal } from '../normal/baseline.ts'
import { networkAt } from '../rates/network-sums.ts'
import { type RateRing, ringSeconds, type Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from './target.ts'
import type { TargetSettings } from './target-settings.ts'

export interface TargetState {
  settings: TargetSettings
  /** Null without any traffic so far. */
  learning: Learning | null
  /** Age of the current rates, seconds: exporters hold back what came later. */
  ageSeconds: number
  /** All traffic first, then the classes that have traffic or a normal, the heaviest first. */
  classes: ClassState[]
  /** Attacks that go on. `isNetwork`: the attack is on a network, with this address among the victims. */
  incidents: { id: string; label: string | null; isNetwork: boolean }[]
}

export interface Learning {
  /** First traffic of the target, Unix time, seconds. */
  sinceSecond: number
  /** Seconds until its traffic is compared with normal; 0 when it is. */
  secondsLeft: number
  /** Hours of the week with known usual traffic, 0 to 168. */
  seasonHours: number
}

/** Rates are per second, scaled by the sampling rate. */
export interface ClassState {
  /** Label of the vector; null for all traffic. */
  label: string | null
  /** Packets of the class in words, where other classes have the same label; else null. */
  matches: string | null
  packets: number
  bytes: number
  flows: number
  /** Normal rate and its standard deviation, packets; null while not learnt. */
  normal: { level: number; spread: number } | null
  /** Null when it is not judged. */
  lines: Lines | null
}

export interface StateQuery {
  settings: TargetSettings
  target: Target | null
  /** Networks that hold it. */
  networks: readonly Target[]
  /** Finds the targets of a network that are judged. */
  hostsOf: (network: Target) => Target[]
  classes: Classes
  learnSeconds: number
  nowSecond: number
  /** When the reader's knowledge begins, Unix time, seconds: the target is described as if it had no earlier traffic. */
  knownFromSecond: number
}

/** Window of current rates, seconds. */
const currentSeconds = 10
/** Greatest age of current rates, seconds: rings reach no further back. */
const ageSecondsMax = ringSeconds - 2 * currentSeconds

/** Words for the packets of each class; null: the label says it all. */
export const matches = [null, ...matchTexts(vectors)]

export function targetState(query: StateQuery): TargetState {
  const { settings, target } = query
  if (target === null) return { settings, learning: null, ageSeconds: 0, classes: [], incidents: [] }
  const learning = learningOf(target, query)
  const learnt = target.learnt && learning.secondsLeft === 0
  const [all, ...others] = Array.from(target.series.values(), (series) =>
    classState(series, learnt, { ...query, ageSeconds: ageOf(target) }),
  )
  const normalOf = ({ normal }: ClassState) => normal?.level ?? 0
  const heard = others.filter((each) => each.packets > 0 || normalOf(each) > 0)
  return {
    settings,
    learning,
    ageSeconds: ageOf(target),
    classes: [all, ...heard.sort((a, b) => b.packets - a.packets || normalOf(b) - normalOf(a))],
    incidents: incidentsOf(target, query),
  }
}

/** Rates of a target for an overview, per second; packets and bytes are scaled by the sampling rate. */
export interface TargetRates {
  packets: number
  bytes: number
  flows: number
  /** Normal rate, packets; null while not learnt. */
  normal: number | null
  /** How far that is learnt, 0 to 1. */
  learnt: number
}

/** An address, and when the reader's knowledge of it begins, Unix milliseconds. */
export interface TargetQuery {
  address: number
  knownFromMs: number
}

type RatesQuery = Pick<StateQuery, 'learnSeconds' | 'nowSecond' | 'knownFromSecond'>

export function targetRates(target: Target, query: RatesQuery): TargetRates {
  const { learnSeconds, nowSecond, knownFromSecond } = query
  const { secondsLeft } = learningOf(target, query)
  const { ring, baseline } = target.total
  const window = currentWindow(ring, { nowSecond, knownFromSecond, ageSeconds: ageOf(target) })
  return {
    packets: (window?.packets ?? 0) / currentSeconds,
    bytes: (window?.bytes ?? 0) / currentSeconds,
    flows: (window?.flows ?? 0) / currentSeconds,
    normal: target.learnt && secondsLeft === 0 ? baseline.level : null,
    learnt: 1 - Math.min(1, secondsLeft / learnSeconds),
  }
}

function ageOf({ exporterDelay }: Target): number {
  return Math.min(exporterDelay.seconds, ageSecondsMax)
}

interface Moment extends Pick<StateQuery, 'nowSecond' | 'knownFromSecond'> {
  ageSeconds: number
}

/** The latest seconds that exporters have reported whole. */
function currentWindow(ring: RateRing | null, { nowSecond, knownFromSecond, ageSeconds }: Moment): Window | undefined {
  const to = nowSecond - ageSeconds
  return ring?.sum(Math.max(to - currentSeconds, knownFromSecond), to)
}

function incidentsOf(target: Target, { networks, hostsOf, knownFromSecond }: StateQuery): TargetState['incidents'] {
  const goesOn = ({ isOver, startSecond }: Incident) => !isOver && startSecond >= knownFromSecond
  const isVictim = (incident: Incident, network: Target) =>
    victimsOf(incident, network, hostsOf).networks.some(
      ({ network, addresses }) => network === networkAt(target.address) && hasAddress(addresses, target.address),
    )
  const own = target.incidents.filter(goesOn)
  const wide = networks.flatMap((network) =>
    network.incidents.filter((incident) => goesOn(incident) && isVictim(incident, network)),
  )
  return [
    ...own.map(({ id, label }) => ({ id, label, isNetwork: false })),
    ...wide.map(({ id, label }) => ({ id, label, isNetwork: true })),
  ]
}

function learningOf(target: Target, { learnSeconds, nowSecond, knownFromSecond }: RatesQuery): Learning {
  const sinceSecond = Math.max(target.sinceSecond, knownFromSecond)
  const learnsSince = Math.max(target.learnsSince, knownFromSecond)
  const hours = Math.floor(Math.max(0, nowSecond - sinceSecond) / 3_600)
  return {
    sinceSecond,
    secondsLeft: Math.max(0, learnsSince + learnSeconds - nowSecond, target.secondsToLearn),
    seasonHours: Math.min(target.seasonHours, hours),
  }
}

function classState({ trafficClass, baseline, ring }: Series, learnt: boolean, query: StateQuery & Moment): ClassState {
  const { settings, classes, knownFromSecond } = query
  const { limits, values } = settings
  const window = currentWindow(ring, query)
  const vector = classes.vectors[trafficClass]
  // While it is not learnt the normal of others stands in, which the owner of a site must not see.
  const known = learnt || knownFromSecond === 0 ? baseline : noNormal
  let lines: Lines | null = null
  if (values.enabled && trafficClass === total) {
    const line = totalLine(known, limits)
    lines = { whole: line, partial: line }
  } else if (values.enabled && vector !== undefined) {
    lines = linesOf({ vector, baseline: known, learnt, sensitivity: limits.sensitivity })
  }
  return {
    label: vector?.label ?? null,
    matches: matches[trafficClass] ?? null,
    packets: (window?.packets ?? 0) / currentSeconds,
    bytes: (window?.bytes ?? 0) / currentSeconds,
    flows: (window?.flows ?? 0) / currentSeconds,
    normal: learnt ? { level: baseline.level, spread: baseline.spread } : null,
    lines,
  }
}
