// When a rule reports. Pure.
import { type Weekday, wallTimeIn, weekdays } from '../rules/time-window.ts'

/** A report of a day or a week. */
export interface ReportSchedule {
  /** Null: it reports each day. */
  day: Weekday | null
  /** From 0 to 23, by the time zone. */
  hour: number
  /** By the IANA database. */
  timeZone: string
}

const dayMs = 86_400_000
/** Every time zone is set to whole quarters of an hour. */
const stepMs = 900_000

/** How long a period is, but for the nights on which clocks are set. */
export function periodOf({ day }: ReportSchedule): number {
  return day === null ? dayMs : 7 * dayMs
}

/** The first moment after that on which it reports: where a night has no such hour, the one after it; where it has two, the first. */
export function nextReport({ day, hour, timeZone }: ReportSchedule, afterMs: number): number {
  const wallTime = wallTimeIn(timeZone)
  const first = (Math.floor(afterMs / stepMs) + 1) * stepMs
  let before = wallTime(first - stepMs)
  for (let at = first; at <= first + 9 * dayMs; at += stepMs) {
    const now = wallTime(at)
    const isOn = day === null || weekdays[now.day] === day
    const isNew = now.day !== before.day || before.minute < hour * 60
    if (isOn && isNew && now.minute >= hour * 60) return at
    before = now
  }
  return afterMs + periodOf({ day, hour, timeZone })
}
