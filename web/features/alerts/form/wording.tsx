// The words of a channel's messages: templates, the places that they may have, and what a message would say.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Body } from '../../../../src/contract/endpoints.ts'
import { isStatus, useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Notice } from '../../../shared/ui/basics.tsx'
import { SaidText } from '../attempt.tsx'
import type { Kinds } from '../queries.ts'
import { saidBy } from '../service-words.ts'
import type { Typed } from './fields.ts'
import './wording.css'

interface WordingProps {
  places: Kinds['places']
  typed: Typed
  /** Whether something in it is wrong, and has to be seen. */
  isFaulty: boolean
  /** The fields. */
  children: ReactNode
}

/** What is typed is sent when nothing was typed for so long. */
const settleMs = 400

export function Wording({ places, typed, isFaulty, children }: WordingProps) {
  const { t } = useTranslator()
  const isUsed = (typed['settings.titleTemplate'] ?? '') !== '' || (typed['settings.textTemplate'] ?? '') !== ''
  const [isOpen, setOpen] = useState(isUsed)
  const isSeen = isOpen || isFaulty
  return (
    <details className="wording" open={isSeen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('wording.title')}</summary>
      <div className="stack">
        <p className="hint">{t('wording.text', { place: '{{event.site}}' })}</p>
        {children}
        <Places places={places} />
        {isSeen && <Preview typed={typed} />}
      </div>
    </details>
  )
}

function Places({ places }: Pick<WordingProps, 'places'>) {
  const { t } = useTranslator()
  return (
    <details>
      <summary>{t('wording.places', { count: places.length })}</summary>
      <dl className="places" lang="en">
        {places.map(({ name, description, forms }) => (
          <div key={name}>
            <dt className="mono">{`{{${name}}}`}</dt>
            <dd>
              {description}{' '}
              {forms.length > 0 && <span className="mono quiet">{forms.map((form) => `|${form}`).join(' ')}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Preview({ typed }: Pick<WordingProps, 'typed'>) {
  const translator = useTranslator()
  const { t } = translator
  const api = useApi()
  const body = useSettled(requestOf(typed))
  const { data, error } = useQuery({
    queryKey: ['message-preview', body],
    queryFn: ({ signal }) => api.call('previewMessage', { body: JSON.parse(body), signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const faults = isStatus(error, 400) ? (error.problem?.errors ?? []) : []
  return (
    <section className="would-say" aria-label={t('wording.preview')} aria-live="polite">
      <h3>{t('wording.preview')}</h3>
      {faults.length > 0 ? (
        <Notice tone="warn">
          {faults.map(({ detail }) => (
            <p key={detail}>
              <SaidText said={saidBy(detail, translator)} />
            </p>
          ))}
        </Notice>
      ) : (
        data !== undefined && (
          <>
            <strong>{data.title}</strong>
            <p className="said">{data.text}</p>
          </>
        )
      )}
    </section>
  )
}

/** As JSON, so that the same is the same. */
function requestOf(typed: Typed): string {
  const given: Body<'previewMessage'> = {}
  const { 'settings.language': language } = typed
  if (language === 'en' || language === 'zh') given.language = language
  for (const name of ['timeZone', 'titleTemplate', 'textTemplate'] as const) {
    const text = (typed[`settings.${name}`] ?? '').trim()
    if (text !== '') given[name] = text
  }
  return JSON.stringify(given)
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
