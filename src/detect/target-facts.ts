// What is known of an attacked target by its recent traffic.
import { bandOf } from './baseline.ts'
import type { Incident } from './incident.ts'
import type { Course, Followed } from './incident-report.ts'
import type { RateRing } from './rates.ts'
import type { Target } from './target.ts'

/** As far back as the ring reaches. */
export function lastMinutesOf({ startSecond, lastSecond }: Incident, ring: RateRing | null) {
  const from = Math.max(startSecond, ring?.first ?? startSecond)
  const seconds = Math.max(1, lastSecond + 1 - from)
  const { packets, bytes } = ring?.sum(from, lastSecond + 1) ?? { packets: 0, bytes: 0 }
  return { packets, bytes, seconds }
}

/** Null: it is not learnt. */
export function normalOf(target: Target, trafficClass: number): Course['normal'] {
  const series = target.series.get(trafficClass)
  if (series === undefined || !target.learnt) return null
  return { total: bandOf(target.total.baseline, 1), attack: bandOf(series.baseline, 1) }
}

/** Where an attack on several /24s is. */
export function areaOf({ length, wholes }: Target): Pick<Followed, 'networkLength' | 'wholes'> {
  return { networkLength: length, wholes: wholes.map(({ address }) => address) }
}
