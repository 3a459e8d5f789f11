// What a curve comes to: least, average, 95th percentile, most, busiest second, last.
import type { Curve } from './parts.ts'

export interface Figures {
  /** The quietest minute, however long the steps are. */
  min: number
  average: number
  /** 95 of 100 steps have no more on average (nearest rank). */
  p95: number
  /** The busiest minute, likewise. */
  max: number
  /** The busiest second. */
  peak: number
  last: number
}

/** The figures of the steps from `from` on; null: there are none. */
export function figuresOf(
  { values, least, most, peak }: Pick<Curve, 'values' | 'least' | 'most' | 'peak'>,
  from = 0,
): Figures | null {
  const counted = Float64Array.from(values.slice(from))
  const { length } = counted
  if (length === 0) return null
  const last = counted[length - 1]
  const average = counted.reduce((sum, value) => sum + value, 0) / length
  counted.sort()
  return {
    min: least.slice(from).reduce((a, b) => Math.min(a, b)),
    average,
    p95: counted[Math.ceil(length * 0.95) - 1],
    max: most.slice(from).reduce((a, b) => Math.max(a, b)),
    peak,
    last,
  }
}
