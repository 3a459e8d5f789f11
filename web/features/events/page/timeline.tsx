// What happened, one thing after the other.
import { Moment } from '../../../shared/format/moments.tsx'
import { formatDuration } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card } from '../../../shared/ui/basics.tsx'
import type { EventReport } from '../queries.ts'
import './event-page.css'

export function Timeline({ event }: { event: EventReport }) {
  const translator = useTranslator()
  const { t } = translator
  const beganMs = Date.parse(event.start)
  return (
    <Card title={t('timeline.title')}>
      <ol className="timeline">
        {event.timeline.map(({ what, at, by }) => {
          const seconds = Math.round((Date.parse(at) - beganMs) / 1000)
          return (
            <li key={`${what} ${at}`} className={what}>
              <Moment at={at} />
              <span>
                {t(`timeline.${what}`)}
                {by !== null && <span className="quiet"> {by}</span>}
              </span>
              {seconds > 0 && <span className="quiet num nowrap">+{formatDuration(seconds, translator)}</span>}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
