// Which rule would fire: who would be told about an event, or about an attack that is made up, when, and why others would not.
import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { useNow } from '../../../shared/format/moments.tsx'
import { formatMoment, readLocal } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card, Field, Pill } from '../../../shared/ui/basics.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { Failure, SkeletonLines } from '../../../shared/ui/states.tsx'
import { eventsQuery } from '../../events/queries.ts'
import { severities } from '../../events/standing.ts'
import { eventTitle } from '../../events/titles.ts'
import { useHosts, useKinds } from '../about/about-fields.tsx'
import { both } from '../about/about-words.ts'
import { noticeWord } from '../delivery-words.ts'
import { type Occasion, previewQuery } from './queries.ts'
import './rule-preview.css'

type Preview = Awaited<ReturnType<NonNullable<ReturnType<typeof previewQuery>['queryFn']>>>
type Notice = NonNullable<Occasion['notice']>
type Severity = NonNullable<Occasion['severity']>

const notices = ['started', 'worsened', 'vector', 'ended', 'resumed'] as const satisfies readonly Notice[]
/** Events that can be chosen. */
const eventsMax = 30
const listDays = 30

interface Asked {
  /** Empty: an attack that is made up. */
  eventId: string
  notice: Notice
  severity: Severity
  host: string
  /** A label; empty: of unknown kind. */
  vector: string
  /** As it is typed; empty: now. */
  at: string
}

export function RulePreview({ eventId }: { eventId: string }) {
  const { t } = useTranslator()
  const [{ zone }] = usePreferences()
  const [asked, setAsked] = useState<Asked>({
    ...{ eventId, notice: 'started', severity: 'high', host: '', vector: '', at: '' },
  })
  const occasion = useDeferredValue(asked)
  const { data, error, refetch } = useQuery(previewQuery(useApi(), occasionOf(occasion, readLocal(occasion.at, zone))))
  return (
    <Card title={t('preview.title')}>
      <div className="preview">
        <Questions asked={asked} onChange={(changed) => setAsked({ ...asked, ...changed })} />
        <div className="preview-said" aria-live="polite">
          {data !== undefined ? (
            <Said preview={data} />
          ) : error === null ? (
            <SkeletonLines lines={3} />
          ) : (
            <Failure error={error} retry={refetch} />
          )}
        </div>
      </div>
    </Card>
  )
}

function occasionOf({ eventId, notice, severity, host, vector }: Asked, atMs: number): Occasion {
  const at = Number.isNaN(atMs) ? {} : { at: new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z') }
  if (eventId !== '') return { eventId, notice, ...at }
  const site = host.trim()
  return { notice, severity, vector: vector === '' ? null : vector, ...(site !== '' && { host: site }), ...at }
}

interface QuestionsProps {
  asked: Asked
  onChange: (changed: Partial<Asked>) => void
}

function Questions({ asked, onChange }: QuestionsProps) {
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone }] = usePreferences()
  const now = useNow()
  const { data: events = [] } = useQuery(eventsQuery(useApi(), { last: listDays, limit: eventsMax }))
  const isListed = asked.eventId === '' || events.some(({ id }) => id === asked.eventId)
  return (
    <div className="stack">
      <Field label={t('preview.attack')}>
        {(props) => (
          <select
            {...props}
            className="input"
            value={asked.eventId}
            onChange={({ target }) => onChange({ eventId: target.value })}
          >
            <option value="">{t('preview.madeUp')}</option>
            {!isListed && <option value={asked.eventId}>{asked.eventId}</option>}
            {events.map((event) => (
              <option key={event.id} value={event.id}>
                {formatMoment(Date.parse(event.start), now, language, zone)} {eventTitle(event, translator)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {asked.eventId === '' && <MadeUp asked={asked} onChange={onChange} />}
      <div className="preview-two">
        <Field label={t('preview.notice')}>
          {(props) => (
            <select
              {...props}
              className="input"
              value={asked.notice}
              onChange={({ target }) =>
                onChange({ notice: notices.find((each) => each === target.value) ?? 'started' })
              }
            >
              {notices.map((each) => (
                <option key={each} value={each}>
                  {noticeWord(each, translator)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('preview.at')}>
          {(props) => (
            <input
              {...props}
              type="datetime-local"
              className="input"
              value={asked.at}
              onChange={({ target }) => onChange({ at: target.value })}
            />
          )}
        </Field>
      </div>
    </div>
  )
}

function MadeUp({ asked, onChange }: QuestionsProps) {
  const { t } = useTranslator()
  const list = useId()
  const hosts = useHosts(asked.host)
  const kinds = useKinds()
  return (
    <>
      <div className="preview-two">
        <Field label={t('preview.severity')}>
          {(props) => (
            <select
              {...props}
              className="input"
              value={asked.severity}
              onChange={({ target }) =>
                onChange({ severity: severities.find((each) => each === target.value) ?? 'high' })
              }
            >
              {severities.map((each) => (
                <option key={each} value={each}>
                  {t(`severity.${each}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t('events.site')}>
          {(props) => (
            <input
              {...props}
              type="search"
              className="input"
              list={list}
              maxLength={1_000}
              placeholder={t('preview.noSite')}
              value={asked.host}
              onChange={({ target }) => onChange({ host: target.value })}
            />
          )}
        </Field>
      </div>
      <datalist id={list}>
        {hosts.map((host) => (
          <option key={host} value={host} />
        ))}
      </datalist>
      <Field label={t('preview.kind')}>
        {(props) => (
          <select
            {...props}
            className="input"
            value={asked.vector}
            onChange={({ target }) => onChange({ vector: target.value })}
          >
            {kinds.map(({ value, label }) => (
              <option key={value} value={value === 'unknown' ? '' : value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}

function Said({ preview: { told, escalated, rules } }: { preview: Preview }) {
  const { t, language } = useTranslator()
  const names = told.map(({ channel }) => channel)
  return (
    <>
      <p className="preview-sum">
        {told.length === 0 ? t('preview.nobody') : t('preview.told', { names: both(names, language) })}
      </p>
      {told.length > 0 && (
        <ul className="preview-list">
          {told.map((each) => (
            <Told key={each.channelId} told={each} rules={rules} />
          ))}
        </ul>
      )}
      {escalated.length > 0 && <Escalated escalated={escalated} rules={rules} />}
      <h3>{t('preview.rules')}</h3>
      {rules.length === 0 && <p className="quiet">{t('rules.none')}</p>}
      <ol className="preview-list">
        {rules.map(({ ruleId, name, unmet }) => (
          <li key={ruleId} className={unmet === null ? 'fits' : ''}>
            {unmet === null ? <Check size={14} aria-hidden /> : <Minus size={14} aria-hidden />}
            <span className="preview-words">
              <b>{name}</b>{' '}
              <span className="quiet">{t(unmet === null ? 'preview.fits' : `preview.unmet.${unmet}`)}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** A channel may be told by several steps. */
function Escalated({ escalated, rules }: Pick<Preview, 'escalated' | 'rules'>) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const now = useNow()
  return (
    <>
      <h3>{t('preview.later')}</h3>
      <ul className="preview-list">
        {escalated.map(({ channelId, channel, ruleId, at }) => (
          <li key={`${channelId} ${ruleId} ${at}`}>
            <b>{channel}</b>
            <Pill tone="warn">{t('preview.laterAt', { time: formatMoment(Date.parse(at), now, language, zone) })}</Pill>
            <span className="quiet">
              {t('preview.byRule', { name: rules.find((each) => each.ruleId === ruleId)?.name ?? '' })}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Told({ told, rules }: { told: Preview['told'][number]; rules: Preview['rules'] }) {
  const { t, find, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const now = useNow()
  const { channel, ruleId, at, heldBy } = told
  const time = formatMoment(Date.parse(at), now, language, zone)
  const rule = rules.find((each) => each.ruleId === ruleId)
  return (
    <li>
      <b>{channel}</b>
      {heldBy === null ? (
        <Pill tone="good">{t('preview.atOnce')}</Pill>
      ) : (
        <Pill tone="warn">{find(`preview.held.${heldBy}`, { time }) ?? time}</Pill>
      )}
      <span className="quiet">
        {rule === undefined ? t('preview.toldBefore') : t('preview.byRule', { name: rule.name })}
      </span>
    </li>
  )
}
