// Traffic over time: areas and lines, the band of what is normal, the line that was crossed, the time of the attack. Columns come in as the
// interface has them; no object is made for a point.
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './charts.css'
import { formatClock, formatMoment, type Zone } from '../format/times.ts'
import { useTranslator } from '../i18n/i18n.tsx'
import { usePreferences } from '../ui/preferences.tsx'
import { colorOf, useThemeVersion } from './colors.ts'
import { drawUnder } from './drawings.ts'

export interface ChartSeries {
  label: string
  values: readonly number[]
  /** The name of a colour: `--series-1`. */
  color: string
  /** Filled down to zero. */
  isArea?: boolean
  /** For comparison: dashed, and never stacked. */
  isFaint?: boolean
}

export interface ChartProps {
  /** What the chart shows, for those who don't see it. */
  summary: string
  fromMs: number
  stepSeconds: number
  series: readonly ChartSeries[]
  format: (value: number) => string
  band?: { low: number; high: number; label: string } | undefined
  line?: { value: number; label: string } | undefined
  /** Times that are shaded, in milliseconds. */
  windows?: readonly { startMs: number; endMs: number }[]
  height?: number
  /** Each series on top of those before it. */
  isStacked?: boolean
  /** What to do with a stretch of time that was dragged over; without it the chart zooms in by itself. */
  onRange?: (fromMs: number, toMs: number) => void
  /** A moment was clicked. */
  onPick?: (ms: number) => void
}

export function TrafficChart(props: ChartProps) {
  const { language } = useTranslator()
  const [{ zone }] = usePreferences()
  const theme = useThemeVersion()
  const holder = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const [at, setAt] = useState<number | null>(null)
  const { series, fromMs, stepSeconds, height = 260, isStacked = false } = props
  const shape = series.map(({ label, color, isArea, isFaint }) => [label, color, isArea, isFaint].join(' ')).join('|')

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme, language or set of series is another chart; data is not.
  useEffect(() => {
    const element = holder.current
    if (element === null) return
    const made = new uPlot(optionsOf(latest, { element, height, language, zone, onCursor: setAt }), [[]], element)
    chart.current = made
    made.setData(dataOf(latest.current))
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      chart.current = null
    }
  }, [shape, isStacked, theme, language, zone, height])

  // biome-ignore lint/correctness/useExhaustiveDependencies: data alone changes.
  useEffect(
    () => chart.current?.setData(dataOf(latest.current)),
    [fromMs, stepSeconds, series, isStacked, props.band, props.line],
  )

  return (
    <figure className="chart">
      <ChartLegend {...props} at={at} language={language} zone={zone} />
      <div ref={holder} role="img" aria-label={props.summary} style={{ height }} />
    </figure>
  )
}

function ChartLegend(props: ChartProps & { at: number | null; language: string; zone: Zone }) {
  const { series, format, band, line, at, fromMs, stepSeconds, language, zone } = props
  const valueAt = (values: readonly number[]) => (at === null ? undefined : values[at])
  return (
    <figcaption className="legend">
      {series.map(({ label, color, values }) => {
        const value = valueAt(values)
        return (
          <span key={label}>
            <i className="swatch" style={{ background: `var(${color})` }} />
            {label}
            {value !== undefined && <b className="tabular">{format(value)}</b>}
          </span>
        )
      })}
      {band !== undefined && (
        <span>
          <i className="swatch band" />
          {band.label}
        </span>
      )}
      {line !== undefined && (
        <span>
          <i className="swatch line" />
          {line.label}
        </span>
      )}
      {at !== null && (
        <time className="tabular quiet">{formatClock(fromMs + at * stepSeconds * 1000, language, zone)}</time>
      )}
    </figcaption>
  )
}

function dataOf({ fromMs, stepSeconds, series, band, isStacked }: ChartProps): uPlot.AlignedData {
  const count = series[0]?.values.length ?? 0
  const times = Float64Array.from({ length: count }, (_, i) => fromMs / 1000 + i * stepSeconds)
  const level = (value: number | undefined) => new Float64Array(count).fill(value ?? 0)
  const columns = isStacked === true ? stacked(series) : series.map(({ values }) => Float64Array.from(values))
  return band === undefined ? [times, ...columns] : [times, ...columns, level(band.high), level(band.low)]
}

function stacked(series: readonly ChartSeries[]): Float64Array[] {
  const below = new Float64Array(series[0]?.values.length ?? 0)
  return series.map(({ values, isFaint }) => {
    if (isFaint === true) return Float64Array.from(values)
    for (let i = 0; i < below.length; i++) below[i] += values[i]
    return below.slice()
  })
}

/** A phone's. */
const narrowPixels = 480

interface Surroundings {
  element: HTMLElement
  height: number
  language: string
  zone: Zone
  onCursor: (index: number | null) => void
}

function optionsOf(latest: { current: ChartProps }, around: Surroundings): uPlot.Options {
  const { series, band, stepSeconds, isStacked = false, onRange } = latest.current
  const { element, height, language, zone, onCursor } = around
  const quiet = colorOf(element, '--text-3')
  const grid = { stroke: colorOf(element, '--line'), width: 1 }
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const isNarrow = element.clientWidth < narrowPixels
  const steps = uPlot.paths.stepped?.({ align: 1 })
  const spline = stepSeconds <= 1 && steps !== undefined ? { paths: steps } : {}
  const shown: uPlot.Series[] = series.map(({ label, color, isArea, isFaint }) => ({
    label,
    stroke: colorOf(element, color),
    width: isStacked ? 0.75 : isArea === true ? 1.25 : 1.75,
    points: { show: false },
    ...(isArea === true ? { fill: colorOf(element, color, isStacked ? 0.5 : 0.16) } : {}),
    ...(isFaint === true ? { dash: [5, 4], width: 1.25 } : {}),
    ...spline,
  }))
  // Of what is stacked, each is filled down to the one below it.
  const stack = isStacked ? series.flatMap(({ isFaint }, i) => (isFaint === true ? [] : [i + 1])) : []
  const bands: uPlot.Band[] = stack.slice(1).map((upper, i) => ({ series: [upper, stack[i]] }))
  const edge: uPlot.Series = { stroke: 'transparent', points: { show: false } }
  return {
    width: Math.max(element.clientWidth, 200),
    height,
    padding: [12, isNarrow ? 24 : 32, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: true, y: false, setScale: onRange === undefined },
      sync: { key: 'traffic' },
    },
    scales: { x: { time: true }, y: { range: (_, _min, max) => [0, highest(latest.current, max)] } },
    axes: [
      {
        stroke: quiet,
        grid,
        ticks: { show: false },
        font,
        space: isNarrow ? 64 : 90,
        size: 30,
        values: (_, ticks) => ticks.map((tick) => timeOf(tick * 1000, latest.current, language, zone)),
      },
      {
        stroke: quiet,
        grid,
        ticks: { show: false },
        font,
        size: 92,
        values: (_, ticks) => ticks.map((tick) => latest.current.format(tick)),
      },
    ],
    series: [{}, ...shown, ...(band === undefined ? [] : [edge, edge])],
    bands:
      band === undefined
        ? bands
        : [...bands, { series: [shown.length + 1, shown.length + 2], fill: colorOf(element, '--series-3', 0.22) }],
    hooks: {
      ready: [(chart) => listenForPicks(chart, latest)],
      setSelect: [(chart) => takeSelection(chart, latest)],
      drawClear: [(chart) => drawUnder(chart, latest.current, element)],
      draw: [(chart) => drawLine(chart, latest.current, element)],
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
    },
  }
}

function listenForPicks(chart: uPlot, latest: { current: ChartProps }): void {
  chart.over.addEventListener('click', () => {
    const { left = -1 } = chart.cursor
    if (left >= 0) latest.current.onPick?.(chart.posToVal(left, 'x') * 1000)
  })
}

function takeSelection(chart: uPlot, { current: { onRange, stepSeconds } }: { current: ChartProps }): void {
  const { left, width } = chart.select
  if (onRange === undefined || width <= 0) return
  const [from, to] = [chart.posToVal(left, 'x'), chart.posToVal(left + width, 'x')]
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  if (to - from >= stepSeconds) onRange(from * 1000, to * 1000)
}

/** The line that was crossed is in sight unless the traffic is far above or below it. */
function highest({ line, band }: ChartProps, max: number): number {
  const most = Math.max(max, band?.high ?? 0)
  const isNear = line !== undefined && line.value < most * 4
  return Math.max(most, isNear ? line.value : 0, 1e-9) * 1.08
}

function timeOf(ms: number, { fromMs, stepSeconds, series }: ChartProps, language: string, zone: Zone): string {
  const spanMs = (series[0]?.values.length ?? 0) * stepSeconds * 1000
  if (spanMs > 36 * 3_600_000) return formatMoment(ms, fromMs + 400 * 86_400_000, language, zone)
  const text = formatClock(ms, language, zone)
  return spanMs > 2 * 3_600_000 ? text.replace(/:\d\d$/, '') : text
}

function drawLine(chart: uPlot, { line }: ChartProps, element: HTMLElement): void {
  if (line === undefined) return
  const y = chart.valToPos(line.value, 'y', true)
  const { left, width, top } = chart.bbox
  if (y < top) return
  const { ctx } = chart
  ctx.save()
  ctx.strokeStyle = colorOf(element, '--bad')
  ctx.lineWidth = 1.5 * devicePixelRatio
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(left, y)
  ctx.lineTo(left + width, y)
  ctx.stroke()
  ctx.restore()
}
