// What attacks are told together, how often, and how long an end waits, as fields: people want fewer messages than there are attacks.

import { formatDuration } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Field } from '../../../shared/ui/basics.tsx'
import { Checks } from '../about/checks.tsx'
import { type Gathering, gatherFields } from './gathering.ts'
import './rule-form.css'
import type { Rule } from './sentence.ts'

const waits = [0, 3, 10, 30, 60, 300, 600]
const everyMinutes = [1, 5, 15, 30, 60, 240, 1_440]
const endDelays = [0, 30, 60, 120, 300, 600, 1_800, 3_600]

interface GatheringFieldsProps {
  rule: Pick<Rule, 'group' | 'endDelaySeconds'>
  onChange: (changed: { group?: Gathering; endDelaySeconds?: number }) => void
}

export function GatheringFields({ rule: { group, endDelaySeconds }, onChange }: GatheringFieldsProps) {
  const { t } = useTranslator()
  const change = (changed: Partial<Gathering>) => onChange({ group: { ...group, ...changed } })
  return (
    <details className="fewer">
      <summary>{t('rules.fewer')}</summary>
      <div className="stack">
        <Checks
          title={t('rules.together')}
          none={t('rules.allTogether')}
          choices={gatherFields.map((value) => ({ value, label: t(`rules.by.${value}`) }))}
          values={group.by}
          onChange={(by) => change({ by })}
        />
        <TimeSelect
          label={t('rules.wait')}
          hint={t('rules.waitHint')}
          seconds={group.waitSeconds}
          offered={waits}
          onChange={(waitSeconds) => change({ waitSeconds })}
        />
        <TimeSelect
          label={t('rules.others')}
          seconds={group.everyMinutes * 60}
          offered={everyMinutes.map((minutes) => minutes * 60)}
          onChange={(seconds) => change({ everyMinutes: seconds / 60 })}
        />
        <TimeSelect
          label={t('rules.endDelay')}
          hint={t('rules.endDelayHint')}
          seconds={endDelaySeconds}
          offered={endDelays}
          onChange={(seconds) => onChange({ endDelaySeconds: seconds })}
        />
      </div>
    </details>
  )
}

interface TimeSelectProps {
  label: string
  hint?: string
  seconds: number
  offered: readonly number[]
  onChange: (seconds: number) => void
}

function TimeSelect({ label, hint, seconds, offered, onChange }: TimeSelectProps) {
  const translator = useTranslator()
  const all = offered.includes(seconds) ? offered : [...offered, seconds].sort((a, b) => a - b)
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(props) => (
        <select {...props} className="input" value={seconds} onChange={({ target }) => onChange(Number(target.value))}>
          {all.map((each) => (
            <option key={each} value={each}>
              {each === 0 ? translator.t('rules.notAtAll') : formatDuration(each, translator)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
