// Judges traces again by given limits, step by step, with the judge and the incidents of live detection: what would have been an attack.
import { compileVectors } from '../../vectors/compile.ts'
import { vectors } from '../../vectors/vectors.ts'
import { Absences } from '../absences.ts'
import type { IncidentReport } from '../incidents/incident-report.ts'
import { Incidents } from '../incidents/incidents.ts'
import { candidatesOf } from '../judge/candidates.ts'
import { traces as lines } from '../lines/traces.ts'
import type { DetectSettings } from '../settings.ts'
import { judgedBy } from './look.ts'
import { stepSeconds, stepsPerTrace, type Trace, type TraceLimits, traceSeconds } from './trace.ts'
import { TracedTarget } from './traced-target.ts'

export interface ReplaySettings {
  limits: TraceLimits
  /** False: its traffic is not judged. */
  enabled: boolean
  /** The rest of the settings: how an attack goes on. */
  detect: DetectSettings
}

export interface ReplayedAttack {
  /** Null: of unknown kind. */
  label: string | null
  /** Unix milliseconds. */
  startMs: number
  endMs: number
  /** Rates of its strongest seconds. */
  packetsPerSecond: number
  bytesPerSecond: number
  /** The line that was crossed, and the rate that crossed it; `metric` per second. */
  metric: string
  value: number
  line: number
}

/** An address has few attacks at a time. */
const incidentsMax = 64
/** Reports in full are not needed. */
const updateSeconds = 300

export class Replay {
  readonly #settings: ReplaySettings
  readonly #incidents: Incidents
  readonly #traced: TracedTarget
  readonly #attacks = new Map<string, ReplayedAttack>()
  /** Where the next step begins, Unix time; null before the first. */
  #second: number | null = null

  constructor(first: Trace, settings: ReplaySettings) {
    this.#settings = settings
    this.#traced = new TracedTarget(first)
    this.#incidents = new Incidents({
      settings: { ...settings.detect, incidentsMax, updateSeconds },
      classes: compileVectors(vectors),
      hostsOf: () => [],
      relatedTo: () => [],
      isJudged: () => true,
      absences: new Absences(),
    })
  }

  /** The next trace of the target; `learnt`: whether it may be compared with normal. */
  add(trace: Trace, learnt: boolean): void {
    if (!this.#settings.enabled) return
    this.#passUntil(trace.second)
    this.#traced.setNormal(trace, learnt)
    for (let step = 0; step < stepsPerTrace; step++) {
      this.#traced.addStep(trace, step)
      // A class that comes now has its normal, too.
      this.#traced.setNormal(trace, learnt)
      this.#pass(trace.second + (step + 1) * stepSeconds, learnt)
    }
    this.#second = Math.max(this.#second ?? 0, trace.second + traceSeconds)
  }

  /** The attacks, by beginning. */
  end(): ReplayedAttack[] {
    if (this.#second !== null) {
      this.#passUntil(Number.POSITIVE_INFINITY)
      this.#incidents.beginPass(this.#second * 1000)
      this.#incidents.closeAll()
      this.#note(this.#incidents.endPass())
    }
    return [...this.#attacks.values()].sort((a, b) => a.startMs - b.startMs)
  }

  /** Seconds without a trace: what goes on becomes quiet and ends. */
  #passUntil(second: number): void {
    if (this.#second === null) return
    let at = this.#second
    const last = at + this.#settings.detect.quietSeconds + lines.endSecondsMax
    while (this.#incidents.open > 0 && at + stepSeconds <= Math.min(second, last)) {
      at += stepSeconds
      this.#incidents.beginPass(at * 1000)
      this.#note(this.#incidents.endPass())
    }
    // What ended long ago does not come back.
    if (Number.isFinite(second) && second > at) {
      this.#incidents.beginPass(second * 1000)
      this.#note(this.#incidents.endPass())
    }
    this.#second = Math.max(at, Number.isFinite(second) ? second : at)
  }

  #pass(nowSecond: number, learnt: boolean): void {
    const { target } = this.#traced
    // A trace of the past is judged like a record that comes late.
    this.#incidents.beginPass(Math.max(nowSecond, this.#second ?? 0) * 1000)
    this.#incidents.take(target, candidatesOf(target, judgedBy(this.#settings.limits, learnt)))
    this.#note(this.#incidents.endPass())
    target.judged()
  }

  #note(reports: readonly IncidentReport[]): void {
    for (const { incident, label, startMs, endMs, peak, why } of reports) {
      const [{ metric, value, threshold }] = why
      this.#attacks.set(incident, {
        ...{ label, startMs, endMs, metric, value, line: threshold },
        packetsPerSecond: peak.packetsPerSecond,
        bytesPerSecond: peak.bytesPerSecond,
      })
    }
  }
}

/** Which attacks of two replays have none at the same time in the other. */
export function difference(before: readonly ReplayedAttack[], after: readonly ReplayedAttack[]) {
  const without = (some: readonly ReplayedAttack[], others: readonly ReplayedAttack[]) =>
    some.filter((one) => !others.some((other) => other.startMs <= one.endMs && other.endMs >= one.startMs))
  return { lost: without(before, after), won: without(after, before) }
}
