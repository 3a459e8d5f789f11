// Silences on a line of time: from when to when the line goes, and where each begins and ends on it. Pure.
import type { Silence } from './queries.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** What was over longer ago is not on the line. */
const pastMs = dayMs
/** A line is at least so long after now, and at most so long. */
const aheadMinMs = dayMs / 2
const aheadMaxMs = 31 * dayMs

export interface Line {
  fromMs: number
  toMs: number
}

export type Phase = 'now' | 'later' | 'over'

export function phaseOf({ from, until }: Pick<Silence, 'from' | 'until'>, nowMs: number): Phase {
  if (Date.parse(until) <= nowMs) return 'over'
  return Date.parse(from) > nowMs ? 'later' : 'now'
}

/** The silence of those that go on which ends last and is certain to be about every attack on a site; undefined: there is none. */
export function silenceOf(site: string, silences: readonly Silence[], nowMs: number): Silence | undefined {
  const isAbout = ({ sites, groups, vectors }: Silence) =>
    vectors.length === 0 &&
    ((sites.length === 0 && groups.length === 0) ||
      sites.some((each) => each === site || (each.startsWith('*.') && site.endsWith(each.slice(1)))))
  return silences
    .filter((silence) => phaseOf(silence, nowMs) === 'now' && isAbout(silence))
    .toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until))[0]
}

/** With all that goes on or is to come, and what was over lately. */
export function lineOf(silences: readonly Pick<Silence, 'from' | 'until'>[], nowMs: number): Line {
  const begins = silences.map(({ from }) => Date.parse(from))
  const ends = silences.map(({ until }) => Date.parse(until))
  const fromMs = Math.max(nowMs - pastMs, Math.min(nowMs - 2 * hourMs, ...begins))
  const toMs = Math.min(nowMs + aheadMaxMs, Math.max(nowMs + aheadMinMs, ...ends))
  const roomMs = (toMs - fromMs) * 0.03
  return { fromMs: fromMs - roomMs, toMs: toMs + roomMs }
}

/** Per cent of the line; null: none of it is on it. */
export function placeOf(
  { from, until }: Pick<Silence, 'from' | 'until'>,
  line: Line,
): [left: number, width: number] | null {
  const left = Math.max(0, percentAt(Date.parse(from), line))
  const right = Math.min(100, percentAt(Date.parse(until), line))
  return right <= left ? null : [left, right - left]
}

export const percentAt = (ms: number, { fromMs, toMs }: Line) => ((ms - fromMs) / (toMs - fromMs)) * 100

const steps = [1, 2, 3, 6, 12, 24, 48, 96, 168, 336].map((hours) => hours * hourMs)
const marksMax = 6
/** Per cent; after it a mark would not fit. */
const markMost = 92

/** Where the scale is marked: at whole hours of the reader's day. */
export function marksOf(line: Line, offsetMs: number): number[] {
  const stepMs = steps.find((each) => (line.toMs - line.fromMs) / each <= marksMax) ?? steps[steps.length - 1]
  const first = Math.ceil((line.fromMs + offsetMs) / stepMs) * stepMs - offsetMs
  return Array.from({ length: marksMax + 1 }, (_, n) => first + n * stepMs).filter(
    (ms) => percentAt(ms, line) <= markMost,
  )
}
