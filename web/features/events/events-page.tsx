// The list of events: which ones, found by what, newest first.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, X } from 'lucide-react'
import { type Search, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { EventList } from './event-list.tsx'
import type { EventsSearch } from './search.ts'
import './events-page.css'
import { eventsQuery } from './queries.ts'
import { attackName } from './vectors.ts'

const tabs = ['active', 'all'] as const
const spans = [1, 7, 30, 90, 365]
const spanDefault = 30

export function EventsPage() {
  const { t } = useTranslator()
  const search = useSearch({ from: '/shell/events' })
  const { tab = 'all', last = spanDefault, site, address, type } = search
  const navigate = useNavigate({ from: '/events' })
  const change = (changed: Partial<EventsSearch>) =>
    void navigate({ search: (before: EventsSearch) => ({ ...before, ...changed }), replace: true })
  const filter = { site, address, attackType: type, last, ...(tab === 'active' ? { state: 'open' } : {}) }
  return (
    <>
      <div className="page-head">
        <h1>{t('nav.events')}</h1>
        <select
          className="input span"
          aria-label={t('events.span')}
          value={last}
          onChange={(event) => change({ last: Number(event.target.value) })}
        >
          {(spans.includes(last) ? spans : [...spans, last]).map((days) => (
            <option key={days} value={days}>
              {t('events.lastDays', { count: days })}
            </option>
          ))}
        </select>
      </div>
      <div className="row spread">
        <nav className="tabs" aria-label={t('nav.events')}>
          {tabs.map((each) => (
            <Link
              key={each}
              from="/events"
              search={(before: EventsSearch) => ({ ...before, tab: each })}
              aria-current={each === tab ? 'page' : undefined}
              activeProps={{ 'aria-current': undefined }}
            >
              {t(`events.tab.${each}`)}
            </Link>
          ))}
        </nav>
        <Filters search={search} onChange={change} />
      </div>
      <Events filter={filter} isActive={tab === 'active'} />
    </>
  )
}

/** What the list is narrowed down to, each with a cross to take it away. */
function Filters({ search, onChange }: { search: EventsSearch; onChange: (changed: Partial<EventsSearch>) => void }) {
  const translator = useTranslator()
  const { t } = translator
  const { site, address, type } = search
  const set = [
    { name: 'site', label: t('events.site'), text: site },
    { name: 'address', label: t('events.victim'), text: address },
    { name: 'type', label: t('events.attack'), text: type === undefined ? undefined : typeName(type, translator) },
  ] as const
  return (
    <ul className="row filters">
      {set.map(({ name, label, text }) =>
        text === undefined ? null : (
          <li key={name} className="pill accent">
            {label}: {text}
            <button
              type="button"
              aria-label={t('events.without', { filter: `${label} ${text}` })}
              onClick={() => onChange({ [name]: undefined })}
            >
              <X size={12} aria-hidden />
            </button>
          </li>
        ),
      )}
    </ul>
  )
}

function typeName(type: string, translator: ReturnType<typeof useTranslator>): string {
  return attackName(type === 'unknown' ? null : type, translator)
}

function Events({ filter, isActive }: { filter: Search; isActive: boolean }) {
  const { t } = useTranslator()
  const { data: events, error, refetch } = useQuery(eventsQuery(useApi(), filter))
  if (events === undefined) {
    return (
      <Card flush>{error === null ? <SkeletonLines lines={10} /> : <Failure error={error} retry={refetch} />}</Card>
    )
  }
  if (events.length === 0) {
    return (
      <Card flush>
        <Empty icon={<Activity size={28} aria-hidden />} title={t(isActive ? 'events.noneActive' : 'events.none')}>
          <p>{t(isActive ? 'events.noneActiveText' : 'events.noneText')}</p>
        </Empty>
      </Card>
    )
  }
  return <EventList key={JSON.stringify(filter)} events={events} />
}
