// Why there was an event at an address at some moment, or none.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isStatus, useApi } from '../../shared/api/api.ts'
import { numberFormat } from '../../shared/format/intl.ts'
import { useRates } from '../../shared/format/moments.tsx'
import { formatDateTime } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import './explanation.css'
import { LineTable } from './line-table.tsx'
import { MomentForm } from './moment-form.tsx'
import { type Explanation, explanationQuery } from './queries.ts'
import { blindTexts, verdictText } from './verdict.ts'

/** `at`: ISO 8601; undefined: nothing was asked yet. */
export function ExplanationCard({ address, at }: { address: string; at: string | undefined }) {
  const { t } = useTranslator()
  return (
    <Card title={t('explain.title')} flush>
      <MomentForm at={at} />
      <div aria-live="polite">{at !== undefined && <Explained address={address} at={at} />}</div>
    </Card>
  )
}

function Explained({ address, at }: { address: string; at: string }) {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(explanationQuery(useApi(), address, at))
  if (data !== undefined) return <Answer explanation={data} />
  if (error === null) return <SkeletonLines lines={4} />
  if (!isStatus(error, 503)) return <Failure error={error} retry={refetch} />
  return (
    <div className="explanation-answer">
      <Notice tone="warn">{t('explain.busy')}</Notice>
      <div>
        <Button onClick={() => void refetch()}>{t('state.retry')}</Button>
      </div>
    </div>
  )
}

function Answer({ explanation }: { explanation: Explanation }) {
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone }] = usePreferences()
  const { verdict, events, classes, networks } = explanation
  const blind = verdict === 'not-yours' ? [] : blindTexts(explanation.blind, translator)
  return (
    <>
      <div className="explanation-answer">
        <p className="explanation-verdict">{verdictText(explanation, translator, zone)}</p>
        {events.map(({ id, site, start }) => (
          <Link key={id} to="/events/$id" params={{ id }}>
            {t('explain.openEvent', { site, start: formatDateTime(Date.parse(start), language, zone) })}
          </Link>
        ))}
        {blind.length > 0 && (
          <Notice tone="warn">
            <p>{t('explain.blind')}</p>
            <ul>
              {blind.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Notice>
        )}
        <Circumstances explanation={explanation} />
      </div>
      {classes.length > 0 && <LineTable label={t('explain.lines')} classes={classes} />}
      {networks
        ?.filter((network) => network.classes.length > 0)
        .map(({ network, classes }) => (
          <LineTable key={network} label={t('explain.network', { network })} classes={classes} isTitled />
        ))}
    </>
  )
}

/** What is kept by the minute has the settings of now, which say nothing of then. */
const minuteSeconds = 60

/** Which seconds the numbers are of, and what they were compared with. */
function Circumstances({ explanation }: { explanation: Explanation }) {
  const { t, language } = useTranslator()
  const { packets, bits } = useRates()
  const [{ zone }] = usePreferences()
  const { from, to, isLearnt, busiestSecond, limits, stepSeconds } = explanation
  if (stepSeconds === null) return null
  const clock = (at: string) => formatDateTime(Date.parse(at), language, zone)
  const facts = [
    { name: t('explain.span'), text: `${clock(from)} – ${clock(to)}` },
    ...(busiestSecond === null
      ? []
      : [
          {
            name: t('explain.busiest'),
            text: `${packets(busiestSecond.packetsPerSecond)}, ${bits(busiestSecond.bytesPerSecond)}`,
          },
        ]),
    ...(isLearnt === null
      ? []
      : [{ name: t('address.normal'), text: t(isLearnt ? 'explain.learnt' : 'explain.unlearnt') }]),
    ...(limits === null || stepSeconds >= minuteSeconds
      ? []
      : [{ name: t('address.sensitivity'), text: numberFormat(language).format(limits.sensitivity) }]),
  ]
  return (
    <dl className="facts">
      {facts.map(({ name, text }) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
