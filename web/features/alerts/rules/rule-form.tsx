// The form for a rule, new or changed, with the sentence that it makes.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { formatDuration } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Field, Segments } from '../../../shared/ui/basics.tsx'
import { Dialog } from '../../../shared/ui/overlays.tsx'
import { severities } from '../../events/standing.ts'
import { isAdmin, useIdentity } from '../../session/session.ts'
import { AboutFields } from '../about/about-fields.tsx'
import { Checks } from '../about/checks.tsx'
import { RefusedWords } from '../about/refused-words.tsx'
import { nightWindow, WindowFields } from '../about/window-fields.tsx'
import { noticeWord } from '../delivery-words.ts'
import { NameField } from '../name-field.tsx'
import { channelsQuery } from '../queries.ts'
import { EscalationFields } from './escalation-fields.tsx'
import { plainEndDelaySeconds, plainGathering } from './gathering.ts'
import { GatheringFields } from './gathering-fields.tsx'
import { rulesKey } from './queries.ts'
import { ReportFields } from './report-fields.tsx'
import './rule-form.css'
import { RuleSentence } from './rule-sentence.tsx'
import type { Rule } from './sentence.ts'

export type Content = Omit<Rule, 'id'>

const notices = ['started', 'worsened', 'vector'] as const satisfies readonly Rule['when']['notices'][number][]
/** How often it may be said that an attack goes on, minutes. */
const repeats = [5, 15, 30, 60, 240, 1_440]

export const newRule = (reach: Rule['reach']): Content => ({
  ...{ name: '', reach, at: null, send: null, continuesMinutes: null, escalate: [], report: null },
  ...{ tests: false, stop: false },
  ...{ group: plainGathering, endDelaySeconds: plainEndDelaySeconds },
  when: { severities: [], sites: [], groups: [], vectors: [], notices: ['started', 'worsened'] },
})

interface RuleFormProps {
  /** Null: it is a new one. */
  id: string | null
  rule: Content
  onClose: () => void
}

export function RuleForm({ id, rule: given, onClose }: RuleFormProps) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const [rule, setRule] = useState(given)
  const change = (changed: Partial<Content>) => setRule({ ...rule, ...changed })
  const changeWhen = (changed: Partial<Content['when']>) => change({ when: { ...rule.when, ...changed } })
  const body = { ...rule, name: rule.name.trim() }
  const save = useMutation({
    mutationFn: () => (id === null ? api.call('addRule', { body }) : api.call('changeRule', { params: { id }, body })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: rulesKey })
      onClose()
    },
  })
  return (
    <Dialog title={id === null ? t('rules.add') : given.name} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <RefusedWords error={save.error} sent={body} />
        <NameField name={rule.name} hint={t('rules.nameHint')} onChange={(name) => change({ name })} />
        <ReachField reach={rule.reach} onChange={(reach) => change({ reach })} />
        <Checks
          title={t('rules.severities')}
          none={t('rules.anySeverity')}
          choices={severities.map((value) => ({ value, label: t(`severity.${value}`) }))}
          values={rule.when.severities}
          onChange={(chosen) => changeWhen({ severities: chosen })}
        />
        <AboutFields
          about={rule.when}
          onChange={({ sites, groups, vectors }) =>
            changeWhen({ sites: [...sites], groups: [...groups], vectors: [...vectors] })
          }
        />
        <NoticesField chosen={rule.when.notices} onChange={(chosen) => changeWhen({ notices: chosen })} />
        <TimeField at={rule.at} onChange={(at) => change({ at })} />
        <ChannelsField send={rule.send} onChange={(send) => change({ send })} />
        <RepeatField minutes={rule.continuesMinutes} onChange={(continuesMinutes) => change({ continuesMinutes })} />
        <ReportFields report={rule.report} onChange={(report) => change({ report })} />
        <EscalationFields steps={rule.escalate} onChange={(escalate) => change({ escalate })} />
        <GatheringFields rule={rule} onChange={change} />
        <label className="row">
          <input type="checkbox" checked={rule.tests} onChange={({ target }) => change({ tests: target.checked })} />
          {t('rules.tests')}
        </label>
        <label className="row">
          <input type="checkbox" checked={rule.stop} onChange={({ target }) => change({ stop: target.checked })} />
          {t('rules.stop')}
        </label>
        <div className="rule-made" aria-live="polite">
          <RuleSentence rule={rule} />
        </div>
        <div className="row end">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {t(id === null ? 'rules.add' : 'action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface ValueProps<Value> {
  onChange: (value: Value) => void
}

function ReachField({ reach, onChange }: ValueProps<Rule['reach']> & { reach: Rule['reach'] }) {
  const { t } = useTranslator()
  if (!isAdmin(useIdentity())) return null
  return (
    <div className="field">
      <span className="label">{t('rules.reach')}</span>
      <div>
        <Segments
          label={t('rules.reach')}
          value={reach}
          onChange={onChange}
          choices={[
            { value: 'own', label: t('rules.reach.own') },
            { value: 'installation', label: t('rules.reach.installation') },
          ]}
        />
      </div>
    </div>
  )
}

type Notices = Rule['when']['notices']

function NoticesField({ chosen, onChange }: ValueProps<Notices> & { chosen: Notices }) {
  const translator = useTranslator()
  return (
    <Checks
      title={translator.t('rules.notices')}
      choices={notices.map((value) => ({ value, label: noticeWord(value, translator) }))}
      values={chosen}
      onChange={(next) => next.length > 0 && onChange(next)}
    />
  )
}

function TimeField({ at, onChange }: ValueProps<Rule['at']> & { at: Rule['at'] }) {
  const { t } = useTranslator()
  return (
    <div className="field">
      <span className="label">{t('rules.time')}</span>
      <div>
        <Segments
          label={t('rules.time')}
          value={at === null ? 'any' : 'some'}
          onChange={(chosen) => onChange(chosen === 'any' ? null : (at ?? nightWindow()))}
          choices={[
            { value: 'any', label: t('rules.anyTime') },
            { value: 'some', label: t('rules.someHours') },
          ]}
        />
      </div>
      {at !== null && <WindowFields window={at} onChange={onChange} />}
    </div>
  )
}

function ChannelsField({ send, onChange }: ValueProps<Rule['send']> & { send: Rule['send'] }) {
  const { t } = useTranslator()
  const { data: channels = [] } = useQuery(channelsQuery(useApi()))
  return (
    <div className="field">
      <span className="label">{t('rules.send')}</span>
      <div>
        <Segments
          label={t('rules.send')}
          value={send === null ? 'all' : 'some'}
          onChange={(chosen) => onChange(chosen === 'all' ? null : (send ?? []))}
          choices={[
            { value: 'all', label: t('rules.everyChannel') },
            { value: 'some', label: t('rules.someChannels') },
          ]}
        />
      </div>
      {send !== null && (
        <Checks
          title={t('rules.which')}
          none={t('rules.nobody')}
          choices={channels.map(({ id, name }) => ({ value: id, label: name }))}
          values={send}
          onChange={onChange}
        />
      )}
    </div>
  )
}

function RepeatField({ minutes, onChange }: ValueProps<number | null> & { minutes: number | null }) {
  const translator = useTranslator()
  const { t } = translator
  const offered = minutes === null || repeats.includes(minutes) ? repeats : [...repeats, minutes].sort((a, b) => a - b)
  return (
    <Field label={t('rules.repeat')}>
      {(props) => (
        <select
          {...props}
          className="input"
          value={minutes ?? ''}
          onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
        >
          <option value="">{t('rules.never')}</option>
          {offered.map((each) => (
            <option key={each} value={each}>
              {t('rules.every', { time: formatDuration(each * 60, translator) })}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
