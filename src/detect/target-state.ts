// What the detector knows of one address, for whoever asks why there is an event, or none: settings, how far normal is learnt, and for each class its
// rates, its normal and the lines that it would have to cross.
import { hasAddress } from '../net/address-bits.ts'
import { type Classes, total } from '../vectors/compile.ts'
import { matchTexts } from '../vectors/match-text.ts'
import { vectors } from '../vectors/vectors.ts'
import { noNormal } from './baseline.ts'
import type { Incident } from './incident.ts'
import { type Lines, linesOf, totalLine } from './judge.ts'
import { networkAt } from './networks.ts'
import { type RateRing, ringSeconds, type Window } from './rates.ts'
import type { Series } from './series.ts'
import type { Target } from './target.ts'
import type { TargetSettings } from './target-settings.ts'
import { victimsOf } from './victims.ts'

export interface TargetState {
  settings: TargetSettings
  /** Null: nothing was heard of it. */
  learning: Learning | null
  /** How long ago the seconds were over that current rates are of: exporters hold back what came later. */
  ageSeconds: number
  /** All traffic first, then the classes that have traffic or a normal, the heaviest first. */
  classes: ClassState[]
  /** Those that go on. `isNetwork`: on a network that it is in, and it is among the victims. */
  incidents: { id: string; label: string | null; isNetwork: boolean }[]
}

export interface Learning {
  /** When the target was first heard of, Unix time, seconds. */
  sinceSecond: number
  /** Until its traffic is compared with what is normal for it; 0: it is. */
  secondsLeft: number
  /** Hours of the week whose usual traffic is known, 0 to 168. */
  seasonHours: number
}

/** Rates are per second, scaled by the sampling rate. */
export interface ClassState {
  /** The vector; null: all traffic. */
  label: string | null
  /** Which packets of the vector, in words, where other classes have the same label; else null. */
  matches: string | null
  packets: number
  bytes: number
  flows: number
  /** What is normal, and its standard deviation, packets; null while not learnt. */
  normal: { level: number; spread: number } | null
  /** Null: it is not judged. */
  lines: Lines | null
}

export interface Asked {
  settings: TargetSettings
  target: Target | null
  /** Those that it is in. */
  networks: readonly Target[]
  /** The targets of a network that are judged. */
  hostsOf: (network: Target) => Target[]
  classes: Classes
  learnSeconds: number
  nowSecond: number
  /** What was before is no concern of whoever asks: as if the target had not been heard of until then. Unix time, seconds. */
  knownFromSecond: number
}

/** How long current rates are of. */
const currentSeconds = 10
/** Rates are no older than this: a ring, which has these seconds, reaches no further back. */
const ageSecondsMax = ringSeconds - 2 * currentSeconds

/** By class. */
const matches = [null, ...matchTexts(vectors)]

export function targetState(asked: Asked): TargetState {
  const { settings, target } = asked
  if (target === null) return { settings, learning: null, ageSeconds: 0, classes: [], incidents: [] }
  const learning = learningOf(target, asked)
  const learnt = target.learnt && learning.secondsLeft === 0
  const [all, ...others] = Array.from(target.series.values(), (series) =>
    classState(series, learnt, { ...asked, ageSeconds: ageOf(target) }),
  )
  const normalOf = ({ normal }: ClassState) => normal?.level ?? 0
  const heard = others.filter((each) => each.packets > 0 || normalOf(each) > 0)
  return {
    settings,
    learning,
    ageSeconds: ageOf(target),
    classes: [all, ...heard.sort((a, b) => b.packets - a.packets || normalOf(b) - normalOf(a))],
    incidents: incidentsOf(target, asked),
  }
}

/** What an overview shows of a target. Rates are per second, packets and bytes scaled by the sampling rate. */
export interface TargetRates {
  packets: number
  bytes: number
  flows: number
  /** What is normal, packets; null while not learnt. */
  normal: number | null
  /** How far that is learnt, 0 to 1. */
  learnt: number
}

/** An address, and since when whoever asks may know of it, Unix milliseconds. */
export interface AskedTarget {
  address: number
  knownFromMs: number
}

type AskedRates = Pick<Asked, 'learnSeconds' | 'nowSecond' | 'knownFromSecond'>

export function targetRates(target: Target, asked: AskedRates): TargetRates {
  const { learnSeconds, nowSecond, knownFromSecond } = asked
  const { secondsLeft } = learningOf(target, asked)
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

function ageOf({ heldBack }: Target): number {
  return Math.min(heldBack.seconds, ageSecondsMax)
}

interface Moment extends Pick<Asked, 'nowSecond' | 'knownFromSecond'> {
  ageSeconds: number
}

/** The last seconds of which all that there was has been told. */
function currentWindow(ring: RateRing | null, { nowSecond, knownFromSecond, ageSeconds }: Moment): Window | undefined {
  const to = nowSecond - ageSeconds
  return ring?.sum(Math.max(to - currentSeconds, knownFromSecond), to)
}

function incidentsOf(target: Target, { networks, hostsOf, knownFromSecond }: Asked): TargetState['incidents'] {
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

function learningOf(target: Target, { learnSeconds, nowSecond, knownFromSecond }: AskedRates): Learning {
  const sinceSecond = Math.max(target.sinceSecond, knownFromSecond)
  const learnsSince = Math.max(target.learnsSince, knownFromSecond)
  const hours = Math.floor(Math.max(0, nowSecond - sinceSecond) / 3_600)
  return {
    sinceSecond,
    secondsLeft: Math.max(0, learnsSince + learnSeconds - nowSecond, target.secondsToLearn),
    seasonHours: Math.min(target.seasonHours, hours),
  }
}

function classState({ trafficClass, baseline, ring }: Series, learnt: boolean, asked: Asked & Moment): ClassState {
  const { settings, classes, knownFromSecond } = asked
  const { limits, values } = settings
  const window = currentWindow(ring, asked)
  const vector = classes.vectors[trafficClass]
  // Until it is learnt that of others stands in, which is no concern of the owner of a site.
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
