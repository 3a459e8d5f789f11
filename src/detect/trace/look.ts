// What the judge makes of half a minute of a target, from its traces: of each class how far it was from its line. The line of a window is found by asking
// the judge how many times as much of the same traffic it would have taken.
import { distinctSources } from '../../aggregate/marks.ts'
import { type Classes, compileVectors, total } from '../../vectors/compile.ts'
import { vectors } from '../../vectors/vectors.ts'
import { busiestWindows } from '../judge/busy-windows.ts'
import { candidatesOf, type JudgedBy } from '../judge/candidates.ts'
import { areConversations, areUnopened } from '../judge/conversations.ts'
import { type Alarm, floorsOf, judgeTotal, judgeVector, leastLineOfAll, mayBeWide } from '../judge/judge.ts'
import { judgement } from '../lines/judgement.ts'
import { networks } from '../lines/networks.ts'
import type { Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { Limits } from '../targets/target-settings.ts'
import { matches } from '../targets/target-state.ts'
import { type Trace, type TraceLimits, type TraceStep, traceSeconds } from './trace.ts'
import { TracedTarget } from './traced-target.ts'

/** Which line a rate is compared with, and how far it came. */
export interface NearestLine {
  /** `packets`, `bytes` or `flows`, per second. */
  metric: string
  /** Length of the window that came nearest, seconds, and its rate. */
  seconds: number
  rate: number
  line: number
  /** Whether the line is made of what is normal; else it is a floor or an absolute limit. */
  isNormal: boolean
  /** Whether the traffic has the whole signature of its vector. */
  whole: boolean
}

export interface ClassLook {
  /** Null: all traffic. */
  label: string | null
  /** Packets of the class in words, where other classes have the same label; else null. */
  matches: string | null
  /** Averages of the half minute, per second. */
  packets: number
  bytes: number
  flows: number
  /** Estimate of the number of sources; infinite: very many. */
  sources: number
  /** Null: normal was not learnt. */
  normal: { level: number; spread: number } | null
  /** The floors of the vector, with its whole signature and without, packets a second; null: all traffic. */
  floors: { whole: number; partial: number } | null
  /** Null: no line that any amount of such traffic would cross. */
  nearest: NearestLine | null
}

export interface Look {
  /** All traffic first, then the classes that came nearest to a line. */
  classes: ClassLook[]
  /** What the judge takes for an attack, all rules considered; null is an attack of unknown kind. */
  found: (string | null)[]
}

const classes: Classes = compileVectors(vectors)
const leastLine = leastLineOfAll(classes.vectors)
/** Multiples that are tried: beyond them no line is near, or crossed by far. */
const [multipleMin, multipleMax] = [2 ** -12, 2 ** 12]
/** Each halves the factor by which the multiple may be off. */
const halvings = 20

export function judgedBy(limits: TraceLimits, learnt: boolean): JudgedBy {
  const absolute = 'absolute'
  const sources: Limits['sources'] = { packets: absolute, bytes: absolute, flows: absolute }
  return { classes, limits: { ...limits, sources }, learnt, leastLine }
}

/** Looks at the traces of one target, in their order; that of `second` is among them. `learnt`: whether they may be compared with normal. */
export function lookAt(traces: readonly Trace[], second: number, learnt: boolean): Look | null {
  const trace = traces.find((each) => each.second === second)
  if (trace === undefined) return null
  const traced = new TracedTarget(traces[0])
  for (const each of traces) traced.add(each)
  traced.setNormal(trace, learnt)
  const { target } = traced
  for (const series of target.series.values()) {
    series.changedFrom = second
    series.changedTo = second + traceSeconds
  }
  const by = judgedBy(trace.limits, learnt)
  const found = trace.judged ? candidatesOf(target, by).map(({ label }) => label) : []
  const looks = trace.classes.flatMap((each) => {
    const series = target.series.get(each.trafficClass)
    return series === undefined ? [] : [classLook(target, series, each.steps, trace.judged ? by : null)]
  })
  const [all, ...others] = looks
  const partOf = ({ nearest }: ClassLook) => (nearest === null ? 0 : nearest.rate / nearest.line)
  return { classes: [all, ...others.sort((a, b) => partOf(b) - partOf(a) || b.packets - a.packets)], found }
}

/** `by` is null where the target is not judged. */
function classLook(
  target: Target,
  series: Series,
  steps: readonly (TraceStep | null)[],
  by: JudgedBy | null,
): ClassLook {
  const { trafficClass, baseline } = series
  const vector = classes.vectors[trafficClass]
  const sumOf = (metric: 'packets' | 'bytes' | 'flows') =>
    steps.reduce((sum, step) => sum + (step?.[metric] ?? 0), 0) / traceSeconds
  const sensitivity = by?.limits.sensitivity ?? 1
  return {
    label: vector?.label ?? null,
    matches: matches[trafficClass] ?? null,
    packets: sumOf('packets'),
    bytes: sumOf('bytes'),
    flows: sumOf('flows'),
    sources: distinctSources(steps.reduce((marks, step) => marks | (step?.sources ?? 0), 0)),
    normal: target.learnt ? { level: baseline.level, spread: baseline.spread } : null,
    floors: vector === undefined ? null : floorsOf(vector, target.learnt, sensitivity),
    nearest: by === null ? null : nearestLine(target, series, by),
  }
}

function nearestLine(target: Target, series: Series, by: JudgedBy): NearestLine | null {
  const { ring, changedFrom, changedTo, trafficClass, baseline } = series
  if (ring === null) return null
  const vector = classes.vectors[trafficClass]
  const isAll = trafficClass === total
  let nearest: NearestLine | null = null
  for (const window of busiestWindows({ ring, from: changedFrom, to: changedTo, earliest: 0 }, 0)) {
    const seconds = window.to - window.from
    // All traffic is judged by windows of that length and longer.
    if (isAll && seconds < judgement.limitSeconds) continue
    const judge = (scaled: Window): Alarm | null => {
      if (vector === undefined) return judgeTotal(scaled, baseline, by.learnt, by.limits)
      return judgeVector(scaled, {
        vector,
        baseline,
        learnt: by.learnt,
        sensitivity: by.limits.sensitivity,
        wide: target.isNetwork,
        // As live detection has it for sums of a network.
        floorFactor: target.isNetwork && !mayBeWide(vector) ? networks.floorFactor : 1,
        isConversation: (of) => areConversations([target], trafficClass, of, by),
        isUnopened: (of) => areUnopened([target], of, by),
      })
    }
    const alarm = leastAlarm(window, judge)
    if (alarm === null) continue
    const { metric, value, source } = alarm.why
    // The least multiple that is an attack is just on the line.
    const multiple = alarm.window.packets / window.packets
    if (nearest !== null && 1 / multiple <= nearest.rate / nearest.line) continue
    const isNormal = source === 'baseline'
    nearest = { metric, seconds, rate: value / multiple, line: value, isNormal, whole: alarm.whole }
  }
  return nearest
}

/** The alarm that the least multiple of a window raises; null: none that is tried does. */
function leastAlarm(window: Window, judge: (window: Window) => Alarm | null): Alarm | null {
  let alarm = judge(times(window, multipleMax))
  if (alarm === null) return null
  let [low, high] = [multipleMin, multipleMax]
  for (let i = 0; i < halvings; i++) {
    const middle = Math.sqrt(low * high)
    const found = judge(times(window, middle))
    if (found === null) low = middle
    else {
      high = middle
      alarm = found
    }
  }
  return alarm
}

function times(window: Window, multiple: number): Window {
  const { packets, bytes, flows, observed } = window
  return {
    ...window,
    packets: packets * multiple,
    bytes: bytes * multiple,
    flows: flows * multiple,
    observed: observed * multiple,
  }
}
