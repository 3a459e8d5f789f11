// An attack from before a restart of the service, as it is continued: its vectors, and what it began with.
import { addressLength } from '../../net/network.ts'
import type { ClassKeys } from '../../vectors/class-keys.ts'
import type { Classes } from '../../vectors/compile.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { wholeLength } from '../rates/network-sums.ts'
import { createWindow } from '../rates/rates.ts'
import type { AttackVector } from './attack-vectors.ts'
import type { IncidentOrigin } from './incident.ts'
import type { ResumedIncident } from './incident-report.ts'

/** Its vectors by traffic class, the one that names it first; empty when today's table of vectors has none of them. */
export function resumedVectors(
  { followed }: ResumedIncident,
  keys: ClassKeys,
  classes: Classes,
): Map<number, AttackVector> {
  const parts = new Map<number, AttackVector>()
  for (const { key, label, quietBelow } of followed.parts) {
    const trafficClass = keys.classOf(key)
    if (trafficClass === null) continue
    parts.set(trafficClass, { label, besides: classes.vectors[trafficClass]?.besides ?? [], quietBelow, why: null })
  }
  return parts
}

/** Prefix length of the network that was attacked, bits. Older reports lack it: a /24 if there are victims. */
export function resumedLength({ victims, followed }: ResumedIncident): number {
  return followed.networkLength ?? (victims.length > 0 ? wholeLength : addressLength)
}

/** The origin of an incident whose alarm is past: what it was is in the report. */
export function resumedOrigin(was: ResumedIncident, trafficClass: number, evidence: Evidence): IncidentOrigin {
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
    length: resumedLength(was),
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
