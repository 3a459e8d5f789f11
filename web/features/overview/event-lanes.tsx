// The attacks of the last hours on a line of time, a lane for each of the sites that were hit most.
import { Link } from '@tanstack/react-router'
import { useNow } from '../../shared/format/moments.tsx'
import { formatClock, type Zone } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { attackName } from '../events/vectors.ts'
import type { Overview } from './queries.ts'
import { type Span, spanOf } from './span.ts'
import './overview.css'

const hourMs = 3_600_000
const lanesMax = 8
const marksMax = 6
/** Hours between two marks. */
const markSteps = [0.25, 0.5, 1, 2, 4]
/** Per cent; after it a mark would not fit. */
const markMost = 95

/** Where marks stand: at 0, 4, 8 o'clock, or closer when there are only some hours. */
function marksOf({ fromMs, hours }: Span, zone: Zone): number[] {
  const offsetMs = zone === 'utc' ? 0 : -new Date(fromMs).getTimezoneOffset() * 60_000
  const step = (markSteps.find((each) => hours / each <= marksMax) ?? hours) * hourMs
  const first = Math.ceil((fromMs + offsetMs) / step) * step - offsetMs
  return Array.from({ length: marksMax }, (_, i) => first + i * step)
}

export function EventLanes({ overview }: { overview: Overview }) {
  const { attacks } = overview
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone }] = usePreferences()
  // By the minute: the lanes need not move with every second.
  const now = Math.ceil(useNow() / 60_000) * 60_000
  const span = spanOf(overview, now)
  if (attacks.length === 0) return null
  const bySite = [...Map.groupBy(attacks, ({ site }) => site)].sort(([, a], [, b]) => b.length - a.length)
  const place = (ms: number) => Math.max(0, Math.min(1, (ms - span.fromMs) / (span.hours * hourMs))) * 100
  return (
    <Card title={t('overview.lanes', { count: span.hours })}>
      <div className="lanes">
        {bySite.slice(0, lanesMax).map(([site, ofSite]) => (
          <div key={site} className="lane">
            <Link to="/sites/$host" params={{ host: site }} className="row-link">
              {site}
            </Link>
            <ul>
              {ofSite.map((event) => {
                const left = place(Date.parse(event.start))
                const width = place(event.end === null ? now : Date.parse(event.end)) - left
                const kind = attackName(event.attackType, translator)
                const name = `${event.isTest ? `${t('note.test')}: ` : ''}${kind}, ${formatClock(Date.parse(event.start), language, zone)}`
                return (
                  <li key={event.id} style={{ insetInlineStart: `${left}%`, width: `${width}%` }}>
                    <Link
                      to="/events/$id"
                      params={{ id: event.id }}
                      aria-label={name}
                      title={name}
                      className={event.isTest ? 'test' : event.end === null ? 'open' : ''}
                    />
                  </li>
                )
              })}
            </ul>
          </div>
        ))}
        <div className="lane scale" aria-hidden="true">
          <span />
          <div>
            {marksOf(span, zone)
              .filter((ms) => place(ms) <= markMost)
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
