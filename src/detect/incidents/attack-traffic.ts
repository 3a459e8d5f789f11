// The recent traffic of a target, as an attack on it needs it.
import type { Classes } from '../../vectors/compile.ts'
import type { Normal } from '../normal/baseline.ts'
import type { RateRing } from '../rates/rates.ts'
import type { Target } from '../targets/target.ts'

/** The rates of a class of the target; null without traffic. */
export type RingOf = (trafficClass: number) => RateRing | null

/** The rates of a target: those of the class that names the attack, of each class, and of all traffic. */
export interface AttackTraffic {
  ofClass: RateRing | null
  ofTotal: RateRing | null
  ringOf: RingOf
  /** The classes with a label. */
  labelled: readonly { label: string; ring: RateRing | null }[]
  /** Normal rate of the class, packets a second. */
  normal: number
  /** Normal of all traffic, as numbers of an event. */
  normals: NormalNumbers
}

/** Normal of all traffic of a target as numbers of an event: a row for each, by its name there. */
const normalRows = {
  normalPacketsPerSecond: ({ level }) => level,
  normalBytesPerSecond: ({ level, packetBytes }) => level * packetBytes,
  usualPacketsPerSecond: ({ mean }) => mean,
} as const satisfies Record<string, (normal: Normal) => number>

/** Null while not learnt. */
export type NormalNumbers = { [Name in keyof typeof normalRows]: number | null }

/** The numbers by what `numberOf` has for each row. */
function normalsBy(numberOf: (name: keyof NormalNumbers) => number | null): NormalNumbers {
  const names = Object.keys(normalRows) as (keyof NormalNumbers)[]
  return Object.fromEntries(names.map((name) => [name, numberOf(name)])) as NormalNumbers
}

/** The same numbers of something that has others, too. */
export function normalsOf(has: NormalNumbers): NormalNumbers {
  return normalsBy((name) => has[name])
}

/** The traffic of a target without any so far. */
export const noTraffic: AttackTraffic = {
  ofClass: null,
  ofTotal: null,
  ringOf: () => null,
  labelled: [],
  normal: 0,
  normals: normalsBy(() => null),
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
    normals: normalsBy((name) => (target.learnt ? normalRows[name](target.total.baseline) : null)),
  }
}
