// Times as people read them: on the clock, in the zone that the reader chose; how long ago; how long.
import type { Translator } from '../i18n/messages.ts'
import { dateFormat, spanFormat } from './intl.ts'

export type Zone = 'local' | 'utc'

const zoneOf = (zone: Zone) => (zone === 'utc' ? { timeZone: 'UTC' } : {})
const twoDigits = '2-digit'

/** `8 Mar 2017, 10:09:14`. The zone is not in it: it stands where it is chosen. */
export function formatDateTime(ms: number, language: string, zone: Zone): string {
  return dateFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: twoDigits,
    minute: twoDigits,
    second: twoDigits,
    hourCycle: 'h23',
    ...zoneOf(zone),
  }).format(ms)
}

/** Today `10:09:14`, else with its day. */
export function formatMoment(ms: number, nowMs: number, language: string, zone: Zone): string {
  const day = dateFormat('en-CA', zoneOf(zone))
  if (day.format(ms) === day.format(nowMs)) return formatClock(ms, language, zone)
  return dateFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: twoDigits,
    minute: twoDigits,
    hourCycle: 'h23',
    ...zoneOf(zone),
  }).format(ms)
}

export function formatClock(ms: number, language: string, zone: Zone): string {
  return dateFormat(language, {
    hour: twoDigits,
    minute: twoDigits,
    second: twoDigits,
    hourCycle: 'h23',
    ...zoneOf(zone),
  }).format(ms)
}

const localForms = { minute: 'YYYY-MM-DDTHH:MM', second: 'YYYY-MM-DDTHH:MM:SS' }

/** As an input of the type `datetime-local` has it. */
export function writeLocal(ms: number, zone: Zone, to: keyof typeof localForms = 'minute'): string {
  const offsetMs = zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, localForms[to].length)
}

/** NaN: there is nothing in it. */
export const readLocal = (text: string, zone: Zone): number => Date.parse(zone === 'utc' ? `${text}Z` : text)

/** The name of the zone at that time: `UTC`, `CET`. */
export function zoneName(ms: number, language: string, zone: Zone): string {
  const parts = dateFormat(language, { timeZoneName: 'short', ...zoneOf(zone) }).formatToParts(ms)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `5 minutes ago`, `in 2 hours`; the present is `now`. */
export function formatAgo(ms: number, nowMs: number, language: string): string {
  const seconds = Math.round((ms - nowMs) / 1000)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  const format = spanFormat(language, {
    numeric: unit === 'second' ? 'auto' : 'always',
    style: 'short',
  })
  return format.format(Math.trunc(seconds / size), unit)
}

const lengths = [
  ['format.days', 86_400],
  ['format.hours', 3_600],
  ['format.minutes', 60],
  ['format.seconds', 1],
] as const

/** The two largest parts: `2 h 5 min`. */
export function formatDuration(seconds: number, { t }: Pick<Translator, 't'>): string {
  const whole = Math.max(0, Math.round(seconds))
  const first = lengths.findIndex(([, size]) => whole >= size)
  if (first === -1) return t('format.seconds', { count: 0 })
  const [key, size] = lengths[first]
  const large = t(key, { count: Math.floor(whole / size) })
  const next = lengths[first + 1]
  const rest = next === undefined ? 0 : Math.floor((whole % size) / next[1])
  return next === undefined || rest === 0 ? large : `${large} ${t(next[0], { count: rest })}`
}
