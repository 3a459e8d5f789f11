// How things stand at a glance: in a sentence, in numbers, in the latest events.
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
import { enabledSitesQuery, someSitesQuery } from '../sites/queries.ts'
import { exportersQuery } from '../sources/queries.ts'
import { EventLanes } from './event-lanes.tsx'
import './overview.css'

const dayMs = 86_400_000
const latestMax = 8

export function OverviewPage() {
  const { t } = useTranslator()
  const api = useApi()
  const { data: events, error, refetch } = useQuery(eventsQuery(api, { last: 7 }))
  if (events === undefined) {
    return (
      <>
        <div className="page-head">
          <h1>{t('nav.overview')}</h1>
        </div>
        <Card flush>{error === null ? <SkeletonLines /> : <Failure error={error} retry={refetch} />}</Card>
      </>
    )
  }
  return (
    <>
      <div className="page-head">
        <h1>{t('nav.overview')}</h1>
      </div>
      <Card className="story">
        <Sentence events={events} />
        <Numbers events={events} />
      </Card>
      {events.length === 0 ? (
        <Card flush>
          <Empty icon={<Shield size={28} aria-hidden />} title={t('overview.quiet')}>
            <p>{t('overview.quietText')}</p>
          </Empty>
        </Card>
      ) : (
        <>
          <EventLanes events={events} />
          <div className="columns">
            <Card title={t('overview.latest')} flush actions={<Link to="/events">{t('overview.allEvents')}</Link>}>
              <EventRows events={events.slice(0, latestMax)} />
            </Card>
            <div className="stack">
              <Tally title={t('overview.topSites')} of={events.map(({ site }) => site)} linkOf={(site) => ({ site })} />
              <TopAttacks events={events} />
            </div>
          </div>
        </>
      )}
    </>
  )
}

function Sentence({ events }: { events: readonly EventOverview[] }) {
  const translator = useTranslator()
  const { t } = translator
  const { main } = useRates()
  const open = events.filter(({ state }) => state === 'open')
  const [worst] = open.toSorted((a, b) => b.average.packetsPerSecond - a.average.packetsPerSecond)
  const [last] = events
  const linkTo = (event: EventOverview) => (
    <Link to="/events/$id" params={{ id: event.id }}>
      <b>{attackName(event.attackType, translator)}</b>
    </Link>
  )
  const victimOf = ({ domain, address }: EventOverview) => <b>{domain === '' ? address : domain}</b>
  if (worst !== undefined) {
    const values = {
      attack: linkTo(worst),
      victim: victimOf(worst),
      rate: <b className="nowrap">{main(worst.average)}</b>,
      since: <Ago at={worst.start} />,
      others: open.length === 1 ? '' : ` ${t('overview.others', { count: open.length - 1 })}`,
    }
    return (
      <p className="story-text">
        <Text k="overview.attacked" values={values} />
      </p>
    )
  }
  if (last === undefined) return <p className="story-text">{t('overview.calm')}</p>
  const end = Date.parse(last.end ?? last.start)
  const values = {
    attack: linkTo(last),
    victim: victimOf(last),
    ago: <Ago at={last.start} />,
    rate: <span className="nowrap">{main(last.average)}</span>,
    duration: formatDuration((end - Date.parse(last.start)) / 1000, translator),
  }
  return (
    <p className="story-text">
      <Text k="overview.last" values={values} />
    </p>
  )
}

function Numbers({ events }: { events: readonly EventOverview[] }) {
  const { t, language } = useTranslator()
  const api = useApi()
  const identity = useIdentity()
  const sites = useQuery(someSitesQuery(api, '')).data?.total
  const watched = useQuery(enabledSitesQuery(api)).data
  const exporters = useQuery({ ...exportersQuery(api), enabled: isAdmin(identity) }).data?.exporters
  const dayAgo = Date.now() - dayMs
  const count = (value: number | undefined) => (value === undefined ? '–' : formatCount(value, language))
  const working = exporters?.filter(({ state }) => state !== 'error').length
  return (
    <dl className="numbers">
      <Fact name={t('overview.open')}>{count(events.filter(({ state }) => state === 'open').length)}</Fact>
      <Fact name={t('overview.day')}>{count(events.filter(({ start }) => Date.parse(start) >= dayAgo).length)}</Fact>
      <Fact name={t('overview.week')}>{count(events.length)}</Fact>
      <Fact name={t('overview.sites')} note={t('overview.sitesOf', { count: sites ?? 0 })}>
        {count(watched)}
      </Fact>
      {isAdmin(identity) && (
        <Fact name={t('overview.sources')} note={t('overview.sourcesOf', { count: exporters?.length ?? 0 })}>
          {count(working)}
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

const tallyMax = 6

/** How often each text occurs, the most frequent first. */
function tally(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, tallyMax)
}

interface TallyProps {
  title: string
  of: readonly string[]
  nameOf?: (text: string) => string
  linkOf: (text: string) => { site?: string; type?: string }
}

function Tally({ title, of, nameOf = (text) => text, linkOf }: TallyProps) {
  const { language } = useTranslator()
  const rows = tally(of)
  const most = rows[0]?.[1] ?? 1
  return (
    <Card title={title}>
      <ul className="bars two-columns">
        {rows.map(([text, count]) => (
          <li key={text}>
            <Link to="/events" search={{ ...linkOf(text), last: 7 }} className="row-link">
              {nameOf(text)}
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

function TopAttacks({ events }: { events: readonly EventOverview[] }) {
  const translator = useTranslator()
  return (
    <Tally
      title={translator.t('overview.topAttacks')}
      of={events.map(({ attackType }) => attackType ?? 'unknown')}
      nameOf={(type) => attackName(type === 'unknown' ? null : type, translator)}
      linkOf={(type) => ({ type })}
    />
  )
}
