// The attacks of the last day on a line of time, a lane for each of the sites that were hit most.
import { Link } from '@tanstack/react-router'
import { useNow } from '../../shared/format/moments.tsx'
import { formatClock, type Zone } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { attackName } from '../events/vectors.ts'
import type { Overview } from './queries.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const lanesMax = 8
const marksEvery = 4
/** Per cent; after it a mark would not fit. */
const markMost = 95

/** The first hour after it that the marks stand at: 0, 4, 8 o'clock. */
function firstMark(fromMs: number, zone: Zone): number {
  const offsetMs = zone === 'utc' ? 0 : -new Date(fromMs).getTimezoneOffset() * 60_000
  const step = marksEvery * hourMs
  return Math.ceil((fromMs + offsetMs) / step) * step - offsetMs
}

export function EventLanes({ attacks }: { attacks: Overview['attacks'] }) {
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone }] = usePreferences()
  // By the minute: the lanes need not move with every second.
  const now = Math.ceil(useNow() / 60_000) * 60_000
  const from = now - dayMs
  if (attacks.length === 0) return null
  const bySite = [...Map.groupBy(attacks, ({ site }) => site)].sort(([, a], [, b]) => b.length - a.length)
  const place = (ms: number) => Math.max(0, Math.min(1, (ms - from) / dayMs)) * 100
  const marks = Array.from({ length: 24 / marksEvery }, (_, i) => firstMark(from, zone) + i * marksEvery * hourMs)
  return (
    <Card title={t('overview.day24')}>
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
                const name = `${attackName(event.attackType, translator)}, ${formatClock(Date.parse(event.start), language, zone)}`
                return (
                  <li key={event.id} style={{ insetInlineStart: `${left}%`, width: `${width}%` }}>
                    <Link
                      to="/events/$id"
                      params={{ id: event.id }}
                      aria-label={name}
                      title={name}
                      className={event.end === null ? 'open' : ''}
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
            {marks
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
