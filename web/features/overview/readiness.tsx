// Whether the service itself would see an attack: what it says of its checks, and of the simulated attack that it sends to itself.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { Ago, Moment } from '../../shared/format/moments.tsx'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import { Notice } from '../../shared/ui/basics.tsx'
import { type CheckState, checkText, noticedChecks } from './checks.ts'
import { statusQuery } from './queries.ts'

const askEveryMs = 20_000

function useStatus() {
  return useQuery({ ...statusQuery(useApi()), refetchInterval: askEveryMs }).data
}

/** Above everything else: an attack may not be seen, or something is to be put right. */
export function ReadinessNotice() {
  const { t } = useTranslator()
  const status = useStatus()
  if (status === undefined) return null
  const { ready, installation } = status
  const { failing, warning } = noticedChecks(installation?.checks ?? [])
  if (ready && warning.length === 0) return null
  return (
    <Notice tone={ready ? 'warn' : 'bad'}>
      <CircleAlert size={16} aria-hidden />
      <div>
        {!ready && <p>{t('overview.notReady')}</p>}
        {[...failing, ...warning].map((check) => (
          <CheckLine key={check.name} check={check} />
        ))}
        {installation !== null && (
          <p>
            <Link to="/settings" search={{ section: 'about' }}>
              {t('overview.checks')}
            </Link>
          </p>
        )}
      </div>
    </Notice>
  )
}

/** A check that is not well, in words, and since when. */
export function CheckLine({ check }: { check: CheckState }) {
  const { t } = useTranslator()
  const text = t(checkText(check))
  if (check.since === null) return <p>{text}</p>
  return (
    <p>
      <Text k="check.since" values={{ text, time: <Moment at={check.since} /> }} />
    </p>
  )
}

/** Below what is said of attacks: that one would be found. */
export function SelfTestLine() {
  const { language } = useTranslator()
  const tested = useStatus()?.selfTest ?? null
  if (tested === null) return null
  const seconds = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <p className="quiet footnote">
      <Text k="overview.selfTest" values={{ seconds: seconds.format(tested.seconds), ago: <Ago at={tested.at} /> }} />
    </p>
  )
}
