// What only accompanies an attack is named by what it accompanies, be that too little to be judged by itself: fragments by the service whose long
// answers they are parts of.
import type { Classes } from '../vectors/compile.ts'
import type { Accompanied, Incident } from './incident.ts'
import type { Series } from './series.ts'
import type { Target } from './target.ts'

/** What is accompanied has such a part of the packets of what accompanies it. */
const partMin = 0.2
/** Of a sum of sampled packets, in standard deviations: more is no chance. */
const sigmas = 3

/** Does nothing when the incident is of a kind of its own, or nothing is seen that it accompanies. */
export function nameByAccompanied(incident: Incident, target: Target, { vectors }: Classes, nowSecond: number): void {
  const { trafficClass, startSecond } = incident
  const { besides } = vectors[trafficClass] ?? {}
  const ring = target.series.get(trafficClass)?.ring
  if (besides === undefined || ring == null) return
  let most = partMin * ring.packetsIn(startSecond, ring.last + 1)
  let accompanied: Accompanied | null = null
  for (const series of target.series.values()) {
    const label = vectors[series.trafficClass]?.label
    if (label === undefined || !besides.some((attack) => label.startsWith(attack))) continue
    const more = moreThanNormal(series, startSecond)
    if (more <= most) continue
    most = more
    accompanied = { trafficClass: series.trafficClass, label, normal: series.baseline.level }
  }
  if (accompanied === null) return
  incident.accompany(accompanied, (other) => target.series.get(other)?.ring ?? null, nowSecond)
}

/** Packets above normal since a second, as far as they are no chance. */
function moreThanNormal({ ring, baseline }: Series, since: number): number {
  if (ring === null) return 0
  const { packets, observed } = ring.sum(since, ring.last + 1)
  const more = packets - baseline.level * (ring.last + 1 - since)
  return observed > 0 && more > sigmas * Math.sqrt(observed) * (packets / observed) ? more : 0
}
