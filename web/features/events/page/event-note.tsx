// What people say of an event: that somebody has taken note of it, what it was, and why.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Body } from '../../../../src/contract/endpoints.ts'
import { classifications } from '../../../../src/contract/events/classifications.ts'
import { useApi } from '../../../shared/api/api.ts'
import { Ago } from '../../../shared/format/moments.tsx'
import { Text, useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Card, Field, Segments } from '../../../shared/ui/basics.tsx'
import { Refused } from '../../../shared/ui/states.tsx'
import { useMayChange } from '../../session/session.ts'
import { type EventReport, eventQuery } from '../queries.ts'

const textMax = 2_000

function useNote(id: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Body<'noteEvent'>) => api.call('noteEvent', { params: { id }, body }),
    onSuccess: async (note) => {
      queries.setQueryData(eventQuery(api, id).queryKey, (event) =>
        event === undefined ? event : { ...event, ...said(note) },
      )
      await Promise.all(['events', 'overview'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
  })
}

/** What of a note is in the event itself, too. */
function said(note: EventReport['note']) {
  return { note, acknowledged: note.acknowledged, classification: note.classification }
}

export function AcknowledgeButton({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const note = useNote(event.id)
  return (
    <Button
      look={event.acknowledged === null ? 'primary' : 'plain'}
      disabled={note.isPending}
      aria-pressed={event.acknowledged !== null}
      onClick={() => note.mutate({ acknowledged: event.acknowledged === null })}
    >
      <Check size={14} aria-hidden />
      {t(event.acknowledged === null ? 'note.acknowledge' : 'note.acknowledged')}
    </Button>
  )
}

/** For who may not change it. */
function SaidOnly({ note: { classification, text } }: { note: EventReport['note'] }) {
  const { t } = useTranslator()
  return (
    <>
      <p>{t(`note.${classification ?? 'none'}`)}</p>
      {text !== '' && <p>{text}</p>}
    </>
  )
}

export function EventNote({ event: { id, note } }: { event: EventReport }) {
  const { t } = useTranslator()
  const change = useNote(id)
  const mayChange = useMayChange()
  const [text, setText] = useState(note.text)
  return (
    <Card title={t('note.title')} className="no-print">
      <div className="stack">
        <Refused error={change.error} />
        {note.acknowledged !== null && (
          <p className="quiet">
            <Text k="note.by" values={{ who: note.acknowledged.by, ago: <Ago at={note.acknowledged.at} /> }} />
          </p>
        )}
        {mayChange ? (
          <>
            <Segments
              label={t('note.classification')}
              value={note.classification ?? 'none'}
              onChange={(value) => change.mutate({ classification: value === 'none' ? null : value })}
              choices={[
                { value: 'none', label: t('note.none') },
                ...classifications.map((value) => ({ value, label: t(`note.${value}`) })),
              ]}
            />
            <form
              className="stack"
              onSubmit={(event) => {
                event.preventDefault()
                change.mutate({ text })
              }}
            >
              <Field label={t('note.text')}>
                {(props) => (
                  <textarea
                    {...props}
                    className="input"
                    rows={3}
                    maxLength={textMax}
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                  />
                )}
              </Field>
              {text !== note.text && (
                <div className="row end">
                  <Button type="submit" look="primary" disabled={change.isPending}>
                    {t('action.save')}
                  </Button>
                </div>
              )}
            </form>
          </>
        ) : (
          <SaidOnly note={note} />
        )}
        {note.said !== null && (
          <p className="quiet">
            <Text k="note.said" values={{ who: note.said.by, ago: <Ago at={note.said.at} /> }} />
          </p>
        )}
      </div>
    </Card>
  )
}
