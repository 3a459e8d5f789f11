// What lies behind and over the curves of a chart: the times of attacks, the line that was crossed, the unit of the axis.
import type uPlot from 'uplot'
import { colorOf } from './colors.ts'

interface Underlay {
  windows?: readonly { startMs: number; endMs: number }[]
  line?: { value: number } | undefined
}

export function drawUnder(chart: uPlot, { windows = [] }: Underlay, element: HTMLElement): void {
  const { ctx } = chart
  const { left, top, width, height } = chart.bbox
  const clamp = (x: number) => Math.min(left + width, Math.max(left, x))
  ctx.save()
  ctx.fillStyle = colorOf(element, '--bad', 0.09)
  // One path: where attacks overlap it is no darker.
  ctx.beginPath()
  for (const { startMs, endMs } of windows) {
    const x0 = clamp(chart.valToPos(startMs / 1000, 'x', true))
    const x1 = clamp(chart.valToPos(endMs / 1000, 'x', true))
    if (x1 > left && x0 < left + width) ctx.rect(x0, top, Math.max(x1 - x0, 2 * devicePixelRatio), height)
  }
  ctx.fill()
  ctx.restore()
}

export function drawLine(chart: uPlot, { line }: Underlay, element: HTMLElement): void {
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

/** Once, above the axis: a tick has its number alone. */
export function drawUnit(chart: uPlot, unit: string, element: HTMLElement): void {
  const { ctx } = chart
  ctx.save()
  ctx.fillStyle = colorOf(element, '--text-3')
  ctx.font = `${12 * devicePixelRatio}px ${getComputedStyle(element).fontFamily}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'top'
  ctx.fillText(unit, 0, 2 * devicePixelRatio)
  ctx.restore()
}
