// The list of events: which ones, found by what, newest first.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, SearchX, X } from 'lucide-react'
import { useDeferredValue } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { useLongList } from '../../../shared/api/pages.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../../shared/ui/states.tsx'
import { type EventFilter, eventList } from '../queries.ts'
import { type EventsSearch, eventsSearch } from '../search.ts'
import { attackName } from '../vectors.ts'
import { wordsOf } from '../words.ts'
import { EventList } from './event-list.tsx'
import { filterOf, searchDefaults, tabs } from './filter.ts'

const spans = [1, 7, 30, 90, 365]

/** Undefined: no longer. */
type SearchChange = { [Key in keyof EventsSearch]?: EventsSearch[Key] | undefined }

export function EventsPage() {
  const translator = useTranslator()
  const { t } = translator
  const search = useSearch({ from: '/shell/events' })
  const { tab, last, q } = { ...searchDefaults, ...search }
  const navigate = useNavigate({ from: '/events' })
  const change = (changed: SearchChange) =>
    void navigate({ search: (before: EventsSearch) => eventsSearch({ ...before, ...changed }), replace: true })
  const filter = filterOf(search, wordsOf(useDeferredValue(q), translator))
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
        <div className="row">
          <Filters search={search} onChange={change} />
          <input
            type="search"
            className="input find"
            aria-label={t('events.find')}
            placeholder={t('events.find')}
            maxLength={100}
            value={q ?? ''}
            onChange={(event) => change({ q: event.target.value === '' ? undefined : event.target.value })}
          />
        </div>
      </div>
      <Events filter={filter} search={{ ...search, tab, last }} onChange={change} />
    </>
  )
}

/** What the list is narrowed down to, each with a cross to take it away. */
function Filters({ search, onChange }: { search: EventsSearch; onChange: (changed: SearchChange) => void }) {
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

interface EventsProps {
  filter: EventFilter
  search: EventsSearch & Required<Pick<EventsSearch, 'tab' | 'last'>>
  onChange: (changed: SearchChange) => void
}

function Events({ filter, search, onChange }: EventsProps) {
  const { t } = useTranslator()
  const { rows: events, error, refetch, onSight } = useLongList(eventList(useApi(), filter))
  if (events === undefined) {
    return (
      <Card flush>{error === null ? <SkeletonLines lines={10} /> : <Failure error={error} retry={refetch} />}</Card>
    )
  }
  if (events.length === 0) {
    const { tab, q, site, address, type } = search
    if ([q, site, address, type].some((each) => each !== undefined)) {
      return <NoMatch search={search} onChange={onChange} />
    }
    return (
      <Card flush>
        <Empty icon={<Activity size={28} aria-hidden />} title={t(`events.none.${tab}`)}>
          <p>{t(`events.noneText.${tab}`)}</p>
        </Empty>
      </Card>
    )
  }
  return <EventList key={JSON.stringify(filter)} events={events} onSight={onSight} />
}

/** What was looked for, and where, as none of it is to be found there. */
function NoMatch({ search, onChange }: Pick<EventsProps, 'search' | 'onChange'>) {
  const translator = useTranslator()
  const { t } = translator
  const { tab, last, q, site, address, type } = search
  const wanted = [q, site, address, type === undefined ? undefined : typeName(type, translator)]
  const what = wanted.flatMap((each) => (each === undefined ? [] : [t('events.quoted', { text: each })])).join(', ')
  return (
    <Card flush>
      <Empty icon={<SearchX size={28} aria-hidden />} title={t('events.noMatch')}>
        <p>{t('events.noMatchText', { what, tab: t(`events.tab.${tab}`), count: last })}</p>
        <div className="row">
          {tab !== 'all' && <Button onClick={() => onChange({ tab: 'all' })}>{t('events.searchAll')}</Button>}
          <Button onClick={() => onChange({ q: undefined, site: undefined, address: undefined, type: undefined })}>
            {t('events.clear')}
          </Button>
        </div>
      </Empty>
    </Card>
  )
}
