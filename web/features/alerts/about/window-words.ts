// Hours and days in words: `at night (18:00–08:00), Monday to Friday`. Pure.
import type { Response } from '../../../../src/contract/endpoints.ts'
import { dateFormat } from '../../../shared/format/intl.ts'
import type { Translator } from '../../../shared/i18n/messages.ts'

export type TimeWindow = NonNullable<Response<'listRules'>['rules'][number]['at']>
export type Day = TimeWindow['days'][number]

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies readonly Day[]

const workdays: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri']
const weekend: readonly Day[] = ['sat', 'sun']

type Words = Pick<Translator, 't' | 'language'>

/** A Monday. */
const mondayMs = Date.UTC(2024, 0, 1)

export function dayName(day: Day, language: string, weekday: 'short' | 'long' = 'short'): string {
  const ms = mondayMs + weekDays.indexOf(day) * 86_400_000
  return dateFormat(language, { weekday, timeZone: 'UTC' }).format(ms)
}

/** `zone`: the reader's, which is not said. */
export function windowWords({ days, hours, timeZone }: TimeWindow, words: Words, zone: string): string {
  const parts = [hours === null ? '' : hoursWords(hours, words), daysWords(days, words)].filter((part) => part !== '')
  const text = parts.length === 0 ? words.t('window.always') : parts.join(words.t('list.comma'))
  return hours === null || timeZone === zone ? text : words.t('window.zoned', { text, zone: timeZone })
}

function hoursWords(hours: string, { t }: Words): string {
  const [from, to] = hours.split('-')
  return t(from >= to ? 'window.night' : 'window.hours', { from, to })
}

/** Empty: on each. */
function daysWords(days: readonly Day[], { t, language }: Words): string {
  if (days.length === 0 || days.length === weekDays.length) return ''
  if (isSame(days, workdays)) return t('window.workdays')
  if (isSame(days, weekend)) return t('window.weekend')
  return weekDays
    .filter((day) => days.includes(day))
    .map((day) => dayName(day, language))
    .join(t('list.comma'))
}

const isSame = (a: readonly Day[], b: readonly Day[]) => a.length === b.length && a.every((each) => b.includes(each))
