// The form for a silence: what it is about, how long, and why.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { formatDuration, formatMoment, readLocal, writeLocal, zoneName } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Field, Segments } from '../../../shared/ui/basics.tsx'
import { Dialog, useToast } from '../../../shared/ui/overlays.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { AboutFields } from '../about/about-fields.tsx'
import { type About, isAboutAll } from '../about/about-words.ts'
import { RefusedWords } from '../about/refused-words.tsx'
import { silencesKey } from './queries.ts'
import { useEnd } from './silence-list.tsx'

/** Hours that are offered. */
const lengths = ['1', '2', '8', '24', '168'] as const
type Length = (typeof lengths)[number] | 'until'
const hourMs = 3_600_000

interface SilenceFormProps {
  about: About
  onClose: () => void
}

interface Typed {
  about: About
  reason: string
  /** As typed; empty: now. */
  from: string
  length: Length
  /** As typed, where no length was chosen. */
  until: string
}

export function SilenceForm({ about, onClose }: SilenceFormProps) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  const end = useEnd()
  const [typed, setTyped] = useState<Typed>({ about, reason: '', from: '', length: '2', until: '' })
  const change = (changed: Partial<Typed>) => setTyped({ ...typed, ...changed })
  const save = useMutation({
    mutationFn: (body: ReturnType<typeof bodyOf>) => api.call('addSilence', { body }),
    onSuccess: async ({ id, until }) => {
      const time = formatMoment(Date.parse(until), Date.now(), language, zone)
      tell(t('silences.made', { time }), { label: t('action.undo'), onClick: () => end.mutate(id) })
      await queries.invalidateQueries({ queryKey: silencesKey })
      onClose()
    },
  })
  return (
    <Dialog title={t('silences.add')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(bodyOf(typed, (text) => readLocal(text, zone)))
        }}
      >
        <RefusedWords error={save.error} sent={save.variables} />
        <Field label={t('silences.reason')} hint={t('silences.reasonHint')}>
          {(props) => (
            <input
              {...props}
              className="input"
              required
              maxLength={500}
              autoComplete="off"
              value={typed.reason}
              onChange={({ target }) => change({ reason: target.value })}
            />
          )}
        </Field>
        <AboutFields about={typed.about} onChange={(next) => change({ about: next })} />
        <TimeFields typed={typed} onChange={change} />
        <p className="quiet">
          {t(isAboutAll(typed.about) ? 'silences.ofEverything' : 'silences.ofSome')} {t('silences.endsGoThrough')}
        </p>
        <div className="row end">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {t('silences.addShort')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** In whole seconds. */
const isoOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

function bodyOf({ about, reason, from, length, until }: Typed, read: (text: string) => number) {
  const fromMs = from === '' ? Date.now() : read(from)
  const untilMs = length === 'until' ? read(until) : fromMs + Number(length) * hourMs
  const { sites, groups, vectors } = about
  return {
    ...{ reason: reason.trim(), sites: [...sites], groups: [...groups], vectors: [...vectors] },
    ...(from !== '' && { from: isoOf(fromMs) }),
    until: isoOf(untilMs),
  }
}

function TimeFields({ typed, onChange }: { typed: Typed; onChange: (changed: Partial<Typed>) => void }) {
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone }] = usePreferences()
  const { from, length, until } = typed
  const choices = lengths.map((value) => ({
    value: value as Length,
    label: formatDuration((Number(value) * hourMs) / 1_000, translator),
  }))
  return (
    <>
      <div className="field">
        <span className="label">{t('silences.length')}</span>
        <div>
          <Segments
            label={t('silences.length')}
            value={length}
            choices={[...choices, { value: 'until', label: t('silences.until') }]}
            onChange={(chosen) =>
              onChange({ length: chosen, until: until === '' ? writeLocal(Date.now() + 2 * hourMs, zone) : until })
            }
          />
        </div>
      </div>
      {length === 'until' && (
        <Field label={t('silences.endAt')} hint={zoneName(Date.now(), language, zone)}>
          {(props) => (
            <input
              {...props}
              type="datetime-local"
              className="input"
              required
              value={until}
              onChange={({ target }) => onChange({ until: target.value })}
            />
          )}
        </Field>
      )}
      <Field label={t('silences.from')} hint={t('silences.fromHint')}>
        {(props) => (
          <input
            {...props}
            type="datetime-local"
            className="input"
            value={from}
            onChange={({ target }) => onChange({ from: target.value })}
          />
        )}
      </Field>
    </>
  )
}
