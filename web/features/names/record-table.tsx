// Names and addresses that led to each other, with when that was known, on a line of time.
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { Ago, Moment, useNow } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import type { NameRecord } from './queries.ts'
import './record-table.css'

interface RecordTableProps {
  records: readonly NameRecord[]
  question: string
  at: string | undefined
}

export function RecordTable({ records, question, at }: RecordTableProps) {
  const { t } = useTranslator()
  // By the minute: the lines need not move with every second.
  const now = Math.ceil(useNow() / 60_000) * 60_000
  const fromMs = records.reduce((least, { firstAt }) => Math.min(least, Date.parse(firstAt)), now - 3_600_000)
  const hasSensors = records.some(({ sensor }) => sensor !== null)
  return (
    <Scroll label={t('names.lookUp')} className="records">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('names.name')}</th>
            <th scope="col">{t('names.address')}</th>
            <th scope="col">{t('names.first')}</th>
            <th scope="col">{t('names.confirmed')}</th>
            <th scope="col">{t('names.when')}</th>
            <th scope="col">{t('names.source')}</th>
            {hasSensors && <th scope="col">{t('names.sensor')}</th>}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={`${record.name} ${record.address} ${record.source}`}>
              <td>
                <Way record={record} question={question} at={at} />
              </td>
              <td>
                <Asked text={record.address} question={question} at={at} />
              </td>
              <td className="nowrap">
                <Moment at={record.firstAt} />
              </td>
              <td className="nowrap">
                {record.isCurrent ? <Pill tone="good">{t('names.current')}</Pill> : null}{' '}
                <Ago at={record.confirmedAt} />
              </td>
              <td className="seen-when">
                <Span record={record} fromMs={fromMs} toMs={now} at={at} />
              </td>
              <td className="nowrap">
                <span title={t(`names.sourceText.${record.source}`)}>{t(`names.source.${record.source}`)}</span>
              </td>
              {hasSensors && <td className="mono">{record.sensor}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** The name, and the aliases on the way. */
function Way({ record: { name, aliases }, question, at }: { record: NameRecord } & Omit<RecordTableProps, 'records'>) {
  return (
    <span className="way">
      <Asked text={name} question={question} at={at} />
      {aliases.map((alias) => (
        <span key={alias} className="quiet">
          <ArrowRight size={12} aria-hidden />
          <Asked text={alias} question={question} at={at} />
        </span>
      ))}
    </span>
  )
}

/** Leads on to what is known of it. */
function Asked({ text, question, at }: { text: string } & Omit<RecordTableProps, 'records'>) {
  if (text === question) return <b className="mono">{text}</b>
  return (
    <Link to="/names" search={{ q: text, ...(at === undefined ? {} : { at }) }} className="mono row-link">
      {text}
    </Link>
  )
}

interface SpanProps {
  record: NameRecord
  fromMs: number
  toMs: number
  at: string | undefined
}

/** What it shows stands in the columns before it. */
function Span({ record: { firstAt, confirmedAt, isCurrent }, fromMs, toMs, at }: SpanProps) {
  const place = (ms: number) => Math.max(0, Math.min(1, (ms - fromMs) / (toMs - fromMs))) * 100
  const left = place(Date.parse(firstAt))
  const width = place(isCurrent ? toMs : Date.parse(confirmedAt)) - left
  return (
    <span className="seen-from-to" aria-hidden>
      <i className={isCurrent ? 'current' : ''} style={{ insetInlineStart: `${left}%`, width: `${width}%` }} />
      {at !== undefined && <b style={{ insetInlineStart: `${place(Date.parse(at))}%` }} />}
    </span>
  )
}
