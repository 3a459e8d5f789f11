// Times of the week in a time zone: whether a moment lies in them, and when they end. Pure.

/** In the order of the week. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

export interface TimeWindow {
  /** By the IANA database. */
  timeZone: string
  /** Those on which it begins; empty: on any. */
  days: readonly Weekday[]
  /** `18:00-08:00`: from then until before then, on the next day where that is no later. Null: the whole day. */
  hours: string | null
}

const dayMinutes = 1_440
const minuteMs = 60_000

interface WallTime {
  /** 0: Monday. */
  day: number
  /** Since midnight. */
  minute: number
}

export interface CompiledWindow {
  contains(atMs: number): boolean
  /** The first whole minute from then on that lies outside, Unix milliseconds; null: there is none within a week. */
  endAfter(atMs: number): number | null
}

/** Whether there is such a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function compileWindow({ timeZone, days, hours }: TimeWindow): CompiledWindow {
  const wallTime = wallTimeIn(timeZone)
  const [from, to] = hours === null ? [0, 0] : hours.split('-').map(minutesOf)
  const isOn = (day: number) => days.length === 0 || days.includes(weekdays[(day + 7) % 7])
  const holds = ({ day, minute }: WallTime) => {
    if (from < to) return minute >= from && minute < to && isOn(day)
    // Over midnight: the part before it began on this day, the part after it on the day before.
    return (minute >= from && isOn(day)) || (minute < to && isOn(day - 1))
  }
  const contains = (atMs: number) => holds(wallTime(atMs))
  return {
    contains,
    endAfter(atMs) {
      const last = atMs + 8 * dayMinutes * minuteMs
      for (let at = atMs; at <= last; at = nextTurn(at, wallTime(at), [from, to])) if (!contains(at)) return at
      return null
    },
  }
}

/**
 * The next moment at which the wall clock shows the beginning, the end, or midnight. Where the clock is set meanwhile it is a moment before or after that:
 * the search goes on from there, an hour further at most.
 */
function nextTurn(atMs: number, { minute }: WallTime, turns: readonly number[]): number {
  const waits = [...turns, 0].map((turn) => (turn - minute + dayMinutes) % dayMinutes || dayMinutes)
  const wait = Math.min(...waits, 60)
  return Math.floor(atMs / minuteMs) * minuteMs + wait * minuteMs
}

/** What compiling gives, by name in lower case: it takes 0.1 ms, and each quiet window of each channel asks for it. */
const wallTimes = new Map<string, (atMs: number) => WallTime>()
/** There are 600 names; offsets from UTC (`+01:15`) are zones, too. Each takes some 30 KiB. Over it all are compiled again. */
const wallTimesMax = 1_000

/** Throws RangeError where there is no such time zone. */
export function wallTimeIn(timeZone: string): (atMs: number) => WallTime {
  const key = timeZone.toLowerCase()
  const wallTime = wallTimes.get(key) ?? compileWallTime(timeZone)
  if (wallTimes.size >= wallTimesMax) wallTimes.clear()
  wallTimes.set(key, wallTime)
  return wallTime
}

function compileWallTime(timeZone: string): (atMs: number) => WallTime {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const names: readonly string[] = weekdays
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
    const weekday = parts.get('weekday')
    return {
      day: names.indexOf(weekday?.toLowerCase() ?? ''),
      minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    }
  }
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number)
  return hours * 60 + minutes
}
