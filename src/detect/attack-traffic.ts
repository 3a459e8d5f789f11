// The recent traffic of a target, as an attack on it is followed by.
import type { Classes } from '../vectors/compile.ts'
import type { RateRing } from './rates.ts'
import type { Target } from './target.ts'

/** The rates of a class of the target; null: there is no traffic. */
export type RingOf = (trafficClass: number) => RateRing | null

/** The target's rates: of the attack's heaviest class, of each class, and of all traffic, which the attack amounts to. */
export interface AttackTraffic {
  ofClass: RateRing | null
  ofTotal: RateRing | null
  ringOf: RingOf
  /** All classes that have a label. */
  labelled: readonly { label: string; ring: RateRing | null }[]
  /** What is normal for the class by now, packets a second. */
  normal: number
  /** And for all traffic; null while not learnt. */
  normalOfTotal: number | null
}

/** Before anything is heard. */
export const noTraffic: AttackTraffic = {
  ofClass: null,
  ofTotal: null,
  ringOf: () => null,
  labelled: [],
  normal: 0,
  normalOfTotal: null,
}

export function ringsOf(target: Target): RingOf {
  return (trafficClass) => target.series.get(trafficClass)?.ring ?? null
}

export function trafficOf(target: Target, trafficClass: number, { vectors }: Classes): AttackTraffic {
  const series = target.series.get(trafficClass)
  const labelled = Array.from(target.series.values()).flatMap(({ trafficClass, ring }) => {
    const label = vectors[trafficClass]?.label
    return label === undefined ? [] : [{ label, ring }]
  })
  return {
    ofClass: series?.ring ?? null,
    ofTotal: target.total.ring,
    ringOf: ringsOf(target),
    labelled,
    normal: series?.baseline.level ?? 0,
    normalOfTotal: target.learnt ? target.total.baseline.level : null,
  }
}
