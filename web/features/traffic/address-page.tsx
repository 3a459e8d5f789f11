// What is known of one address: its traffic now beside the lines that it would have to cross, how far its normal is learnt, what holds for it.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Crosshair } from 'lucide-react'
import { useState } from 'react'
import type { Target } from '../../../client/types.ts'
import { isStatus, useApi } from '../../shared/api/api.ts'
import { Ago, useRates } from '../../shared/format/moments.tsx'
import { formatAmount, formatBits, formatCount } from '../../shared/format/rates.ts'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Bar, Button, Card, Notice } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { EventRows } from '../events/list/event-rows.tsx'
import { eventsQuery } from '../events/queries.ts'
import { attackName } from '../events/vectors.ts'
import { ExplanationCard } from '../explanation/explanation-card.tsx'
import { LineBar } from '../explanation/line-bar.tsx'
import { whatIfOf } from '../explanation/search.ts'
import { className } from '../explanation/verdict.ts'
import { WhatIfCard } from '../explanation/what-if-card.tsx'
import './address-page.css'

const addressPattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/

export function AddressPage() {
  const { t } = useTranslator()
  const { address = '' } = useSearch({ from: '/shell/addresses' })
  return (
    <>
      <div className="page-head">
        <div>
          <h1 className={address === '' ? '' : 'mono'}>{address === '' ? t('nav.addresses') : address}</h1>
          <p>{t('address.lead')}</p>
        </div>
        <AddressForm key={address} given={address} />
      </div>
      {address === '' || !addressPattern.test(address) ? (
        <Card flush>
          <Empty icon={<Crosshair size={28} aria-hidden />} title={t('address.none')}>
            <p>{t('address.noneText')}</p>
          </Empty>
        </Card>
      ) : (
        <Known address={address} />
      )}
    </>
  )
}

function AddressForm({ given }: { given: string }) {
  const { t } = useTranslator()
  const navigate = useNavigate({ from: '/addresses' })
  const [text, setText] = useState(given)
  return (
    <form
      className="look-up"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({ search: { address: text.trim() } })
      }}
    >
      <input
        className="input mono"
        aria-label={t('address.one')}
        placeholder="192.0.2.10"
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={!addressPattern.test(text.trim())}>
        {t('address.look')}
      </Button>
    </form>
  )
}

function Known({ address }: { address: string }) {
  const { t } = useTranslator()
  const api = useApi()
  const { at, ...search } = useSearch({ from: '/shell/addresses' })
  const { data, error, refetch } = useQuery({
    queryKey: ['target', address],
    meta: { live: ['sites'] },
    refetchInterval: 5_000,
    queryFn: ({ signal }) => api.call('getTarget', { params: { address }, signal }),
  })
  const events = useQuery(eventsQuery(api, { address, last: 90 }))
  if (data === undefined) {
    return (
      <Card flush>
        {error === null ? (
          <SkeletonLines />
        ) : isStatus(error, 404) ? (
          <Empty icon={<Crosshair size={28} aria-hidden />} title={t('address.notYours')}>
            <p>{t('address.notYoursText')}</p>
          </Empty>
        ) : (
          <Failure error={error} retry={refetch} />
        )}
      </Card>
    )
  }
  return (
    <>
      {data.incidents.length > 0 && <Attacked incidents={data.incidents} />}
      <div className="columns">
        <Classes classes={data.classes} ageSeconds={data.ratesAgeSeconds} />
        <div className="stack">
          <Learning target={data} />
          <Settings settings={data.settings} />
        </div>
      </div>
      <ExplanationCard address={address} at={at} />
      <WhatIfCard address={address} search={whatIfOf(search)} />
      {events.data !== undefined && events.data.length > 0 && (
        <Card title={t('address.events')} flush>
          <EventRows events={events.data.slice(0, 20)} />
        </Card>
      )}
    </>
  )
}

function Attacked({ incidents }: { incidents: Target['incidents'] }) {
  const translator = useTranslator()
  return (
    <Notice tone="bad">
      {incidents.map(({ id, attackType }) => (
        <p key={id ?? attackType ?? ''}>
          <Link to="/events" search={{ tab: 'active' }}>
            {translator.t('address.attacked', { attack: attackName(attackType, translator) })}
          </Link>
        </p>
      ))}
    </Notice>
  )
}

function Classes({ classes, ageSeconds }: { classes: Target['classes']; ageSeconds: number }) {
  const translator = useTranslator()
  const { t } = translator
  const { packets, bits } = useRates()
  return (
    <Card title={t('address.classes')} flush>
      <Scroll label={t('address.classes')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('address.class')}</th>
              <th scope="col" className="num">
                {t('address.now')}
              </th>
              <th scope="col" className="num">
                {t('why.normal')}
              </th>
              <th scope="col" className="num">
                {t('why.threshold')}
              </th>
              <th scope="col">{t('address.towards')}</th>
            </tr>
          </thead>
          <tbody>
            {classes.map(({ attackType, matches, packetsPerSecond, bytesPerSecond, normal, line }) => (
              <tr key={`${attackType} ${matches}`}>
                <td>
                  {className({ attackType }, translator)}
                  {matches !== null && <div className="quiet">{matches}</div>}
                </td>
                <td className="num nowrap">
                  {packets(packetsPerSecond)}
                  <div className="quiet">{bits(bytesPerSecond)}</div>
                </td>
                <td className="num nowrap">{normal === null ? '–' : packets(normal.packetsPerSecond)}</td>
                <td className="num nowrap">{line === null ? '–' : packets(line)}</td>
                <td className="towards">{line !== null && line > 0 && <LineBar part={packetsPerSecond / line} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="card-note">
        {t('address.classesNote')}
        {ageSeconds > 0 && ` ${t('address.heldBack', { seconds: ageSeconds })}`}
      </p>
    </Card>
  )
}

const seasonHours = 168

function Learning({ target: { knownSince, learnSecondsLeft, seasonHours: known } }: { target: Target }) {
  const translator = useTranslator()
  const { t } = translator
  return (
    <Card title={t('address.learning')}>
      <dl className="facts learning">
        <dt>{t('address.knownSince')}</dt>
        <dd>{knownSince === null ? t('address.never') : <Ago at={knownSince} />}</dd>
        <dt>{t('address.normal')}</dt>
        <dd>
          {learnSecondsLeft === null
            ? '–'
            : learnSecondsLeft === 0
              ? t('address.learnt')
              : t('address.left', { duration: formatDuration(learnSecondsLeft, translator) })}
        </dd>
        <dt>{t('address.season')}</dt>
        <dd>
          {t('address.seasonHours', { count: known ?? 0, all: seasonHours })}
          <Bar share={(known ?? 0) / seasonHours} />
        </dd>
      </dl>
    </Card>
  )
}

function Settings({ settings }: { settings: Target['settings'] }) {
  const { t, language } = useTranslator()
  const { packetsPerSecond, bytesPerSecond, flowsPerSecond, sensitivity, excludePorts, enabled } = settings
  const orNone = (value: number, text: string) => (value === 0 ? t('address.noLimit') : text)
  const rows = [
    { name: t('address.judged'), text: t(enabled.value ? 'address.yes' : 'address.no'), source: enabled.source },
    {
      name: t('unit.packets'),
      text: orNone(packetsPerSecond.value, formatAmount(packetsPerSecond.value, language, t('unit.packetsPerSecond'))),
      source: packetsPerSecond.source,
    },
    {
      name: t('unit.bits'),
      text: orNone(bytesPerSecond.value, formatBits(bytesPerSecond.value, language)),
      source: bytesPerSecond.source,
    },
    {
      name: t('unit.flows'),
      text: orNone(flowsPerSecond.value, formatAmount(flowsPerSecond.value, language, t('unit.flowsPerSecond'))),
      source: flowsPerSecond.source,
    },
    { name: t('address.sensitivity'), text: formatCount(sensitivity.value, language), source: sensitivity.source },
    {
      name: t('address.leftOut'),
      text: excludePorts.value.length === 0 ? t('address.nothing') : excludePorts.value.join(', '),
      source: excludePorts.source,
    },
  ]
  return (
    <Card title={t('address.settings')}>
      <dl className="facts">
        {rows.map(({ name, text, source }) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>
              {text} <span className="quiet">{source === 'default' ? '' : source}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
