// Which channels were told what about an event, and when.
import { Link } from '@tanstack/react-router'
import { Moment } from '../../../shared/format/moments.tsx'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card, Pill } from '../../../shared/ui/basics.tsx'
import { noticeWord, stateTone, stateWord } from '../../alerts/delivery-words.ts'
import type { EventReport } from '../queries.ts'
import './event-page.css'

/** In sight; the list of messages has all. */
const shownMax = 12

export function WhoWasTold({ event: { id, alerts, isTest } }: { event: EventReport }) {
  const translator = useTranslator()
  const { t } = translator
  // Nobody is told about a simulated attack, unless it was asked for.
  if (isTest && alerts.length === 0) return null
  return (
    <Card
      title={t('told.title')}
      actions={
        alerts.length === 0 ? (
          <Link to="/alerts/rules" search={{ event: id }} className="no-print">
            {t('told.why')}
          </Link>
        ) : (
          <Link to="/alerts/deliveries" search={{ event: id }} className="no-print">
            {t('told.all')}
          </Link>
        )
      }
    >
      {alerts.length === 0 ? (
        <p>{t('told.nobody')}</p>
      ) : (
        <ol className="timeline">
          {alerts.slice(0, shownMax).map(({ channel, notice, state, at }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they come in their order, and two may be alike.
            <li key={row}>
              <Moment at={at} />
              <span>
                {noticeWord(notice, translator)} <span className="quiet">{channel}</span>
              </span>
              <Pill tone={stateTone(state)}>{stateWord(state, translator)}</Pill>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
