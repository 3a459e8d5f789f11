// Who is told next where nobody acknowledges an attack, as fields: step by step.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../shared/api/api.ts'
import { formatDuration } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Field } from '../../../shared/ui/basics.tsx'
import { Checks } from '../about/checks.tsx'
import { channelsQuery } from '../queries.ts'
import { nextStep, type Step, stepsMax, stepTimes } from './escalation.ts'
import './rule-form.css'

interface EscalationFieldsProps {
  steps: readonly Step[]
  onChange: (steps: Step[]) => void
}

export function EscalationFields({ steps, onChange }: EscalationFieldsProps) {
  const { t } = useTranslator()
  const { data: channels = [] } = useQuery(channelsQuery(useApi()))
  const [first] = channels
  return (
    <details className="fewer" open={steps.length > 0}>
      <summary>{t('rules.escalate')}</summary>
      <div className="stack">
        <p className="quiet">{t('rules.escalateText')}</p>
        {steps.map((step, number) => (
          <StepFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a step has nothing but its place.
            key={number}
            step={step}
            channels={channels}
            onChange={(changed) => onChange(steps.with(number, changed))}
            onRemove={() => onChange(steps.filter((_, other) => other !== number))}
          />
        ))}
        {steps.length < stepsMax && first !== undefined && (
          <div>
            <Button onClick={() => onChange([...steps, nextStep(steps, [first.id])])}>{t('rules.addStep')}</Button>
          </div>
        )}
      </div>
    </details>
  )
}

interface StepFieldsProps {
  step: Step
  channels: readonly { id: string; name: string }[]
  onChange: (step: Step) => void
  onRemove: () => void
}

function StepFields({ step, channels, onChange, onRemove }: StepFieldsProps) {
  const translator = useTranslator()
  const { t } = translator
  const { afterMinutes, send } = step
  const offered = stepTimes.includes(afterMinutes) ? stepTimes : [...stepTimes, afterMinutes].sort((a, b) => a - b)
  return (
    <div className="stack">
      <Field label={t('rules.stepAfter')}>
        {(props) => (
          <select
            {...props}
            className="input"
            value={afterMinutes}
            onChange={({ target }) => onChange({ ...step, afterMinutes: Number(target.value) })}
          >
            {offered.map((each) => (
              <option key={each} value={each}>
                {formatDuration(each * 60, translator)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Checks
        title={t('rules.stepSend')}
        choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
        values={send}
        onChange={(chosen) => chosen.length > 0 && onChange({ ...step, send: chosen })}
      />
      <div>
        <Button onClick={onRemove}>{t('rules.removeStep')}</Button>
      </div>
    </div>
  )
}
