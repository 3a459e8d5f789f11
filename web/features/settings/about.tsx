// What this is, how it does, and where to read on.
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { formatBytes, formatCount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { type CheckState, checkTitle, type Installation } from '../overview/checks.ts'
import { statusQuery } from '../overview/queries.ts'
import { CheckLine } from '../overview/readiness.tsx'
import type { Identity } from '../session/session.ts'

export function About({ identity: { policy } }: { identity: Identity }) {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(statusQuery(useApi()))
  if (data === undefined) {
    return <Card flush>{error === null ? <SkeletonLines lines={4} /> : <Failure error={error} retry={refetch} />}</Card>
  }
  return (
    <div className="columns">
      <Card title={t('settings.about')}>
        <div className="stack">
          <p>{t('about.text')}</p>
          <dl className="facts">
            <dt>{t('about.version')}</dt>
            <dd>{data.version}</dd>
            <dt>{t('about.started')}</dt>
            <dd>
              <Ago at={data.startedAt} />
            </dd>
            <dt>{t('about.interface')}</dt>
            <dd>
              <a href="docs">{t('about.docs')}</a> · <a href="openapi.json">openapi.json</a>
            </dd>
            <dt>{t('about.requests')}</dt>
            <dd>{policy.requestsPerMinute === 0 ? t('about.unlimited') : policy.requestsPerMinute}</dd>
          </dl>
        </div>
      </Card>
      {data.installation !== null && <InstallationCard installation={data.installation} />}
    </div>
  )
}

/** What is known of a check is in the words of the service, which are English. */
function CheckRow({ check }: { check: CheckState }) {
  const { t } = useTranslator()
  const { name, ok, warning, detail } = check
  return (
    <li>
      <div className="row">
        {ok && !warning ? (
          <CircleCheck size={14} className="tone good" aria-hidden />
        ) : (
          <CircleAlert size={14} className={ok ? 'tone warn' : 'tone bad'} aria-hidden />
        )}
        {t(checkTitle(name))}{' '}
        <span className="quiet" lang="en">
          {detail}
        </span>
      </div>
      {(!ok || warning) && <CheckLine check={check} />}
    </li>
  )
}

function InstallationCard({ installation }: { installation: Installation }) {
  const { t, language } = useTranslator()
  const { checks, listeners, tables, retentionDays, storeBytes } = installation
  const crowded = tables.filter(({ gaveWay }) => gaveWay > 0)
  return (
    <Card title={t('about.installation')}>
      <div className="stack">
        <ul className="stack">
          {checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </ul>
        <dl className="facts">
          <dt>{t('about.listens')}</dt>
          <dd className="mono">
            {listeners.map(({ protocol, host, port }) => (
              <div key={`${protocol} ${port}`}>
                {protocol} {host}:{port}
              </div>
            ))}
          </dd>
          {crowded.length > 0 && (
            <>
              <dt>{t('about.crowded')}</dt>
              <dd>
                {crowded.map(({ name, used, max, gaveWay, crowdedBy, holds }) => (
                  <div key={name}>
                    {t('about.crowding', {
                      ...{ name, crowdedBy: crowdedBy ?? '–' },
                      used: formatCount(used, language),
                      max: formatCount(max, language),
                      gaveWay: formatCount(gaveWay, language),
                      holds: formatCount(holds, language),
                    })}
                  </div>
                ))}
              </dd>
            </>
          )}
          <dt>{t('about.store')}</dt>
          <dd>{formatBytes(storeBytes, language)}</dd>
          <dt>{t('about.keeps')}</dt>
          <dd>
            {t('about.retention', {
              events: retentionDays.events,
              series: retentionDays.series,
              bindings: retentionDays.bindings,
              audit: retentionDays.audit,
            })}
          </dd>
        </dl>
      </div>
    </Card>
  )
}
