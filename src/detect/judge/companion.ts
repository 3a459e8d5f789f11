// Names an attack by the vector that it accompanies, also when that is too little to be judged by itself: fragments by the service whose long answers they
// are parts of.
import type { Classes } from '../../vectors/compile.ts'
import type { Companion } from '../incidents/attack-vectors.ts'
import type { Incident } from '../incidents/incident.ts'
import { judgement } from '../lines/judgement.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import { areAllCarried } from './conversations.ts'

/** Adds what an incident accompanies to its vectors, if there is such traffic. */
export function nameByCompanion(incident: Incident, target: Target, classes: Classes, nowSecond: number): void {
  const { vectors } = classes
  const { trafficClass, startSecond } = incident
  const { besides } = vectors[trafficClass] ?? {}
  const ring = target.series.get(trafficClass)?.ring
  if (besides === undefined || ring == null) return
  let most = judgement.companionPart * ring.packetsIn(startSecond, ring.last + 1)
  let companion: Companion | null = null
  for (const series of target.series.values()) {
    const { label, connection } = vectors[series.trafficClass] ?? {}
    if (label === undefined || !besides.some((attack) => label.startsWith(attack))) continue
    const more = moreThanNormal(series, startSecond)
    if (more <= most || (connection === 'opens' && areCarriedSince(startSecond, target, series, classes))) continue
    most = more
    companion = { trafficClass: series.trafficClass, label, normal: series.baseline.level }
  }
  if (companion === null) return
  incident.addCompanion(companion, (other) => target.series.get(other)?.ring ?? null, nowSecond)
}

/** Whether packets that open connections come with what such connections carry. */
function areCarriedSince(second: number, target: Target, { trafficClass, ring }: Series, classes: Classes): boolean {
  if (ring === null) return false
  return areAllCarried([target], trafficClass, ring.sum(second, ring.last + 1), { classes, learnt: target.learnt })
}

/** Packets above normal since a second; 0 when sampling alone may explain them. */
function moreThanNormal({ ring, baseline }: Series, since: number): number {
  if (ring === null) return 0
  const { packets, observed } = ring.sum(since, ring.last + 1)
  const more = packets - baseline.level * (ring.last + 1 - since)
  return observed > 0 && more > judgement.companionSigmas * Math.sqrt(observed) * (packets / observed) ? more : 0
}
