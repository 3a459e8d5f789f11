// Whether what is shown is what is so now; where it is not, of when it is.
import { useLive } from '../shared/api/live.ts'
import { useNow } from '../shared/format/moments.tsx'
import { formatAgo, formatMoment } from '../shared/format/times.ts'
import { Text, useTranslator } from '../shared/i18n/i18n.tsx'
import { usePreferences } from '../shared/ui/preferences.tsx'
import './connection.css'

function useClock() {
  const { language } = useTranslator()
  const [{ zone }] = usePreferences()
  return (ms: number) => formatMoment(ms, Date.now(), language, zone)
}

const keys = {
  off: 'live.connecting',
  connecting: 'live.connecting',
  live: 'live.on',
  polling: 'live.polling',
} as const

/** In the top bar. */
export function LiveMark() {
  const { t } = useTranslator()
  const clock = useClock()
  const { connection, lastDataMs } = useLive()
  const textOf = () => {
    if (connection !== 'stale') return t(keys[connection])
    return lastDataMs === null ? t('live.never') : t('live.asOf', { time: clock(lastDataMs) })
  }
  return (
    <span className={connection === 'live' ? 'live on' : `live ${connection}`} role="status">
      <i />
      {textOf()}
    </span>
  )
}

/** Below the top bar while nothing comes from the service. */
export function StaleBanner() {
  const { t, language } = useTranslator()
  const clock = useClock()
  const now = useNow()
  const { connection, lastDataMs } = useLive()
  if (connection !== 'stale') return null
  return (
    <div className="stale-banner">
      <span role="alert">
        {lastDataMs === null ? (
          t('live.neverText')
        ) : (
          <Text k="live.lost" values={{ time: <b className="tabular">{clock(lastDataMs)}</b> }} />
        )}
      </span>
      {lastDataMs !== null && (
        <span className="tabular nowrap" aria-hidden="true">
          {t('live.lostAge', { ago: formatAgo(lastDataMs, now, language) })}
        </span>
      )}
    </div>
  )
}
