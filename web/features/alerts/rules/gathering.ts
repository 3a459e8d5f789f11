// What attacks are told together, and how long an end waits, in words. Pure.
import { formatDuration } from '../../../shared/format/times.ts'
import type { Translator } from '../../../shared/i18n/messages.ts'
import { both } from '../about/about-words.ts'
import type { Rule } from './sentence.ts'

export type Gathering = Rule['group']

export const gatherFields = [
  'group',
  'site',
  'vector',
  'severity',
] as const satisfies readonly Gathering['by'][number][]

/** As the service has it where nothing else is said. */
export const plainGathering: Gathering = { by: ['group', 'vector'], waitSeconds: 10, everyMinutes: 5 }
export const plainEndDelaySeconds = 60

/** Null: as in most rules. */
export function gatheringNote({ by, waitSeconds, everyMinutes }: Gathering, translator: Translator): string | null {
  const { t, language } = translator
  const plain = plainGathering
  const isSame = by.length === plain.by.length && by.every((each) => plain.by.includes(each))
  if (isSame && waitSeconds === plain.waitSeconds && everyMinutes === plain.everyMinutes) return null
  const fields = gatherFields.filter((each) => by.includes(each)).map((each) => t(`rule.by.${each}`))
  const what = fields.length === 0 ? t('rule.allTogether') : t('rule.togetherBy', { fields: both(fields, language) })
  const every = formatDuration(everyMinutes * 60, translator)
  if (waitSeconds === 0) return t('rule.gatheringAtOnce', { what, every })
  return t('rule.gathering', { what, every, wait: formatDuration(waitSeconds, translator) })
}

/** Null: as in most rules. */
export function endNote(seconds: number, translator: Translator): string | null {
  if (seconds === plainEndDelaySeconds) return null
  if (seconds === 0) return translator.t('rule.endAtOnce')
  return translator.t('rule.endWaits', { time: formatDuration(seconds, translator) })
}
