// What the curves, rows and columns of the traffic screen stand for: the parts, what is beyond them, the whole.
import { columnOf, type Metric, type Traffic } from './queries.ts'

export interface Curve {
  /** Null: what is beyond the parts. */
  name: string | null
  color: string
  values: readonly number[]
}

const colors = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-7', '--series-8']
const restColor = '--series-6'

/** The most first; empty: it is not taken apart. */
export function partsOf({ parts, total }: Traffic, metric: Metric): Curve[] {
  if (parts === null) return []
  const curves = parts.map(
    ({ name, ...course }, i): Curve => ({ name, color: colors[i % colors.length], values: columnOf(course, metric) }),
  )
  const whole = columnOf(total, metric)
  const rest = whole.map((value, i) => curves.reduce((left, { values }) => left - values[i], value))
  // Rounding leaves traces.
  const isMore = rest.some((value, i) => value > whole[i] / 1_000 && value > 1)
  return isMore
    ? [...curves, { name: null, color: restColor, values: rest.map((value) => Math.max(0, value)) }]
    : curves
}

/** The first step in which all is counted; of the time before it, the first of that. */
export function firstCounted({ from, to, stepSeconds, countedFrom }: Traffic, isBefore = false): number {
  const first = Date.parse(from) - (isBefore ? Date.parse(to) - Date.parse(from) : 0)
  const missingMs = Date.parse(countedFrom ?? from) - first
  return Math.max(0, Math.ceil(missingMs / (stepSeconds * 1_000)))
}
