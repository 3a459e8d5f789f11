// What other settings would have changed, in sentences; and why there may be more of it.
import type { MessageKey, Translator } from '../../shared/i18n/messages.ts'
import type { WhatIf } from './queries.ts'

export function differenceText({ before, after, won, lost }: WhatIf, t: Translator['t']): string {
  if (won.length + lost.length > 0) {
    const texts = [
      won.length > 0 ? t('whatIf.won', { count: won.length }) : '',
      lost.length > 0 ? t('whatIf.lost', { count: lost.length }) : '',
    ]
    return texts.filter((text) => text !== '').join(' ')
  }
  // One attack may have become two, or two one.
  if (before.length !== after.length) return t('whatIf.numbers', { before: before.length, after: after.length })
  return before.length === 0 ? t('whatIf.none') : t('whatIf.same', { count: before.length })
}

/** What says that not all is found. */
export function doubtsOf({ isCut, settings, changed, judged }: WhatIf): MessageKey[] {
  // Traffic is kept in detail from a part of the line of then on.
  const isTooSensitive = changed.sensitivity * judged.nearPart > settings.sensitivity
  const doubts: [MessageKey, boolean][] = [
    ['whatIf.off', !settings.enabled],
    ['whatIf.cut', isCut],
    ['whatIf.untraced', judged.untraced > 0],
    ['whatIf.byTheMinute', judged.minuteSeconds > 0],
    ['whatIf.tooSensitive', isTooSensitive],
  ]
  return doubts.flatMap(([doubt, holds]) => (holds ? [doubt] : []))
}
