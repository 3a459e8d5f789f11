// How far back the overview shows: a day, or as far as there has been any traffic, so that a young installation is no empty day.
import type { Overview } from './queries.ts'

const hourMs = 3_600_000
const hoursMost = 24

export interface Span {
  fromMs: number
  /** 1 to 24. */
  hours: number
}

export function spanOf({ traffic, attacks }: Overview, nowMs: number): Span {
  const first = traffic.packetsPerSecond.findIndex((packets) => packets > 0)
  const firstMs = first < 0 ? nowMs : Date.parse(traffic.from) + first * traffic.stepSeconds * 1000
  const beganMs = Math.min(firstMs, ...attacks.map(({ start }) => Date.parse(start)))
  // Without any it is not known to be young.
  const hours = first < 0 ? hoursMost : Math.max(1, Math.min(hoursMost, Math.ceil((nowMs - beganMs) / hourMs)))
  return { fromMs: nowMs - hours * hourMs, hours }
}
