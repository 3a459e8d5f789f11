// What reports of an attack say about its target.

import type { Incident } from '../incidents/incident.ts'
import type { Continuation, Course } from '../incidents/incident-report.ts'
import { bandOf } from '../normal/baseline.ts'
import type { RateRing } from '../rates/rates.ts'
import type { Target } from './target.ts'

/** Sums of an attack as far back as the ring reaches, and no further than a restart: earlier traffic is not in it. */
export function lastMinutesOf({ startSecond, lastSecond, resumedMs }: Incident, ring: RateRing | null) {
  const from = Math.max(startSecond, ring?.first ?? startSecond, Math.floor(resumedMs / 1000))
  const seconds = Math.max(1, lastSecond + 1 - from)
  const { packets, bytes } = ring?.sum(from, lastSecond + 1) ?? { packets: 0, bytes: 0 }
  return { packets, bytes, seconds }
}

/** The normal of all traffic and of a class; null while not learnt. */
export function normalOf(target: Target, trafficClass: number): Course['normal'] {
  const series = target.series.get(trafficClass)
  if (series === undefined || !target.learnt) return null
  return { total: bandOf(target.total.baseline, 1), attack: bandOf(series.baseline, 1) }
}

/** The network and the /24s of an area. */
export function areaOf({ length, wholes }: Target): Pick<Continuation, 'networkLength' | 'wholes'> {
  return { networkLength: length, wholes: wholes.map(({ address }) => address) }
}
