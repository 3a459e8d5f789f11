// Why there was an event at an address at some moment, or none.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useRates } from '../../shared/format/moments.tsx'
import { formatDateTime, readLocal, writeLocal, zoneName } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import './explanation.css'
import { LineTable } from './line-table.tsx'
import { type Explanation, explanationQuery } from './queries.ts'
import { blindText, verdictText } from './verdict.ts'

/** `at`: ISO 8601; undefined: nothing was asked yet. */
export function ExplanationCard({ address, at }: { address: string; at: string | undefined }) {
  const { t } = useTranslator()
  return (
    <Card title={t('explain.title')} flush>
      <MomentForm key={`${address} ${at}`} at={at} />
      {at !== undefined && <Explained address={address} at={at} />}
    </Card>
  )
}

function MomentForm({ at }: { at: string | undefined }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const navigate = useNavigate({ from: '/addresses' })
  const [moment, setMoment] = useState(() => writeLocal(at === undefined ? Date.now() : Date.parse(at), zone))
  const ask = (ms: number) =>
    void navigate({ search: (search) => ({ ...search, at: new Date(ms).toISOString() }), resetScroll: false })
  return (
    <form
      className="row explanation-form"
      onSubmit={(event) => {
        event.preventDefault()
        ask(readLocal(moment, zone))
      }}
    >
      <label className="row">
        <span>{t('explain.at')}</span>
        <input
          type="datetime-local"
          step={1}
          className="input"
          value={moment}
          onChange={(event) => setMoment(event.target.value)}
        />
      </label>
      <span className="quiet">{zoneName(Date.now(), language, zone)}</span>
      <Button type="submit" disabled={Number.isNaN(readLocal(moment, zone))}>
        {t('explain.ask')}
      </Button>
      <Button look="ghost" onClick={() => ask(Date.now())}>
        {t('explain.now')}
      </Button>
    </form>
  )
}

function Explained({ address, at }: { address: string; at: string }) {
  const { data, error, refetch } = useQuery(explanationQuery(useApi(), address, at))
  if (data !== undefined) return <Answer explanation={data} />
  return error === null ? <SkeletonLines lines={4} /> : <Failure error={error} retry={refetch} />
}

function Answer({ explanation }: { explanation: Explanation }) {
  const translator = useTranslator()
  const { t } = translator
  const [{ zone }] = usePreferences()
  const { verdict, events, blind, classes, networks } = explanation
  return (
    <>
      <div className="explanation-answer">
        <p className="explanation-verdict">{verdictText(explanation, translator, zone)}</p>
        {events.map(({ id, site }) => (
          <Link key={id} to="/events/$id" params={{ id }}>
            {t('explain.openEvent', { site })}
          </Link>
        ))}
        {blind.length > 0 && verdict !== 'not-yours' && (
          <Notice tone="warn">
            <p>{t('explain.blind')}</p>
            <ul>
              {blind.map((spot) => (
                <li key={`${spot.kind} ${spot.exporter}`}>{blindText(spot, translator)}</li>
              ))}
            </ul>
          </Notice>
        )}
        <Circumstances explanation={explanation} />
      </div>
      {classes.length > 0 && <LineTable label={t('explain.lines')} classes={classes} />}
      {networks
        ?.filter((network) => network.classes.length > 0)
        .map(({ network, classes }) => (
          <LineTable key={network} label={t('explain.network', { network })} classes={classes} isTitled />
        ))}
    </>
  )
}

/** Which seconds the numbers are of, and what they were compared with. */
function Circumstances({ explanation }: { explanation: Explanation }) {
  const { t, language } = useTranslator()
  const { packets, bits } = useRates()
  const [{ zone }] = usePreferences()
  const { from, to, isLearnt, busiestSecond, limits, stepSeconds } = explanation
  if (stepSeconds === null) return null
  const clock = (at: string) => formatDateTime(Date.parse(at), language, zone)
  return (
    <dl className="facts">
      <dt>{t('explain.span')}</dt>
      <dd>{`${clock(from)} – ${clock(to)}`}</dd>
      {busiestSecond !== null && (
        <>
          <dt>{t('explain.busiest')}</dt>
          <dd>{`${packets(busiestSecond.packetsPerSecond)}, ${bits(busiestSecond.bytesPerSecond)}`}</dd>
        </>
      )}
      {isLearnt !== null && (
        <>
          <dt>{t('address.normal')}</dt>
          <dd>{t(isLearnt ? 'explain.learnt' : 'explain.unlearnt')}</dd>
        </>
      )}
      {limits !== null && (
        <>
          <dt>{t('address.sensitivity')}</dt>
          <dd>{limits.sensitivity.toLocaleString(language)}</dd>
        </>
      )}
    </dl>
  )
}
