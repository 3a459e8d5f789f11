// Events as a short table on other screens: related ones, those of a site, the latest. The screen of all events is event-list.tsx.
import { Link } from '@tanstack/react-router'
import { Moment, useNow, useRates } from '../../../shared/format/moments.tsx'
import { formatDuration } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { phoneScreen, useMedia } from '../../../shared/ui/media.ts'
import { Scroll } from '../../../shared/ui/scroll.tsx'
import './event-rows.css'
import type { EventOverview } from '../queries.ts'
import { SeverityMark } from '../severity.tsx'
import { StateOfEvent } from '../state-of-event.tsx'
import { TimesNormal } from '../times-normal.tsx'
import { eventKind, eventVictim } from '../titles.ts'

export interface EventRowsProps {
  events: readonly EventOverview[]
  /** By id: what an event has in common with the one that is shown. */
  why?: ReadonlyMap<string, string>
  /**
   * Where there is little room, as always on a phone: the victim below its attack, and how long it lasted and how large
   * against normal left out.
   */
  isNarrow?: boolean
}

export function EventRows({ events, why, isNarrow: isInNarrowColumn = false }: EventRowsProps) {
  const isPhone = useMedia(phoneScreen)
  const isNarrow = isInNarrowColumn || isPhone
  const translator = useTranslator()
  const { t } = translator
  const now = useNow()
  const { main } = useRates()
  return (
    <Scroll label={t('nav.events')}>
      <table className="table event-rows">
        <thead>
          <Head isNarrow={isNarrow} isRelated={why !== undefined} />
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td className="what">
                <span className="nowrap">
                  <SeverityMark severity={event.severity} />
                  <Link to="/events/$id" params={{ id: event.id }} className="row-link">
                    {eventKind(event, translator)}
                  </Link>
                </span>
                {isNarrow && <div className="quiet below">{eventVictim(event, translator)}</div>}
              </td>
              {!isNarrow && <td>{eventVictim(event, translator)}</td>}
              <td className="nowrap when">
                <Moment at={event.start} />
              </td>
              {!isNarrow && (
                <td className="num nowrap">
                  {formatDuration(
                    ((event.end === null ? now : Date.parse(event.end)) - Date.parse(event.start)) / 1000,
                    translator,
                  )}
                </td>
              )}
              <td className="num nowrap rate">{main(event.average)}</td>
              {!isNarrow && (
                <td className="num">
                  <TimesNormal event={event} />
                </td>
              )}
              {why !== undefined && <td className="quiet why">{why.get(event.id)}</td>}
              <td className="standing">
                <StateOfEvent event={event} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Head({ isNarrow, isRelated }: { isNarrow: boolean; isRelated: boolean }) {
  const { t } = useTranslator()
  return (
    <tr>
      <th scope="col">{t('events.attack')}</th>
      {!isNarrow && <th scope="col">{t('events.victim')}</th>}
      <th scope="col">{t('events.start')}</th>
      {!isNarrow && (
        <th scope="col" className="num">
          {t('events.duration')}
        </th>
      )}
      <th scope="col" className="num">
        {t('events.average')}
      </th>
      {!isNarrow && (
        <th scope="col" className="num">
          {t('events.deviation')}
        </th>
      )}
      {isRelated && <th scope="col">{t('related.common')}</th>}
      <th scope="col">{t('events.state')}</th>
    </tr>
  )
}
