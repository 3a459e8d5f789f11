// The attacks of the last hours on a line of time, a lane for each of the sites that were hit most. All of it is one stop of the Tab key; arrow
// keys move within.
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useNow } from '../../shared/format/moments.tsx'
import { formatClock, type Zone } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { attackName } from '../events/vectors.ts'
import { type LaneMark, laneMarks, lookOf } from './lane-marks.ts'
import './event-lanes.css'
import type { Overview } from './queries.ts'
import { type Span, spanOf } from './span.ts'

const hourMs = 3_600_000
const lanesMax = 8
const marksMax = 6
/** Hours between two marks. */
const markSteps = [0.25, 0.5, 1, 2, 4]
/** Per cent; after it a mark would not fit. */
const markMost = 95
/** Days of the list that a mark of several attacks leads to. */
const listDays = 2

/** Where marks of the scale stand: at 0, 4, 8 o'clock, or closer when there are only some hours. */
function hoursOf({ fromMs, hours }: Span, zone: Zone): number[] {
  const offsetMs = zone === 'utc' ? 0 : -new Date(fromMs).getTimezoneOffset() * 60_000
  const step = (markSteps.find((each) => hours / each <= marksMax) ?? hours) * hourMs
  const first = Math.ceil((fromMs + offsetMs) / step) * step - offsetMs
  return Array.from({ length: marksMax }, (_, i) => first + i * step)
}

export function EventLanes({ overview }: { overview: Overview }) {
  const { attacks } = overview
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  // By the minute: the lanes need not move with every second.
  const now = Math.ceil(useNow() / 60_000) * 60_000
  const span = spanOf(overview, now)
  const grid = useRef<HTMLDivElement>(null)
  const width = useStripWidth(grid, attacks.length > 0)
  const [focused, setFocused] = useState('')
  if (attacks.length === 0) return null
  const lanes = [...Map.groupBy(attacks, ({ site }) => site)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, lanesMax)
    .map(([site, events]) => ({ site, marks: laneMarks(events, { fromMs: span.fromMs, nowMs: now, width }) }))
  const keys = lanes.flatMap(({ site, marks }) => [site, ...marks.map(keyOf)])
  // What had the focus may be gone.
  const stop = keys.includes(focused) ? focused : keys[0]
  const tabIndexOf = (key: string) => (key === stop ? 0 : -1)
  const place = (ms: number) => ((ms - span.fromMs) / (span.hours * hourMs)) * 100
  const title = t('overview.lanes', { count: span.hours })
  return (
    <Card title={title}>
      <div className="lanes">
        <div
          role="grid"
          aria-label={title}
          ref={grid}
          onKeyDown={onKeyDown}
          onFocus={({ target }) => setFocused(target.dataset.key ?? '')}
        >
          {lanes.map(({ site, marks }) => (
            <div key={site} role="row" className="lane">
              <span role="rowheader">
                <Link
                  to="/sites/$host"
                  params={{ host: site }}
                  className="row-link"
                  data-key={site}
                  tabIndex={tabIndexOf(site)}
                >
                  {site}
                </Link>
              </span>
              <div role="none" className="strip">
                {marks.map((mark) => (
                  <span key={keyOf(mark)} role="gridcell" style={{ insetInlineStart: mark.left, width: mark.width }}>
                    <Mark mark={mark} site={site} tabIndex={tabIndexOf(keyOf(mark))} />
                  </span>
                ))}
              </div>
            </div>
          ))}
        </div>
        <div className="lane scale" aria-hidden="true">
          <span />
          <div>
            {hoursOf(span, zone)
              .filter((ms) => place(ms) >= 0 && place(ms) <= markMost)
              .map((ms) => (
                <span key={ms} style={{ insetInlineStart: `${place(ms)}%` }}>
                  {formatClock(ms, language, zone).slice(0, 5)}
                </span>
              ))}
          </div>
        </div>
      </div>
    </Card>
  )
}

const keyOf = ({ events }: LaneMark) => events[0].id

function Mark({ mark, site, tabIndex }: { mark: LaneMark; site: string; tabIndex: number }) {
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone }] = usePreferences()
  const { events, left, barLeft, barWidth, startMs, endMs } = mark
  const [first] = events
  const clock = (ms: number) => formatClock(ms, language, zone)
  const markLook = lookOf(mark)
  const standing =
    markLook === 'test'
      ? t('note.test')
      : markLook === 'dismissed'
        ? [...new Set(events.flatMap(({ classification }) => classification ?? []))]
            .map((each) => t(`note.${each}`))
            .join(', ')
        : t(`severity.${markLook}`)
  const text =
    events.length === 1
      ? `${attackName(first.attackType, translator)}, ${clock(startMs)}`
      : t('overview.laneMerged', { count: events.length, from: clock(startMs), to: clock(endMs) })
  const look = {
    className: markLook,
    'aria-label': `${text} (${standing})`,
    title: `${text} (${standing})`,
    'data-key': keyOf(mark),
    tabIndex,
    children: (
      <>
        <i style={{ insetInlineStart: barLeft - left, width: barWidth }} />
        {events.length > 1 && <b aria-hidden="true">{events.length}</b>}
      </>
    ),
  }
  return events.length === 1 ? (
    <Link to="/events/$id" params={{ id: first.id }} {...look} />
  ) : (
    <Link to="/events" search={{ site, last: listDays }} {...look} />
  )
}

/** How wide the strips are, all alike. Pixels; 0: not known yet. */
function useStripWidth(grid: React.RefObject<HTMLElement | null>, isThere: boolean): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const strip = isThere ? grid.current?.querySelector('.strip') : null
    if (strip === null || strip === undefined) return
    const observer = new ResizeObserver(() => setWidth(strip.clientWidth))
    observer.observe(strip)
    return () => observer.disconnect()
  }, [grid, isThere])
  return width
}

/** Arrow keys go from link to link, up and down to the one that is nearest; Home and End to the first and last of the lane. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const lanes = [...event.currentTarget.querySelectorAll('[role=row]')].map((lane) => [...lane.querySelectorAll('a')])
  const { target } = event
  if (!(target instanceof HTMLAnchorElement)) return
  const row = lanes.findIndex((links) => links.includes(target))
  const next = linkFor(event.key, { lanes, row, at: lanes[row].indexOf(target) })
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

type Links = readonly HTMLAnchorElement[]

function linkFor(key: string, { lanes, row, at }: { lanes: readonly Links[]; row: number; at: number }) {
  const own = lanes[row]
  if (key === 'ArrowRight') return own[at + 1]
  if (key === 'ArrowLeft') return own[at - 1]
  if (key === 'ArrowDown') return nearest(lanes[row + 1], own[at])
  if (key === 'ArrowUp') return nearest(lanes[row - 1], own[at])
  if (key === 'Home') return own[0]
  return key === 'End' ? own.at(-1) : undefined
}

function nearest(links: Links | undefined, from: HTMLAnchorElement): HTMLAnchorElement | undefined {
  const middle = (link: HTMLAnchorElement) => {
    const { left, right } = link.getBoundingClientRect()
    return (left + right) / 2
  }
  const far = (link: HTMLAnchorElement) => Math.abs(middle(link) - middle(from))
  return links?.toSorted((a, b) => far(a) - far(b))[0]
}
