// The plot of a chart: a canvas that outlives its data. It keeps the range that it was zoomed to until it is given another, whatever data comes.
import uPlot from 'uplot'
import { axisUnit, formatTick } from '../format/rates.ts'
import { formatClock, formatMoment, type Zone } from '../format/times.ts'
import { type ChartContent, columnsOf, highest, rangeWithin, type TimeRange, wholeRange } from './chart-content.ts'
import { colorOf } from './colors.ts'
import { drawLine, drawUnder, drawUnit } from './drawings.ts'

export interface PlotOptions {
  element: HTMLElement
  height: number
  language: string
  zone: Zone
  /** The values' unit: `pps`. */
  unit: string
  /** Averages over their steps, drawn as such. */
  isStepped: boolean
  onCursor: (index: number | null) => void
  /** A stretch of time was dragged over. */
  onRange: (range: TimeRange) => void
  /** The reader wants to see all again. */
  onWhole: () => void
  onPick: (ms: number) => void
}

/** A phone's. */
const narrowPixels = 480
const fontPixels = 12
const gutterMin = 34
const tickGap = 8
/** Room above the axis for its unit. */
const headPixels = 24

export class TrafficPlot {
  readonly #plot: uPlot
  readonly #options: PlotOptions
  readonly #observer: ResizeObserver
  #content: ChartContent
  #range: TimeRange | null

  constructor(content: ChartContent, range: TimeRange | null, options: PlotOptions) {
    this.#content = content
    this.#range = range
    this.#options = options
    const { element, height } = options
    this.#plot = new uPlot(this.#uplotOptions(), [[]], element)
    this.update(content)
    this.#observer = new ResizeObserver(() => this.#plot.setSize({ width: this.#width(), height }))
    this.#observer.observe(element)
  }

  /** Other data in the same series. */
  update(content: ChartContent): void {
    this.#content = content
    this.#plot.setData(columnsOf(content), false)
    this.#show()
  }

  /** Null: all of it. */
  setRange(range: TimeRange | null): void {
    this.#range = range
    this.#show()
  }

  destroy(): void {
    this.#observer.disconnect()
    this.#plot.destroy()
  }

  #width(): number {
    return Math.max(this.#options.element.clientWidth, 200)
  }

  #show(): void {
    const { fromMs, toMs } = rangeWithin(this.#content, this.#range) ?? wholeRange(this.#content)
    this.#plot.setScale('x', { min: fromMs / 1_000, max: toMs / 1_000 })
  }

  #uplotOptions(): uPlot.Options {
    const { element, height, onCursor, onWhole } = this.#options
    const isNarrow = element.clientWidth < narrowPixels
    const [series, bands] = this.#seriesAndBands()
    return {
      width: this.#width(),
      height,
      padding: [headPixels, isNarrow ? 24 : 32, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { size: 7 },
        // The range is set by who holds it, and comes back from there.
        drag: { x: true, y: false, setScale: false },
        sync: { key: 'traffic' },
        bind: {
          dblclick: () => () => {
            onWhole()
            return null
          },
        },
      },
      scales: { x: { time: true }, y: { range: (_, _min, max) => [0, highest(this.#content, max)] } },
      axes: this.#axes(isNarrow),
      series,
      bands,
      hooks: {
        ready: [(plot) => this.#listenForPicks(plot)],
        setSelect: [(plot) => this.#takeSelection(plot)],
        drawClear: [(plot) => drawUnder(plot, this.#content, element)],
        draw: [(plot) => this.#drawOver(plot)],
        setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
      },
    }
  }

  #seriesAndBands(): [uPlot.Series[], uPlot.Band[]] {
    const { element, isStepped } = this.#options
    const { series, band, isStacked = false } = this.#content
    const steps = uPlot.paths.stepped?.({ align: 1 })
    const shown: uPlot.Series[] = series.map(({ label, color, isArea, isFaint }) => ({
      label,
      stroke: colorOf(element, color),
      width: isStacked ? 0.75 : isArea === true ? 1.25 : 1.75,
      points: { show: false },
      spanGaps: false,
      ...(isArea === true ? { fill: colorOf(element, color, isStacked ? 0.5 : 0.16) } : {}),
      ...(isFaint === true ? { dash: [5, 4], width: 1.25 } : {}),
      ...(isStepped && steps !== undefined ? { paths: steps } : {}),
    }))
    // What is stacked is filled down to what is below it.
    const stack = isStacked ? series.flatMap(({ isFaint }, i) => (isFaint === true ? [] : [i + 1])) : []
    const bands: uPlot.Band[] = stack.slice(1).map((upper, i) => ({ series: [upper, stack[i]] }))
    if (band === undefined) return [[{}, ...shown], bands]
    const edge: uPlot.Series = { stroke: 'transparent', points: { show: false } }
    const normal: uPlot.Band = {
      series: [shown.length + 1, shown.length + 2],
      fill: colorOf(element, '--series-3', 0.22),
    }
    return [
      [{}, ...shown, edge, edge],
      [...bands, normal],
    ]
  }

  #axes(isNarrow: boolean): uPlot.Axis[] {
    const { element, language } = this.#options
    const font = `${fontPixels}px ${getComputedStyle(element).fontFamily}`
    const look = {
      stroke: colorOf(element, '--text-3'),
      grid: { stroke: colorOf(element, '--line'), width: 1 },
      ticks: { show: false },
      font,
    }
    let gutter = gutterMin
    return [
      {
        ...look,
        space: isNarrow ? 64 : 90,
        size: 30,
        values: (plot, ticks) => ticks.map((tick) => this.#timeText(plot, tick * 1_000)),
      },
      {
        ...look,
        gap: tickGap,
        // In the second round of its layout uPlot measures what the first one has changed; it ends when nothing changes.
        size: (plot, texts, _axis, round) => {
          if (round <= 1) gutter = Math.max(gutterMin, tickGap + widest(plot, texts ?? [], font))
          return gutter
        },
        values: (plot, ticks) => {
          const { by } = axisUnit(plot.scales.y.max ?? 0, '')
          return ticks.map((tick) => formatTick(tick / by, language))
        },
      },
    ]
  }

  #drawOver(plot: uPlot): void {
    const { element, unit } = this.#options
    drawLine(plot, this.#content, element)
    drawUnit(plot, axisUnit(plot.scales.y.max ?? 0, unit).unit, element)
  }

  #timeText({ scales: { x } }: uPlot, ms: number): string {
    const { language, zone } = this.#options
    const spanMs = ((x.max ?? 0) - (x.min ?? 0)) * 1_000
    if (spanMs > 36 * 3_600_000) return formatMoment(ms, this.#content.fromMs + 400 * 86_400_000, language, zone)
    const text = formatClock(ms, language, zone)
    return spanMs > 2 * 3_600_000 ? text.replace(/:\d\d$/, '') : text
  }

  #listenForPicks(plot: uPlot): void {
    plot.over.addEventListener('click', () => {
      const { left = -1 } = plot.cursor
      if (left >= 0) this.#options.onPick(plot.posToVal(left, 'x') * 1_000)
    })
  }

  #takeSelection(plot: uPlot): void {
    const { left, width } = plot.select
    if (width <= 0) return
    const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    if (to - from >= this.#content.stepSeconds) this.#options.onRange({ fromMs: from * 1_000, toMs: to * 1_000 })
  }
}

/** In CSS pixels. */
function widest({ ctx }: uPlot, texts: readonly string[], font: string): number {
  ctx.save()
  ctx.font = font
  const width = texts.reduce((most, text) => Math.max(most, ctx.measureText(text).width), 0)
  ctx.restore()
  return Math.ceil(width)
}
