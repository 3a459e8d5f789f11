// When a rule reports, in words. Pure.
import type { Translator } from '../../../shared/i18n/messages.ts'
import { dayName } from '../about/window-words.ts'
import type { Known, Rule } from './sentence.ts'

export type Schedule = NonNullable<Rule['report']>

/** `08:00` */
export const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`

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
  return t('rule.reportsWeekly', { time, day: dayName(day, language, 'long') })
}
