// How many times normal an attack is, in a list.
import { formatTimes } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { timesNormal } from './normal.ts'
import type { EventOverview } from './queries.ts'

export function TimesNormal({ event }: { event: EventOverview }) {
  const { t, language } = useTranslator()
  const times = timesNormal(event)
  if (times !== null) return <span className="tabular">{formatTimes(times, language)}</span>
  return (
    <span className="quiet" title={t('event.normalUnknown')}>
      –
    </span>
  )
}
