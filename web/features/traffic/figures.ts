// What a column of rates comes to: least, average, 95th percentile, most, last.

export interface Figures {
  min: number
  average: number
  /** 95 of 100 steps have no more (nearest rank). */
  p95: number
  max: number
  last: number
}

/** Of the steps from `from` on; null: there are none. */
export function figuresOf(values: readonly number[], from = 0): Figures | null {
  const counted = Float64Array.from(values.slice(from))
  const { length } = counted
  if (length === 0) return null
  const last = counted[length - 1]
  const average = counted.reduce((sum, value) => sum + value, 0) / length
  counted.sort()
  return { min: counted[0], average, p95: counted[Math.ceil(length * 0.95) - 1], max: counted[length - 1], last }
}
