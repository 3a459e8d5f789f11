// What the curves, rows and columns of the traffic screen stand for: the parts, what is beyond them, the whole.
import { columnOf, type Metric, type Traffic } from './queries.ts'

export interface Curve {
  /** Null: what is beyond the parts. */
  name: string | null
  color: string
  /** The average of each step, and what its least and its most busy minute had. */
  values: readonly number[]
  least: readonly number[]
  most: readonly number[]
  /** The busiest second of the whole time. */
  peak: number
}

const colors = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-7', '--series-8']
const restColor = '--series-6'

type Course = Traffic['total']

export function curveOf(course: Course, metric: Metric): Omit<Curve, 'name' | 'color'> {
  const { bytesPerSecond, packetsPerSecond, flowsPerSecond } = course.peak
  return {
    values: columnOf(course, metric),
    least: columnOf(course.min, metric),
    most: columnOf(course.max, metric),
    peak: { bits: bytesPerSecond * 8, packets: packetsPerSecond, flows: flowsPerSecond }[metric],
  }
}

/** The most first; empty: it is not taken apart. */
export function partsOf({ parts, rest }: Traffic, metric: Metric): Curve[] {
  if (parts === null) return []
  const curves = parts.map(({ name, ...course }, i): Curve => {
    return { name, color: colors[i % colors.length], ...curveOf(course, metric) }
  })
  return rest === null ? curves : [...curves, { name: null, color: restColor, ...curveOf(rest, metric) }]
}

/** The first step in which all is counted; of the time before it, the first of that. */
export function firstCounted({ from, to, stepSeconds, countedFrom }: Traffic, isBefore = false): number {
  const first = Date.parse(from) - (isBefore ? Date.parse(to) - Date.parse(from) : 0)
  const missingMs = Date.parse(countedFrom ?? from) - first
  return Math.max(0, Math.ceil(missingMs / (stepSeconds * 1_000)))
}
