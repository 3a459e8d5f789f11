// What an attack consists of, by what the last minutes still hold: which vectors have which part of the traffic.
import type { Classes } from '../vectors/compile.ts'
import { bandOf } from './baseline.ts'
import type { Incident } from './incident.ts'
import type { Course, Followed, VectorShare } from './incident-report.ts'
import type { RateRing } from './rates.ts'
import type { Target } from './target.ts'

/** Smaller parts are not told of. */
const shareMin = 0.01

export function vectorsOf(incident: Incident, { series, total }: Target, classes: Classes): VectorShare[] {
  const all = lastMinutesOf(incident, total.ring)
  if (all.packets === 0) return []
  const packets = new Map<string, number>()
  for (const { trafficClass, ring } of series.values()) {
    const label = classes.vectors[trafficClass]?.label
    if (label === undefined) continue
    packets.set(label, (packets.get(label) ?? 0) + lastMinutesOf(incident, ring).packets)
  }
  return [...packets]
    .map(([label, sum]) => ({ label, share: sum / all.packets, packetsPerSecond: sum / all.seconds }))
    .filter(({ share }) => share >= shareMin)
    .sort((a, b) => b.share - a.share)
}

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
