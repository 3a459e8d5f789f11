// What a chart shows, and its columns as the plot takes them. Columns come in as the interface has them; no object is made for a point. Pure.

export interface ChartSeries {
  label: string
  /** Null: nothing is recorded, which is a gap and not a zero. */
  values: readonly (number | null)[]
  /** The name of a colour: `--series-1`. */
  color: string
  /** Filled down to zero. */
  isArea?: boolean
  /** For comparison: dashed, and never stacked. */
  isFaint?: boolean
}

export interface ChartContent {
  fromMs: number
  stepSeconds: number
  series: readonly ChartSeries[]
  band?: { low: number; high: number; label: string } | undefined
  line?: { value: number; label: string } | undefined
  /** Times that are shaded, in milliseconds. */
  windows?: readonly { startMs: number; endMs: number }[]
  /** Each series on top of those before it. */
  isStacked?: boolean
}

/** A stretch of time, Unix milliseconds. */
export interface TimeRange {
  fromMs: number
  toMs: number
}

export type Column = (number | null)[]

const stepsOf = ({ series }: ChartContent) => series[0]?.values.length ?? 0

/**
 * The values with gaps where nothing was recorded. `all` is the traffic of all that is shown: where it is nothing for several steps, no record came. A
 * step beside traffic stays, so that a single one is seen.
 */
export function withGaps(values: readonly number[], all: readonly number[]): Column {
  const isNothing = (step: number) => (all[step] ?? 0) === 0
  return values.map((value, step) => ([step - 1, step, step + 1].every(isNothing) ? null : value))
}

/** From the first step to the last. */
export function wholeRange(content: ChartContent): TimeRange {
  const { fromMs, stepSeconds } = content
  return { fromMs, toMs: fromMs + Math.max(1, stepsOf(content) - 1) * stepSeconds * 1_000 }
}

/** The part of the range that there is data of; null: there is none, or it is all. */
export function rangeWithin(content: ChartContent, range: TimeRange | null): TimeRange | null {
  if (range === null) return null
  const whole = wholeRange(content)
  const [fromMs, toMs] = [Math.max(range.fromMs, whole.fromMs), Math.min(range.toMs, whole.toMs)]
  if (toMs - fromMs < content.stepSeconds * 1_000) return null
  return fromMs === whole.fromMs && toMs === whole.toMs ? null : { fromMs, toMs }
}

/** Times in seconds, the series, and the edges of the band. */
export function columnsOf(content: ChartContent): [times: number[], ...Column[]] {
  const { fromMs, stepSeconds, series, band, isStacked } = content
  const count = stepsOf(content)
  const times = Array.from({ length: count }, (_, step) => fromMs / 1_000 + step * stepSeconds)
  const columns = isStacked === true ? stacked(series) : series.map(({ values }) => [...values])
  if (band === undefined) return [times, ...columns]
  const level = (value: number): Column => new Array(count).fill(value)
  return [times, ...columns, level(band.high), level(band.low)]
}

function stacked(series: readonly ChartSeries[]): Column[] {
  const below: Column = new Array(series[0]?.values.length ?? 0).fill(0)
  return series.map(({ values, isFaint }) => {
    if (isFaint === true) return [...values]
    for (const [step, under] of below.entries()) {
      const value = values[step] ?? null
      below[step] = under === null || value === null ? null : under + value
    }
    return [...below]
  })
}

/** The top of the axis. The line that was crossed is in sight unless the traffic is far above or below it. */
export function highest({ line, band }: ChartContent, max: number): number {
  const most = Math.max(max, band?.high ?? 0)
  const isNear = line !== undefined && line.value < most * 4
  const top = Math.max(most, isNear ? line.value : 0)
  // Where nothing came, the axis has whole numbers.
  return (top > 0 ? top : 1) * 1.08
}
