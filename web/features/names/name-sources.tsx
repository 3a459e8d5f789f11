// Who reports names, and how they do: for those who look after the installation.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { formatCount, formatShare } from '../../shared/format/rates.ts'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { type NameSources, nameSourcesQuery } from './queries.ts'

export function Sources() {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(nameSourcesQuery(useApi()))
  if (data === undefined) {
    return (
      <Card title={t('names.sources')} flush>
        {error === null ? <SkeletonLines lines={3} /> : <Failure error={error} retry={refetch} />}
      </Card>
    )
  }
  return (
    <>
      <h2 className="section-title">{t('names.sources')}</h2>
      <Resolvers sources={data} />
      <div className="columns">
        {data.zones.length > 0 ? (
          <Zones zones={data.zones} />
        ) : (
          <None title={t('names.zones')} text={t('names.noZones')} />
        )}
        {data.dnstap.listeners.length > 0 ? (
          <Dnstap dnstap={data.dnstap} />
        ) : (
          <None title={t('names.dnstap')} text={t('names.noDnstap')} />
        )}
      </div>
    </>
  )
}

function None({ title, text }: { title: string; text: string }) {
  return (
    <Card title={title}>
      <p className="quiet">{text}</p>
    </Card>
  )
}

const tones = { ok: 'good', silent: 'bad', refused: 'bad' } as const

function Resolvers({ sources: { resolvers, names } }: { sources: NameSources }) {
  const translator = useTranslator()
  const { t, language } = translator
  const count = (value: number) => formatCount(value, language)
  return (
    <Card title={t('names.resolvers')} flush>
      <Scroll label={t('names.resolvers')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('names.resolver')}</th>
              <th scope="col">{t('sources.state')}</th>
              <th scope="col" className="num">
                {t('names.asked')}
              </th>
              <th scope="col" className="num">
                {t('names.unanswered')}
              </th>
              <th scope="col" className="num">
                {t('names.failed')}
              </th>
              <th scope="col" className="num">
                {t('names.foreign')}
              </th>
            </tr>
          </thead>
          <tbody>
            {resolvers.map(({ resolver, state, detail, asked, unanswered, failed, foreign }) => (
              <tr key={resolver}>
                <td className="mono">{resolver}</td>
                <td className="nowrap">
                  <Pill tone={tones[state]}>{t(`names.resolverState.${state}`)}</Pill>{' '}
                  {detail !== null && <span className="mono">{detail}</span>}
                </td>
                <td className="num">{count(asked)}</td>
                <td className="num nowrap">
                  {count(unanswered)} <Share of={unanswered} all={asked} />
                </td>
                <td className="num nowrap">
                  {count(failed)} <Share of={failed} all={asked} />
                </td>
                <td className="num">{count(foreign)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p className="card-note">
        {t('names.counts', {
          resolved: count(names.resolved),
          failing: count(names.failing),
          observed: count(names.observed),
          bindings: count(names.bindings),
        })}{' '}
        {names.lateSeconds >= 5 && t('names.late', { duration: formatDuration(names.lateSeconds, translator) })}
      </p>
    </Card>
  )
}

function Share({ of, all }: { of: number; all: number }): ReactNode {
  const { language } = useTranslator()
  return of > 0 && all > 0 ? <span className="quiet">{formatShare(of / all, language)}</span> : null
}

function Zones({ zones }: Pick<NameSources, 'zones'>) {
  const { t, find, language } = useTranslator()
  return (
    <Card title={t('names.zones')} flush>
      <Scroll label={t('names.zones')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('names.zone')}</th>
              <th scope="col">{t('sources.state')}</th>
              <th scope="col" className="num">
                {t('names.inZone')}
              </th>
              <th scope="col">{t('names.checked')}</th>
            </tr>
          </thead>
          <tbody>
            {zones.map(({ zone, server, serial, checkedAt, failure, names, omitted }) => (
              <tr key={`${zone} ${server}`}>
                <td>
                  <span className="two">
                    <b className="mono">{zone}</b>
                    <small className="mono">
                      {server}
                      {serial !== null && ` · ${serial}`}
                    </small>
                  </span>
                </td>
                <td>
                  {failure === null ? (
                    <Pill tone={checkedAt === null ? 'plain' : 'good'}>
                      {t(checkedAt === null ? 'names.zoneWaiting' : 'names.zoneOk')}
                    </Pill>
                  ) : (
                    <Pill tone="bad">{find(`names.zoneFailure.${failure}`) ?? failure}</Pill>
                  )}
                </td>
                <td className="num nowrap">
                  {formatCount(names, language)}
                  {omitted > 0 && <span className="quiet"> {t('names.leftOut', { count: omitted })}</span>}
                </td>
                <td className="nowrap">{checkedAt === null ? '–' : <Ago at={checkedAt} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  )
}

function Dnstap({ dnstap }: Pick<NameSources, 'dnstap'>) {
  const { t, language } = useTranslator()
  const { listeners, connections, frames, answers, refused, sensors } = dnstap
  return (
    <Card title={t('names.dnstap')}>
      <dl className="facts">
        <dt>{t('names.listens')}</dt>
        <dd className="mono">{listeners.join(', ')}</dd>
        <dt>{t('names.connections')}</dt>
        <dd>{formatCount(connections, language)}</dd>
        <dt>{t('names.frames')}</dt>
        <dd>
          {t('names.framesOf', { answers: formatCount(answers, language), frames: formatCount(frames, language) })}
        </dd>
        <dt>{t('names.sensors')}</dt>
        <dd>
          {sensors.length === 0
            ? t('names.noSensor')
            : sensors.map(({ name, lastAt }) => (
                <div key={name}>
                  <span className="mono">{name}</span>{' '}
                  <span className="quiet">
                    <Ago at={lastAt} />
                  </span>
                </div>
              ))}
        </dd>
        {refused.length > 0 && (
          <>
            <dt>{t('names.turnedAway')}</dt>
            <dd>
              {refused.map(({ reason, count }) => (
                <div key={reason}>
                  <span className="mono">{reason}</span> {formatCount(count, language)}
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
