// Where the attacks of a lane are marked. Each mark can be hit by a finger, none leaves the lane, and those that would lie over each other are one
// mark that stands for all of them. Pure; distances are in pixels.
import type { AttackSpan } from '../../../client/types.ts'
import { isDismissed, type Severity, severities } from '../events/standing.ts'

export interface LaneMark {
  /** In order of their beginnings. */
  events: AttackSpan[]
  /** What can be clicked. */
  left: number
  width: number
  /** What is drawn, from the left of the lane. */
  barLeft: number
  barWidth: number
  /** Unix milliseconds; while one of them goes on, now. */
  startMs: number
  endMs: number
}

/** Least width of what can be clicked, pixels: WCAG 2.2, success criterion 2.5.8. */
export const targetMin = 24
/** Least width of what is drawn, pixels. */
const barMin = 4

/** `test`: simulated; `dismissed`: people said that it is no attack. */
export type MarkLook = Severity | 'dismissed' | 'test'

interface Scale {
  fromMs: number
  nowMs: number
  /** The lane's width, pixels. */
  width: number
}

/** By the most severe of its attacks; what is simulated, or no attack, counts only where there is nothing else. */
export function lookOf({ events }: Pick<LaneMark, 'events'>): MarkLook {
  const real = events.filter(({ isTest }) => !isTest)
  const attacks = real.filter((event) => !isDismissed(event))
  if (attacks.length === 0) return real.length === 0 ? 'test' : 'dismissed'
  return severities[Math.max(...attacks.map(({ severity }) => severities.indexOf(severity)))]
}

export function laneMarks(events: readonly AttackSpan[], scale: Scale): LaneMark[] {
  const { fromMs, nowMs, width } = scale
  if (width < targetMin || nowMs <= fromMs) return []
  const singles = events
    .map((event) => ({
      event,
      startMs: Date.parse(event.start),
      endMs: event.end === null ? nowMs : Date.parse(event.end),
    }))
    // What was over before is left of the lane.
    .filter(({ endMs }) => endMs >= fromMs)
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ event, startMs, endMs }) => placed([event], startMs, endMs, scale))
    // A short one at the edge may begin earlier and be marked later.
    .sort((a, b) => a.left - b.left)
  const marks: LaneMark[] = []
  for (const mark of singles) {
    let next = mark
    let last = marks.at(-1)
    while (last !== undefined && next.left < last.left + last.width) {
      marks.pop()
      next = merged(last, next, scale)
      last = marks.at(-1)
    }
    marks.push(next)
  }
  return marks
}

function merged(a: LaneMark, b: LaneMark, scale: Scale): LaneMark {
  const events = [...a.events, ...b.events].sort((x, y) => Date.parse(x.start) - Date.parse(y.start))
  return placed(events, Math.min(a.startMs, b.startMs), Math.max(a.endMs, b.endMs), scale)
}

function placed(events: AttackSpan[], startMs: number, endMs: number, { fromMs, nowMs, width }: Scale): LaneMark {
  const place = (ms: number) => Math.max(0, Math.min(1, (ms - fromMs) / (nowMs - fromMs))) * width
  const barWidth = Math.max(barMin, place(endMs) - place(startMs))
  const barLeft = Math.min(place(startMs), width - barWidth)
  const targetWidth = Math.max(targetMin, barWidth)
  const left = Math.max(0, Math.min(width - targetWidth, barLeft + (barWidth - targetWidth) / 2))
  return { events, left, width: targetWidth, barLeft, barWidth, startMs, endMs }
}
