// What came of an attempt, and what else the service says of channels, in words.
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Pill } from '../../shared/ui/basics.tsx'
import type { Outcome } from './queries.ts'
import { type Said, saidBy } from './service-words.ts'

export function AttemptWords({ outcome }: { outcome: Pick<Outcome, 'isDone' | 'milliseconds' | 'text'> }) {
  const translator = useTranslator()
  const { isDone, milliseconds, text } = outcome
  const said = saidBy(text, translator)
  return (
    <span>
      <Pill tone={isDone ? 'good' : 'bad'}>{translator.t(isDone ? 'attempt.done' : 'attempt.failed')}</Pill>{' '}
      <SaidText said={said} />{' '}
      <span className="quiet nowrap tabular">{translator.t('attempt.took', { count: milliseconds })}</span>
    </span>
  )
}

/** What has no words here is in the language of the service. */
export function SaidText({ said: { text, isForeign } }: { said: Said }) {
  return isForeign ? <span lang="en">{text}</span> : text
}
