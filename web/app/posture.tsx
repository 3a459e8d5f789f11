// How things stand, in a word or two, wherever one is: in the top bar, beside the events, on the tab of the browser.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { overviewQuery } from '../features/overview/queries.ts'
import { attacksOf, standingOf } from '../features/overview/sentences.ts'
import { useApi } from '../shared/api/api.ts'
import { useStale } from '../shared/api/live.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import './posture.css'

export function Posture() {
  const { t } = useTranslator()
  const { data, isError } = useQuery(overviewQuery(useApi()))
  const isStale = useStale()
  // What is stale is said to be so beside it; what can't be had from a service that answers is not known.
  if (isError && !(isStale && data !== undefined)) return <span className="posture warn">{t('posture.unknown')}</span>
  if (data === undefined) return <span className="posture">{t('posture.loading')}</span>
  const { tone, text, to } = standingOf(data, t)
  const look = `posture ${isStale ? 'old' : tone}`
  if (to === null) {
    return (
      <span className={look}>
        <i />
        {text}
      </span>
    )
  }
  return (
    <Link to={to} search={to === '/events' ? { tab: 'active' } : {}} className={look}>
      <i />
      {text}
    </Link>
  )
}

/** How many attacks go on; red while somebody has to look. */
export function OpenCount() {
  const { data } = useQuery(overviewQuery(useApi()))
  if (data === undefined) return null
  const attacks = attacksOf(data.events)
  if (attacks === 0) return null
  return <span className={data.events.openAcknowledged < attacks ? 'badge bad' : 'badge'}>{attacks}</span>
}
