// A trace: what the judge had of one target in half a minute, kept so that its judgement can be repeated later. By class the traffic in steps of ten
// seconds and what was normal, and the limits of the time.
import type { Incident } from '../incidents/incident.ts'
import type { Normal } from '../normal/baseline.ts'
import { pageSeconds } from '../rates/rate-pages.ts'
import type { Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { TargetSettings } from '../targets/target-settings.ts'

/** Length of a trace, seconds: a page of the rings. */
export const traceSeconds = pageSeconds
/** Length of a step, seconds: rings keep older seconds no more exactly. */
export const stepSeconds = 10
export const stepsPerTrace = traceSeconds / stepSeconds
/** Classes of a trace beside all traffic; the heaviest are kept. */
const classesMax = 24
/** Attacks of a trace. */
const attacksMax = 16

/** Sums of the ten seconds. */
export type TraceStep = Pick<Window, 'packets' | 'bytes' | 'flows' | 'observed' | 'sources' | 'ports' | 'forgedSeconds'>

export interface TraceClass {
  trafficClass: number
  normal: Normal
  /** Null: no traffic. */
  steps: (TraceStep | null)[]
}

/** An attack on the target that went on in this time. */
export interface TracedAttack {
  id: string
  /** Null: of unknown kind. */
  label: string | null
  /** First and last active second so far, Unix time. */
  startSecond: number
  lastSecond: number
}

/** The limits of the time, per second; infinite: there was none. */
export interface TraceLimits {
  packets: number
  bytes: number
  flows: number
  sensitivity: number
}

export interface Trace {
  /** IPv4 address, the first one of a network. */
  address: number
  /** Prefix length, bits. */
  length: number
  /** Where it begins, Unix time. */
  second: number
  /** Whether normal was learnt. */
  learnt: boolean
  /** Whether the settings said that the target is judged. */
  judged: boolean
  limits: TraceLimits
  /** All traffic first. */
  classes: TraceClass[]
  attacks: TracedAttack[]
}

/** The trace of a target from a second on; null without traffic. */
export function traceOf(target: Target, { values, limits }: TargetSettings, second: number): Trace | null {
  const all = classOf(target.total, second)
  if (all === null) return null
  const { packets, bytes, flows, sensitivity } = limits
  const others = [...target.series.values()].flatMap((series) =>
    series === target.total ? [] : (classOf(series, second) ?? []),
  )
  const weightOf = ({ steps }: TraceClass) => steps.reduce((sum, step) => sum + (step?.packets ?? 0), 0)
  return {
    address: target.address,
    length: target.length,
    second,
    learnt: target.learnt,
    judged: values.enabled,
    limits: { packets, bytes, flows, sensitivity },
    classes: [all, ...others.sort((a, b) => weightOf(b) - weightOf(a)).slice(0, classesMax)],
    attacks: target.incidents
      .filter((incident) => isWithin(incident, second))
      .slice(0, attacksMax)
      .map(({ id, label, startSecond, lastSecond }) => ({ id, label, startSecond, lastSecond })),
  }
}

function isWithin({ startSecond, lastSecond, isOver }: Incident, second: number): boolean {
  return startSecond < second + traceSeconds && (!isOver || lastSecond >= second)
}

/** Null: no traffic. */
function classOf({ trafficClass, baseline, ring }: Series, second: number): TraceClass | null {
  if (ring === null) return null
  const { level, mean, spread, packetBytes } = baseline
  const steps = Array.from({ length: stepsPerTrace }, (_, i) => {
    const from = second + i * stepSeconds
    const step = ring.sum(from, from + stepSeconds)
    return step.packets > 0 ? step : null
  })
  if (steps.every((step) => step === null)) return null
  return { trafficClass, normal: { level, mean, spread, packetBytes }, steps }
}
