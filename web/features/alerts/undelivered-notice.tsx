// On the overview: that messages do not arrive, and where that is put right.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../shared/api/api.ts'
import { Ago, Moment, useNow } from '../../shared/format/moments.tsx'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import { Notice } from '../../shared/ui/basics.tsx'
import { channelsQuery, lastGivenUpQuery } from './queries.ts'
import { undelivered } from './undelivered.ts'

/** Names in sight: somebody may have hundreds that fail for one reason. */
const shownMax = 3

export function UndeliveredNotice() {
  const { t } = useTranslator()
  const api = useApi()
  const nowMs = useNow()
  const { data: channels = [] } = useQuery(channelsQuery(api))
  const { data: givenUp = [] } = useQuery(lastGivenUpQuery(api))
  const found = undelivered(channels, givenUp, nowMs)
  if (found === null) return null
  const { failing, givenUpAt } = found
  return (
    <Notice tone="warn">
      {failing.slice(0, shownMax).map(({ id, name, failingSince }) => (
        <p key={id}>
          {failingSince === null ? (
            t('undelivered.fails', { name })
          ) : (
            <Text k="undelivered.failsSince" values={{ name, ago: <Ago at={failingSince} /> }} />
          )}
        </p>
      ))}
      {failing.length > shownMax && <p>{t('undelivered.more', { count: failing.length - shownMax })}</p>}
      {givenUpAt !== null && (
        <p>
          <Text k="undelivered.givenUp" values={{ time: <Moment at={givenUpAt} /> }} />
        </p>
      )}
      <p className="row">
        {failing.length > 0 && <Link to="/alerts">{t('undelivered.channels')}</Link>}
        {givenUpAt !== null && (
          <Link to="/alerts/deliveries" search={{ state: 'dead' }}>
            {t('undelivered.messages')}
          </Link>
        )}
      </p>
    </Notice>
  )
}
