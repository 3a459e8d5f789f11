// What paper has and the screen does not: the note as text, and when and from where it was printed.
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatDateTime, zoneName } from '../../../shared/format/times.ts'
import { Text, useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card } from '../../../shared/ui/basics.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import './printed.css'
import type { EventReport } from '../queries.ts'

export function PrintedNote({ event: { note } }: { event: EventReport }) {
  const { t } = useTranslator()
  const { acknowledged, classification, text, said } = note
  if (acknowledged === null && classification === null && text === '') return null
  return (
    <Card title={t('note.title')} className="print-only">
      {classification !== null && <p>{t(`note.${classification}`)}</p>}
      {text !== '' && <p className="note-text">{text}</p>}
      {said !== null && <Said k="print.said" who={said.by} at={said.at} />}
      {acknowledged !== null && <Said k="print.acknowledged" who={acknowledged.by} at={acknowledged.at} />}
    </Card>
  )
}

function Said({ k, who, at }: { k: 'print.said' | 'print.acknowledged'; who: string; at: string }) {
  return (
    <p className="quiet">
      <Text k={k} values={{ who, at: <FullTime ms={Date.parse(at)} /> }} />
    </p>
  )
}

export function PrintedAt() {
  const [at, setAt] = useState(() => Date.now())
  useEffect(() => {
    // Paper does not wait for the next draw.
    const note = () => flushSync(() => setAt(Date.now()))
    addEventListener('beforeprint', note)
    return () => removeEventListener('beforeprint', note)
  }, [])
  return (
    <p className="print-only quiet footnote">
      <Text
        k="print.at"
        values={{ at: <FullTime ms={at} />, address: <span className="mono">{location.href}</span> }}
      />
    </p>
  )
}

/** A date on paper says its zone. */
function FullTime({ ms }: { ms: number }) {
  const { language } = useTranslator()
  const [{ zone }] = usePreferences()
  return (
    <time dateTime={new Date(ms).toISOString()}>
      {formatDateTime(ms, language, zone)} {zoneName(ms, language, zone)}
    </time>
  )
}
