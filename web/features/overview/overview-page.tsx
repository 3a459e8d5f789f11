// How things stand at a glance: the attacks that go on, else one line; then in numbers, in the traffic of the last day, in what is over.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EyeOff, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { Ago, useNow, useRates } from '../../shared/format/moments.tsx'
import { formatCount } from '../../shared/format/rates.ts'
import { formatAgo } from '../../shared/format/times.ts'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { UndeliveredNotice } from '../alerts/undelivered-notice.tsx'
import { EventRows } from '../events/list/event-rows.tsx'
import { eventsQuery } from '../events/queries.ts'
import { attackName } from '../events/vectors.ts'
import { isAdmin, useIdentity } from '../session/session.ts'
import { exportersQuery } from '../sources/queries.ts'
import { EventLanes } from './event-lanes.tsx'
import { OpenAttacks } from './open-attacks.tsx'
import './overview.css'
import { type Overview, overviewQuery } from './queries.ts'
import { ReadinessNotice, SelfTestLine } from './readiness.tsx'
import { calmSentence, unwatchedText } from './sentences.ts'
import { TrafficCard } from './traffic-card.tsx'

const latestMax = 8
const weekDays = 7

export function OverviewPage() {
  const { t } = useTranslator()
  const { data: overview, error, refetch } = useQuery(overviewQuery(useApi()))
  return (
    <>
      <div className="page-head">
        <h1>{t('nav.overview')}</h1>
      </div>
      {overview === undefined ? (
        <Card flush>{error === null ? <SkeletonLines /> : <Failure error={error} retry={refetch} />}</Card>
      ) : (
        <Shown overview={overview} />
      )}
    </>
  )
}

function Shown({ overview }: { overview: Overview }) {
  const { t } = useTranslator()
  const isWatching = overview.sites.enabled > 0
  const hasEvents = overview.events.lastWeek > 0 || overview.attacks.length > 0
  return (
    <>
      <ReadinessNotice />
      <UndeliveredNotice />
      {!isWatching && <Unwatched overview={overview} />}
      <OpenAttacks overview={overview} />
      {isWatching && (
        <>
          <Card className="story">
            <Line overview={overview} />
            <SelfTestLine />
            <Numbers overview={overview} />
          </Card>
          <TrafficCard overview={overview} />
        </>
      )}
      {isWatching && !hasEvents && (
        <Card flush>
          <Empty icon={<Shield size={28} aria-hidden />} title={t('overview.quiet')}>
            <p>{t('overview.quietText')}</p>
          </Empty>
        </Card>
      )}
      {hasEvents && <EventLanes overview={overview} />}
      {overview.events.lastWeek === 0 ? (
        hasEvents && <Latest />
      ) : (
        <div className="columns">
          <Latest />
          <div className="stack">
            <TopSites overview={overview} />
            <TopAttacks overview={overview} />
          </div>
        </div>
      )}
    </>
  )
}

/** Instead of a calm that nobody watches over. */
function Unwatched({ overview: { sites, lastDatagramAt } }: { overview: Overview }) {
  const { t } = useTranslator()
  const identity = useIdentity()
  const { title, text, action } = unwatchedText(sites)
  return (
    <Card flush>
      <Empty icon={<EyeOff size={28} aria-hidden />} title={t(title)}>
        <p>{t(text)}</p>
        <Link to="/sites" className="button primary">
          {t(action)}
        </Link>
        {lastDatagramAt === null && isAdmin(identity) && (
          <>
            <p>{t('overview.unheard')}</p>
            <Link to="/sources/add" className="button">
              {t('overview.addSource')}
            </Link>
          </>
        )}
      </Empty>
    </Card>
  )
}

/** One line while no attack goes on. */
function Line({ overview }: { overview: Overview }) {
  const translator = useTranslator()
  const { main } = useRates()
  const now = useNow()
  const sentence = calmSentence(overview, translator, {
    rate: main,
    ago: (at) => formatAgo(Date.parse(at), now, translator.language),
  })
  if (sentence === null) return null
  const { key, values, linked = {}, at } = sentence
  const { event: id, page } = linked
  const { attack, sources, victim, ...rest } = values
  return (
    <p className="story-text">
      <Text
        k={key}
        values={{
          ...rest,
          ago: at !== undefined && <Ago at={at} />,
          victim: <b>{victim}</b>,
          attack: id !== undefined && (
            <Link to="/events/$id" params={{ id }}>
              <b>{attack}</b>
            </Link>
          ),
          sources: page !== undefined && <Link to={page}>{sources}</Link>,
        }}
      />
    </p>
  )
}

function Numbers({ overview: { events, sites } }: { overview: Overview }) {
  const { t, language } = useTranslator()
  const identity = useIdentity()
  const exporters = useQuery({ ...exportersQuery(useApi()), enabled: isAdmin(identity) }).data?.exporters
  const count = (value: number | undefined) => (value === undefined ? '–' : formatCount(value, language))
  return (
    <dl className="numbers counts">
      <Fact name={t('events.tab.attention')} note={t('overview.week')}>
        {count(events.unacknowledged)}
      </Fact>
      <Fact name={t('overview.day')} note={t('overview.dayBefore', { count: events.dayBefore })}>
        {count(events.lastDay)}
      </Fact>
      <Fact name={t('overview.week')}>{count(events.lastWeek)}</Fact>
      <Fact name={t('overview.sites')} note={t('overview.sitesOf', { count: sites.count })}>
        {count(sites.enabled)}
      </Fact>
      {isAdmin(identity) && (
        <Fact name={t('overview.sources')} note={t('overview.sourcesOf', { count: exporters?.length ?? 0 })}>
          {count(exporters?.filter(({ state }) => state !== 'error').length)}
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{children}</dd>
      {note !== undefined && <dd className="quiet">{note}</dd>}
    </div>
  )
}

function Latest() {
  const { t } = useTranslator()
  const api = useApi()
  const search = { last: weekDays, limit: latestMax }
  const { data: ended, error, refetch } = useQuery(eventsQuery(api, { ...search, state: 'ended' }))
  // What is simulated is not among the attacks that go on.
  const { data: tests = [] } = useQuery(eventsQuery(api, { ...search, state: 'open', test: 'true' }))
  const events = ended === undefined ? undefined : [...tests, ...ended].slice(0, latestMax)
  return (
    <Card title={t('overview.ended')} flush actions={<Link to="/events">{t('overview.allEvents')}</Link>}>
      {events === undefined ? (
        error === null ? (
          <SkeletonLines />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : events.length === 0 ? (
        <p className="card-lead">{t('overview.endedNone')}</p>
      ) : (
        <EventRows events={events} isNarrow />
      )}
    </Card>
  )
}

function TopSites({ overview: { topSites } }: { overview: Overview }) {
  const { t } = useTranslator()
  return (
    <Tally
      title={t('overview.topSites')}
      rows={topSites.map(({ site, events }) => ({ name: site, count: events, search: { site } }))}
    />
  )
}

function TopAttacks({ overview: { topVectors } }: { overview: Overview }) {
  const translator = useTranslator()
  return (
    <Tally
      title={translator.t('overview.topAttacks')}
      rows={topVectors.map(({ attackType, events }) => ({
        name: attackName(attackType, translator),
        count: events,
        search: { type: attackType ?? 'unknown' },
      }))}
    />
  )
}

interface TallyProps {
  title: string
  rows: readonly { name: string; count: number; search: { site?: string; type?: string } }[]
}

function Tally({ title, rows }: TallyProps) {
  const { language } = useTranslator()
  const most = rows[0]?.count ?? 1
  return (
    <Card title={title}>
      <ul className="bars two-columns">
        {rows.map(({ name, count, search }) => (
          <li key={name}>
            <Link to="/events" search={{ ...search, last: weekDays }} className="row-link">
              {name}
            </Link>
            <b className="num">{formatCount(count, language)}</b>
            <span className="bar" aria-hidden="true">
              <i style={{ width: `${(count / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
