// Events as a short table: related ones, those of a site, the latest.
import { Link } from '@tanstack/react-router'
import { Moment, useNow, useRates } from '../../shared/format/moments.tsx'
import { formatTimes } from '../../shared/format/rates.ts'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import type { EventOverview } from './queries.ts'
import { StateOfEvent } from './state-of-event.tsx'
import { attackName } from './vectors.ts'

export interface EventRowsProps {
  events: readonly EventOverview[]
  /** By id: what an event has in common with the one that is shown. */
  why?: ReadonlyMap<string, string>
}

export function EventRows({ events, why }: EventRowsProps) {
  const translator = useTranslator()
  const { t, language } = translator
  const now = useNow()
  const { main } = useRates()
  return (
    <Scroll label={t('nav.events')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('events.attack')}</th>
            <th scope="col">{t('events.victim')}</th>
            <th scope="col">{t('events.start')}</th>
            <th scope="col" className="num">
              {t('events.duration')}
            </th>
            <th scope="col" className="num">
              {t('events.average')}
            </th>
            <th scope="col" className="num">
              {t('events.deviation')}
            </th>
            {why !== undefined && <th scope="col">{t('related.common')}</th>}
            <th scope="col">{t('events.state')}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td>
                <Link to="/events/$id" params={{ id: event.id }} className="row-link">
                  {attackName(event.attackType, translator)}
                </Link>
              </td>
              <td className="mono">{event.domain === '' ? event.address : event.domain}</td>
              <td className="nowrap">
                <Moment at={event.start} />
              </td>
              <td className="num nowrap">
                {formatDuration(
                  ((event.end === null ? now : Date.parse(event.end)) - Date.parse(event.start)) / 1000,
                  translator,
                )}
              </td>
              <td className="num nowrap">{main(event.average)}</td>
              <td className="num">{formatTimes(event.deviation, language)}</td>
              {why !== undefined && <td className="quiet">{why.get(event.id)}</td>}
              <td>
                <StateOfEvent event={event} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
