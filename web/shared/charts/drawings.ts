// What lies behind the curves of a chart: the times of attacks.
import type uPlot from 'uplot'
import { colorOf } from './colors.ts'

export interface Windowed {
  windows?: readonly { startMs: number; endMs: number }[]
}

export function drawUnder(chart: uPlot, { windows = [] }: Windowed, element: HTMLElement): void {
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
