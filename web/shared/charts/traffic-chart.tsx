// Traffic over time: areas and lines, the band of what is normal, the line that was crossed, the time of the attack. Dragging zooms; the range is the
// chart's own unless somebody else holds it. Text comes first: the plot is drawn, in the room kept for it, when the page around it has been painted.
import { useEffect, useRef, useState } from 'react'
import 'uplot/dist/uPlot.min.css'
import './charts.css'
import { formatClock, type Zone } from '../format/times.ts'
import { useTranslator } from '../i18n/i18n.tsx'
import { usePainted } from '../ui/painted.ts'
import { usePreferences } from '../ui/preferences.tsx'
import type { ChartContent, ChartSeries, TimeRange } from './chart-content.ts'
import { useThemeVersion } from './colors.ts'
import { type PlotOptions, TrafficPlot } from './traffic-plot.ts'

export type { ChartSeries, TimeRange }

export interface ChartProps extends ChartContent {
  /** What the chart shows, for those who don't see it. */
  summary: string
  /** The values' unit, for the axis: `pps`. */
  unit: string
  /** A value with its unit. */
  format: (value: number) => string
  height?: number
  isStepped?: boolean
  /** The stretch of time that is shown, where somebody else holds it; null: all of it. */
  range?: TimeRange | null
  /** What to do with a stretch of time that was dragged over; without it the chart zooms in by itself. */
  onRange?: (fromMs: number, toMs: number) => void
  /** What to do when all is to be seen again. */
  onWhole?: () => void
  /** A moment was clicked. */
  onPick?: (ms: number) => void
}

export function TrafficChart(props: ChartProps) {
  const { language } = useTranslator()
  const [{ zone }] = usePreferences()
  const theme = useThemeVersion()
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<TrafficPlot | null>(null)
  const [own, setOwn] = useState<TimeRange | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const { series, fromMs, stepSeconds, unit, height = 260, isStacked = false, isStepped = false } = props
  const { band, line, windows, onRange, onWhole, onPick } = props
  const range = props.range === undefined ? own : props.range
  const callbacks = useRef<Pick<PlotOptions, 'onRange' | 'onWhole' | 'onPick'>>(null)
  useEffect(() => {
    callbacks.current = {
      onRange: (dragged) => (onRange === undefined ? setOwn(dragged) : onRange(dragged.fromMs, dragged.toMs)),
      onWhole: () => (onWhole === undefined ? setOwn(null) : onWhole()),
      onPick: (ms) => onPick?.(ms),
    }
  })
  const shape = series.map(({ label, color, isArea, isFaint }) => [label, color, isArea, isFaint].join(' ')).join('|')
  const hasBand = band !== undefined
  const isPainted = usePainted()

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme, language or set of series is another plot; data and range are not.
  useEffect(() => {
    const element = holder.current
    if (element === null || !isPainted) return
    const made = new TrafficPlot(props, range, {
      ...{ element, height, language, zone, unit, isStepped, onCursor: setAt },
      onRange: (dragged) => callbacks.current?.onRange(dragged),
      onWhole: () => callbacks.current?.onWhole(),
      onPick: (ms) => callbacks.current?.onPick(ms),
    })
    plot.current = made
    return () => {
      made.destroy()
      plot.current = null
    }
  }, [isPainted, shape, hasBand, isStacked, isStepped, theme, language, zone, height, unit])

  useEffect(
    () => plot.current?.update({ fromMs, stepSeconds, series, band, line, ...(windows && { windows }), isStacked }),
    [fromMs, stepSeconds, series, band, line, windows, isStacked],
  )
  useEffect(() => plot.current?.setRange(range), [range])

  return (
    <figure className="chart">
      <ChartLegend {...props} at={at} language={language} zone={zone} />
      <div ref={holder} role="img" aria-label={props.summary} style={{ height }} />
    </figure>
  )
}

function ChartLegend(props: ChartProps & { at: number | null; language: string; zone: Zone }) {
  const { series, format, band, line, at, fromMs, stepSeconds, language, zone } = props
  const valueAt = (values: ChartSeries['values']) => (at === null ? undefined : values[at])
  return (
    <figcaption className="legend">
      {series.map(({ label, color, values }) => {
        const value = valueAt(values)
        return (
          <span key={label}>
            <i className="swatch" style={{ background: `var(${color})` }} />
            {label}
            {value !== undefined && <b className="tabular">{value === null ? '–' : format(value)}</b>}
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
