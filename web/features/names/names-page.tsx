// Names: where one led and what led to an address, at any time; what is to be done about one's own; who reports them.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Signpost } from 'lucide-react'
import { useState } from 'react'
import { isStatus, useApi } from '../../shared/api/api.ts'
import { readLocal, writeLocal, zoneName } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { isAdmin, useIdentity } from '../session/session.ts'
import { Findings } from './findings.tsx'
import { Sources } from './name-sources.tsx'
import './names-page.css'
import { lookUpQuery } from './queries.ts'
import { RecordTable } from './record-table.tsx'

export function NamesPage() {
  const { t } = useTranslator()
  const { q = '', at } = useSearch({ from: '/shell/names' })
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('nav.names')}</h1>
          <p>{t('names.lead')}</p>
        </div>
      </div>
      <Card title={t('names.lookUp')} flush className="look-up-card">
        <LookUpForm key={`${q} ${at}`} question={q} at={at} />
        {q !== '' && <Records question={q} at={at} />}
      </Card>
      <Findings />
      {isAdmin(useIdentity()) && <Sources />}
    </>
  )
}

function LookUpForm({ question, at }: { question: string; at: string | undefined }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const navigate = useNavigate({ from: '/names' })
  const [text, setText] = useState(question)
  const [moment, setMoment] = useState(at === undefined ? '' : writeLocal(Date.parse(at), zone))
  return (
    <form
      className="row card-form"
      onSubmit={(event) => {
        event.preventDefault()
        const ms = readLocal(moment, zone)
        const then = Number.isNaN(ms) ? {} : { at: new Date(ms).toISOString() }
        void navigate({ search: text.trim() === '' ? {} : { q: text.trim(), ...then } })
      }}
    >
      <input
        type="search"
        className="input mono question"
        aria-label={t('names.question')}
        placeholder="www.example.com, 192.0.2.10"
        maxLength={253}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <label className="row at">
        <span>{t('names.at')}</span>
        <input
          type="datetime-local"
          className="input"
          value={moment}
          onChange={(event) => setMoment(event.target.value)}
        />
        <span className="quiet">{zoneName(Date.now(), language, zone)}</span>
      </label>
      <Button type="submit" look="primary">
        {t('address.look')}
      </Button>
      {question !== '' && (
        <Link to="/names" search={{}} className="button ghost">
          {t('names.clear')}
        </Link>
      )}
    </form>
  )
}

function Records({ question, at }: { question: string; at: string | undefined }) {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(lookUpQuery(useApi(), question, at))
  if (data === undefined) {
    if (error === null) return <SkeletonLines lines={3} />
    if (!isStatus(error, 400)) return <Failure error={error} retry={refetch} />
    return <p className="card-note">{t('names.notOne')}</p>
  }
  const refused = data.isRefused && <p className="card-note">{t('names.refused')}</p>
  if (data.records.length === 0) {
    if (refused !== false) return refused
    return (
      <Empty icon={<Signpost size={28} aria-hidden />} title={t('names.none')}>
        <p>{t(at === undefined ? 'names.noneText' : 'names.noneThen')}</p>
      </Empty>
    )
  }
  return (
    <>
      <RecordTable records={data.records} question={question} at={at} />
      {refused}
      {data.omitted > 0 && <p className="card-note">{t('names.omitted', { count: data.omitted })}</p>}
    </>
  )
}
