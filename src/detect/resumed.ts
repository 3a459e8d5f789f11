// How an attack from before the service was started is followed on: the vectors that it is made of, and what it began with.
import type { ClassKeys } from '../vectors/class-keys.ts'
import type { Classes } from '../vectors/compile.ts'
import type { Evidence } from './evidence.ts'
import type { IncidentOrigin, Part } from './incident.ts'
import type { ResumedIncident } from './incident-report.ts'
import { wholeLength } from './networks.ts'
import { createWindow } from './rates.ts'

/** By traffic class, the heaviest first; empty: today's table of vectors has none of them. */
export function partsOf({ followed }: ResumedIncident, keys: ClassKeys, classes: Classes): Map<number, Part> {
  const parts = new Map<number, Part>()
  for (const { key, label, quietBelow } of followed.parts) {
    const trafficClass = keys.classOf(key)
    if (trafficClass === null) continue
    parts.set(trafficClass, { label, besides: classes.vectors[trafficClass]?.besides ?? [], quietBelow, why: null })
  }
  return parts
}

/** Of the prefix that is attacked, in bits; 32: it is a single address. Where it is not said, as of old, a /24 has victims. */
export function lengthOf({ victims, followed }: ResumedIncident): number {
  return followed.networkLength ?? (victims.length > 0 ? wholeLength : 32)
}

/** Its alarm is long past: what it was is in the incident itself. */
export function originOf(was: ResumedIncident, trafficClass: number, evidence: Evidence): IncidentOrigin {
  const { address, label, startMs, endMs, packetsPerSecond, deviation, why, followed } = was
  const window = createWindow(startMs / 1000, endMs / 1000)
  const alarm = {
    window,
    rate: packetsPerSecond,
    line: 0,
    normal: 0,
    deviation,
    whole: true,
    moreOfTheSame: false,
    why: why[0],
  }
  const { isProvisional } = followed
  return {
    address,
    length: lengthOf(was),
    trafficClass,
    label,
    besides: [],
    alarm,
    evidence,
    earliest: 0,
    heldSeconds: 0,
    isProvisional,
  }
}
