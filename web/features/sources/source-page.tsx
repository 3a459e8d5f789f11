// One exporter: what is wrong with it and what to do, and each of its streams.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { formatAmount, formatCount, formatShare } from '../../shared/format/rates.ts'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { protocolName } from './protocols.ts'
import { type ExporterDetail, exporterQuery, type Stream } from './queries.ts'
import { Findings, StateOfExporter } from './state-of-exporter.tsx'
import './source-page.css'

export function SourcePage() {
  const { t } = useTranslator()
  const { id } = useParams({ from: '/shell/sources/$id' })
  const { data, error, refetch } = useQuery(exporterQuery(useApi(), id))
  return (
    <>
      <div className="page-head">
        <div>
          <p className="crumb">
            <Link to="/sources">
              <ChevronLeft size={14} aria-hidden />
              {t('nav.sources')}
            </Link>
          </p>
          <h1 className="event-title mono">
            {id}
            {data !== undefined && <StateOfExporter state={data.state} />}
          </h1>
        </div>
      </div>
      {data === undefined ? (
        <Card flush>{error === null ? <SkeletonLines /> : <Failure error={error} retry={refetch} />}</Card>
      ) : (
        <Detail exporter={data} />
      )}
    </>
  )
}

function Detail({ exporter }: { exporter: ExporterDetail }) {
  const translator = useTranslator()
  const { t, language } = translator
  const { findings, streams, clockAheadSeconds } = exporter
  return (
    <>
      {findings.length > 0 && <Findings findings={findings} />}
      <Card title={t('source.facts')}>
        <dl className="facts">
          <dt>{t('sources.protocol')}</dt>
          <dd>{exporter.protocols.map(protocolName).join(', ')}</dd>
          <dt>{t('sources.flows')}</dt>
          <dd>{formatAmount(exporter.flowsPerSecond, language, t('unit.flowsPerSecond'))}</dd>
          <dt>{t('source.clock')}</dt>
          <dd>
            {clockAheadSeconds === null
              ? t('source.noClock')
              : Math.abs(clockAheadSeconds) < 1
                ? t('source.clockRight')
                : t(clockAheadSeconds > 0 ? 'source.clockAhead' : 'source.clockBehind', {
                    duration: formatDuration(Math.abs(clockAheadSeconds), translator),
                  })}
          </dd>
          <dt>{t('source.firstSeen')}</dt>
          <dd>
            <Ago at={exporter.firstSeen} />
          </dd>
          <dt>{t('sources.lastSeen')}</dt>
          <dd>
            <Ago at={exporter.lastSeen} />
          </dd>
        </dl>
      </Card>
      {streams.map((stream) => (
        <StreamCard key={`${stream.domain} ${stream.port} ${stream.protocol}`} stream={stream} />
      ))}
    </>
  )
}

function StreamCard({ stream }: { stream: Stream }) {
  const translator = useTranslator()
  const { t, language } = translator
  const count = (value: number) => formatCount(value, language)
  const seconds = (value: number | null) => (value === null ? '–' : formatDuration(value, translator))
  const rates = stream.sampling.rates ?? []
  return (
    <Card
      title={t('source.stream', {
        protocol: protocolName(stream.protocol),
        domain: String(stream.domain),
        port: String(stream.port),
      })}
    >
      <dl className="facts source-facts">
        <dt>{t('source.records')}</dt>
        <dd>{count(stream.flows)}</dd>
        <dt>{t('source.templates')}</dt>
        <dd>{count(stream.templateCount)}</dd>
        <dt>{t('sources.sampling')}</dt>
        <dd>
          {rates.length === 0
            ? t('source.notSampled')
            : rates.map(({ rate }) => (rate === null ? t('source.rateUnknown') : `1:${count(rate)}`)).join(', ')}
        </dd>
        <dt>{t('sources.lost')}</dt>
        <dd>
          {formatShare(stream.sequence.lostShare, language)} · {t('source.gaps', { count: stream.sequence.gaps })}
        </dd>
        <dt>{t('source.activeTimeout')}</dt>
        <dd>{seconds(stream.activeTimeoutSeconds)}</dd>
        <dt>{t('source.inactiveTimeout')}</dt>
        <dd>{seconds(stream.inactiveTimeoutSeconds)}</dd>
        <dt>{t('source.lag')}</dt>
        <dd>{seconds(stream.lagSeconds)}</dd>
        <dt>{t('source.errors')}</dt>
        <dd>{count(Object.values(stream.errors).reduce((sum, errors) => sum + errors, 0))}</dd>
      </dl>
    </Card>
  )
}
