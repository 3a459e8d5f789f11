// What a rule says: which attacks, when, and to whom.
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Pill } from '../../../shared/ui/basics.tsx'
import { groupsQuery } from '../../sites/queries.ts'
import { readersZone } from '../about/reader.ts'
import { channelsQuery } from '../queries.ts'
import './rules.css'
import { escalationNotes } from './escalation.ts'
import { reportNote } from './report.ts'
import { type Known, type RuleContent, ruleNotes, ruleSentence, toldNames } from './sentence.ts'

/** What the sentences of rules refer to. */
export function useKnown(): Known {
  const api = useApi()
  const { data: channels = [] } = useQuery(channelsQuery(api))
  const { data: groups = [] } = useQuery(groupsQuery(api))
  return { channels, groups, zone: readersZone() }
}

export function RuleSentence({ rule }: { rule: RuleContent }) {
  const translator = useTranslator()
  const { t } = translator
  const known = useKnown()
  const names = toldNames(rule, known)
  const report = reportNote(rule.report, translator, known)
  const notes = [
    ...escalationNotes(rule.escalate, translator, known),
    ...(report === null ? [] : [report]),
    ...ruleNotes(rule, translator),
  ]
  return (
    <>
      <p className="rule-sentence">
        {ruleSentence(rule, translator, known)}
        <ArrowRight size={14} role="img" aria-label={t('rules.goesTo')} />
        {names === null && <Pill tone="accent">{t('rules.everyChannel')}</Pill>}
        {names?.length === 0 && <Pill tone="warn">{t('rules.nobody')}</Pill>}
        {names?.map((name) => (
          <Pill key={name} tone="accent">
            {name}
          </Pill>
        ))}
      </p>
      {notes.length > 0 && <p className="rule-notes">{notes.join(' · ')}</p>}
    </>
  )
}
