// Who is told next where nobody acknowledges an attack, in words. Pure.
import { formatDuration } from '../../../shared/format/times.ts'
import type { Translator } from '../../../shared/i18n/messages.ts'
import { both } from '../about/about-words.ts'
import type { Known, Rule } from './sentence.ts'

export type Step = Rule['escalate'][number]

/** As many as the service takes. */
export const stepsMax = 5
/** When a step may be taken, minutes. */
export const stepTimes = [1, 5, 10, 15, 30, 60, 120, 240, 1_440]

/** A step after the others, later than all of them. */
export function nextStep(steps: readonly Step[], send: readonly string[]): Step {
  const latest = Math.max(5, ...steps.map(({ afterMinutes }) => afterMinutes))
  const afterMinutes = stepTimes.find((each) => each > latest) ?? latest
  return { afterMinutes, unless: 'acknowledged', send: [...send] }
}

/** One for each step whose channels are still there. */
export function escalationNotes(steps: readonly Step[], translator: Translator, { channels }: Known): string[] {
  return steps.flatMap(({ afterMinutes, send }) => {
    const names = channels.filter(({ id }) => send.includes(id)).map(({ name }) => name)
    if (names.length === 0) return []
    const time = formatDuration(afterMinutes * 60, translator)
    return [translator.t('rule.escalates', { time, names: both(names, translator.language) })]
  })
}
