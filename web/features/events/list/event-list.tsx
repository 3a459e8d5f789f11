// Events as rows, of which only those in sight are made. What comes while somebody reads waits above the list, so that
// no row moves away from under the eyes.
import { useNavigate } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Ago, useNow, useRates } from '../../../shared/format/moments.tsx'
import { formatDuration } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button } from '../../../shared/ui/basics.tsx'
import { isTyping } from '../../../shared/ui/keyboard.ts'
import { phoneScreen, useMedia } from '../../../shared/ui/media.ts'
import { RowLink } from '../../../shared/ui/row-link.tsx'
import { timesNormal } from '../normal.ts'
import type { EventOverview } from '../queries.ts'
import { SeverityMark } from '../severity.tsx'
import { StateOfEvent } from '../state-of-event.tsx'
import { TimesNormal } from '../times-normal.tsx'
import { eventKind, eventVictim } from '../titles.ts'
import './event-list.css'

const rowHeight = 57
const phoneRowHeight = 92
/** From there on the bar is full. */
const timesMost = 100

export interface EventListProps {
  events: readonly EventOverview[]
  /** Is told which rows are in sight, or near. */
  onSight: (first: number, last: number) => void
}

export function EventList({ events, onSight }: EventListProps) {
  const { t } = useTranslator()
  const list = useRef<HTMLDivElement>(null)
  const [isPointed, setPointed] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const isReading = () => isPointed || chosen !== null || window.scrollY > 0
  const { shown, waiting, showAll } = useHeld(events, isReading)
  const height = useMedia(phoneScreen) ? phoneRowHeight : rowHeight
  const rows = useWindowVirtualizer({
    count: shown.length,
    estimateSize: () => height,
    overscan: 12,
    // Rows beyond the edge are there already; drawing at once would hold the scroll up.
    useFlushSync: false,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (row) => shown[row].id,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height lie elsewhere.
  useLayoutEffect(() => rows.measure(), [height])
  useRowKeys({ shown, chosen, setChosen, toRow: (row) => rows.scrollToIndex(row, { align: 'auto' }) })
  const items = rows.getVirtualItems()
  const [firstRow, lastRow] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onSight(firstRow, lastRow), [onSight, firstRow, lastRow])
  return (
    <div className="event-list">
      {waiting > 0 && (
        <Button look="primary" className="waiting" onClick={showAll}>
          <ArrowUp size={14} aria-hidden />
          {t('events.new', { count: waiting })}
        </Button>
      )}
      <div className="card" role="table" aria-label={t('nav.events')} aria-rowcount={shown.length + 1}>
        <Head />
        <div
          role="rowgroup"
          ref={list}
          className="event-body"
          style={{ height: rows.getTotalSize() }}
          onPointerEnter={() => setPointed(true)}
          onPointerLeave={() => setPointed(false)}
        >
          {items.map(({ index, key, start }) => (
            <Row
              key={key}
              event={shown[index]}
              row={index}
              isChosen={shown[index].id === chosen}
              top={start - rows.options.scrollMargin}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function Head() {
  const { t } = useTranslator()
  return (
    <div role="rowgroup" className="event-head">
      <div role="row" className="event-row">
        <span role="columnheader">{t('events.attack')}</span>
        <span role="columnheader">{t('events.victim')}</span>
        <span role="columnheader">{t('events.site')}</span>
        <span role="columnheader">{t('events.start')}</span>
        <span role="columnheader" className="num">
          {t('events.duration')}
        </span>
        <span role="columnheader" className="num">
          {t('events.average')}
        </span>
        <span role="columnheader" className="deviation">
          {t('events.deviation')}
        </span>
        <span role="columnheader">{t('events.state')}</span>
      </div>
    </div>
  )
}

interface RowProps {
  event: EventOverview
  row: number
  isChosen: boolean
  top: number
}

/** Scrolling draws the list many times a second, and leaves most rows as they are. */
const Row = memo(function Row({ event, row, isChosen, top }: RowProps) {
  const translator = useTranslator()
  const { main, other } = useRates()
  const now = useNow()
  const seconds = ((event.end === null ? now : Date.parse(event.end)) - Date.parse(event.start)) / 1000
  const times = timesNormal(event) ?? 1
  const height = Math.max(0, Math.min(1, Math.log(Math.max(times, 1)) / Math.log(timesMost)))
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={isChosen ? 'event-row chosen' : 'event-row'}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className="what">
        <SeverityMark severity={event.severity} />
        <RowLink to="/events/$id" params={{ id: event.id }} className="row-link whole">
          {eventKind(event, translator)}
        </RowLink>
      </span>
      <span role="cell" className="two">
        <b>{eventVictim(event, translator)}</b>
        {event.network === null && event.domain !== '' && event.domain !== event.address && (
          <small className="mono">{event.address}</small>
        )}
      </span>
      <span role="cell" className="quiet">
        {event.site}
      </span>
      <span role="cell" className="nowrap start">
        <Ago at={event.start} />
      </span>
      <span role="cell" className="num nowrap duration">
        {formatDuration(seconds, translator)}
      </span>
      <span role="cell" className="num two">
        <b className="nowrap">{main(event.average)}</b>
        <small className="nowrap">{other(event.average)}</small>
      </span>
      <span role="cell" className="deviation">
        <TimesNormal event={event} />
        <span className="bar" aria-hidden="true">
          <i style={{ width: `${height * 100}%`, background: 'var(--series-2)' }} />
        </span>
      </span>
      <span role="cell" className="state-cell">
        <StateOfEvent event={event} />
      </span>
    </div>
  )
})

/**
 * What is shown of the events: as they are, but those that came while somebody read are held back until they are asked
 * for.
 */
function useHeld(events: readonly EventOverview[], isReading: () => boolean) {
  const newest = events[0]?.createdAt ?? ''
  const [until, setUntil] = useState(newest)
  const reading = isReading()
  useEffect(() => {
    if (newest > until && !reading) setUntil(newest)
  }, [newest, until, reading])
  const shown = useMemo(() => events.filter(({ createdAt }) => createdAt <= until), [events, until])
  return {
    shown,
    waiting: events.length - shown.length,
    showAll: () => {
      setUntil(newest)
      window.scrollTo({ top: 0 })
    },
  }
}

/** j and k choose a row, Enter opens it, Escape lets it go. */
function useRowKeys({
  shown,
  chosen,
  setChosen,
  toRow,
}: {
  shown: readonly EventOverview[]
  chosen: string | null
  setChosen: (id: string | null) => void
  toRow: (row: number) => void
}): void {
  const navigate = useNavigate()
  // Keys may come faster than the list is drawn.
  const latest = useRef({ shown, chosen, toRow })
  latest.current = { shown, chosen, toRow }
  useEffect(() => {
    const choose = (id: string | null) => {
      latest.current.chosen = id
      setChosen(id)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const { shown, chosen, toRow } = latest.current
      const at = shown.findIndex(({ id }) => id === chosen)
      if (event.key === 'j' || event.key === 'k') {
        const row = event.key === 'j' ? Math.min(at + 1, shown.length - 1) : Math.max(at - 1, 0)
        choose(shown[row]?.id ?? null)
        toRow(row)
      } else if (event.key === 'Escape') choose(null)
      else if (event.key === 'Enter' && chosen !== null && !isControl(event.target)) {
        void navigate({ to: '/events/$id', params: { id: chosen } })
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, setChosen])
}

/** Enter is for what has the focus, if that does something by itself. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button') !== null
}
