// When a rule reports, in words. Pure.
import { dateFormat } from '../../../shared/format/intl.ts'
import type { Translator } from '../../../shared/i18n/messages.ts'
import { type Day, weekDays } from '../about/window-words.ts'
import type { Known, Rule } from './sentence.ts'

export type Schedule = NonNullable<Rule['report']>

/** `08:00` */
export const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** A Monday. */
const mondayMs = Date.UTC(2024, 0, 1)

/** `Monday` */
export function wholeDayName(day: Day, language: string): string {
  const ms = mondayMs + weekDays.indexOf(day) * 86_400_000
  return dateFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(ms)
}

/** Null: it reports never. */
export function reportNote(
  report: Rule['report'],
  { t, language }: Translator,
  { zone }: Pick<Known, 'zone'>,
): string | null {
  if (report === null) return null
  const { day, hour, timeZone } = report
  const time = timeZone === zone ? hourText(hour) : `${hourText(hour)} (${timeZone})`
  if (day === null) return t('rule.reportsDaily', { time })
  return t('rule.reportsWeekly', { time, day: wholeDayName(day, language) })
}
