// How things stand at a glance: in a sentence, in numbers, in the traffic of the last day, in the latest events.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { Ago, useRates } from '../../shared/format/moments.tsx'
import { formatCount } from '../../shared/format/rates.ts'
import { formatDuration } from '../../shared/format/times.ts'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { EventRows } from '../events/event-rows.tsx'
import { type EventOverview, eventsQuery } from '../events/queries.ts'
import { attackName } from '../events/vectors.ts'
import { isAdmin, useIdentity } from '../session/session.ts'
import { exportersQuery } from '../sources/queries.ts'
import { EventLanes } from './event-lanes.tsx'
import './overview.css'
import { type Overview, overviewQuery } from './queries.ts'
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
  return (
    <>
      <Card className="story">
        <Sentence overview={overview} />
        <Numbers overview={overview} />
      </Card>
      <TrafficCard overview={overview} />
      {overview.events.lastWeek === 0 && overview.attacks.length === 0 ? (
        <Card flush>
          <Empty icon={<Shield size={28} aria-hidden />} title={t('overview.quiet')}>
            <p>{t('overview.quietText')}</p>
          </Empty>
        </Card>
      ) : (
        <>
          <EventLanes overview={overview} />
          {overview.events.lastWeek === 0 ? (
            <Latest />
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
      )}
    </>
  )
}

function Sentence({ overview: { posture, events, lastEvent } }: { overview: Overview }) {
  const translator = useTranslator()
  const { t } = translator
  const { main } = useRates()
  if (posture === 'no-flows') {
    return (
      <p className="story-text">
        <Text k="overview.blind" values={{ sources: <Link to="/sources/add">{t('sources.add')}</Link> }} />
      </p>
    )
  }
  if (lastEvent === null) return <p className="story-text">{t('overview.calm')}</p>
  const end = Date.parse(lastEvent.end ?? lastEvent.start)
  const values = {
    attack: <NamedEvent event={lastEvent} />,
    victim: <b>{lastEvent.domain === '' ? lastEvent.address : lastEvent.domain}</b>,
    rate: <b className="nowrap">{main(lastEvent.average)}</b>,
    ago: <Ago at={lastEvent.start} />,
    since: <Ago at={lastEvent.start} />,
    duration: formatDuration((end - Date.parse(lastEvent.start)) / 1000, translator),
    others: events.open <= 1 ? '' : ` ${t('overview.others', { count: events.open - 1 })}`,
    count: <b>{t('posture.attack', { count: events.open })}</b>,
  }
  const key =
    events.open === 0 ? 'overview.last' : lastEvent.state === 'open' ? 'overview.attacked' : 'overview.earlier'
  return (
    <p className="story-text">
      <Text k={key} values={values} />
    </p>
  )
}

function NamedEvent({ event }: { event: EventOverview }) {
  const translator = useTranslator()
  return (
    <Link to="/events/$id" params={{ id: event.id }}>
      <b>{attackName(event.attackType, translator)}</b>
    </Link>
  )
}

function Numbers({ overview: { events, sites } }: { overview: Overview }) {
  const { t, language } = useTranslator()
  const identity = useIdentity()
  const exporters = useQuery({ ...exportersQuery(useApi()), enabled: isAdmin(identity) }).data?.exporters
  const count = (value: number | undefined) => (value === undefined ? '–' : formatCount(value, language))
  return (
    <dl className="numbers">
      <Fact name={t('overview.open')}>{count(events.open)}</Fact>
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
  const { data: events, error, refetch } = useQuery(eventsQuery(useApi(), { last: weekDays, limit: latestMax }))
  return (
    <Card title={t('overview.latest')} flush actions={<Link to="/events">{t('overview.allEvents')}</Link>}>
      {events !== undefined ? (
        <EventRows events={events} isNarrow />
      ) : error === null ? (
        <SkeletonLines />
      ) : (
        <Failure error={error} retry={refetch} />
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
