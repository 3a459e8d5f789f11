// The sources of flows: who sends what, and how well.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, RadioTower } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { formatAmount, formatCount, formatShare } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Notice } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { protocolName } from './protocols.ts'
import { type Exporter, type ExporterList, exportersQuery } from './queries.ts'
import { StateOfExporter } from './state-of-exporter.tsx'
import { WhatHappened } from './what-happened.tsx'
import { WhoMaySend } from './who-may-send.tsx'

export function SourcesPage() {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(exportersQuery(useApi()))
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('nav.sources')}</h1>
          <p>{t('sources.lead')}</p>
        </div>
        <Link to="/sources/add" className="button primary">
          <Plus size={14} aria-hidden />
          {t('sources.add')}
        </Link>
      </div>
      {data === undefined ? (
        <Card flush>{error === null ? <SkeletonLines /> : <Failure error={error} retry={refetch} />}</Card>
      ) : (
        <>
          <Reception reception={data.reception} />
          <Card flush>
            {data.exporters.length === 0 ? (
              <Empty icon={<RadioTower size={28} aria-hidden />} title={t('sources.none')}>
                <p>{t('sources.noneText')}</p>
                <Link to="/sources/add" className="button primary">
                  {t('sources.add')}
                </Link>
              </Empty>
            ) : (
              <Table exporters={data.exporters} />
            )}
          </Card>
          <WhoMaySend allowed={data.allowed} refusedSenders={data.reception.refusedSenders} />
          <WhatHappened notices={data.notices} />
        </>
      )}
    </>
  )
}

function Table({ exporters }: { exporters: readonly Exporter[] }) {
  const { t, find, language } = useTranslator()
  return (
    <Scroll label={t('nav.sources')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('sources.exporter')}</th>
            <th scope="col">{t('sources.state')}</th>
            <th scope="col">{t('sources.protocol')}</th>
            <th scope="col" className="num">
              {t('sources.flows')}
            </th>
            <th scope="col" className="num">
              {t('sources.sampling')}
            </th>
            <th scope="col" className="num">
              {t('sources.lost')}
            </th>
            <th scope="col">{t('sources.lastSeen')}</th>
          </tr>
        </thead>
        <tbody>
          {exporters.map((exporter) => (
            <tr key={exporter.id}>
              <td>
                <Link to="/sources/$id" params={{ id: exporter.id }} className="row-link mono">
                  {exporter.address}
                </Link>
                {exporter.findings.length > 0 && (
                  <div className="quiet">
                    {find(`finding.${exporter.findings[0].rule}.about`) ?? exporter.findings[0].text}
                  </div>
                )}
              </td>
              <td>
                <StateOfExporter state={exporter.state} />
              </td>
              <td className="nowrap">{exporter.protocols.map(protocolName).join(', ')}</td>
              <td className="num nowrap">
                {formatAmount(exporter.flowsPerSecond, language, t('unit.flowsPerSecond'))}
              </td>
              <td className="num nowrap">
                {exporter.samplingRates.length === 0
                  ? '–'
                  : exporter.samplingRates.map((rate) => `1:${formatCount(rate, language)}`).join(', ')}
              </td>
              <td className="num">{formatShare(exporter.lostShare, language)}</td>
              <td className="nowrap">
                <Ago at={exporter.lastSeen} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** What was received and is nobody's: only what is not nothing. */
function Reception({ reception }: { reception: ExporterList['reception'] }) {
  const { t } = useTranslator()
  const { socketDrops, notExports, refused, refusedSenders } = reception
  if (socketDrops + notExports + refused === 0) return null
  return (
    <Notice tone={socketDrops + refused > 0 ? 'warn' : 'plain'}>
      {socketDrops > 0 && <p>{t('sources.drops', { count: socketDrops })}</p>}
      {notExports > 0 && <p>{t('sources.notExports', { count: notExports })}</p>}
      {refused > 0 && (
        <p>
          {t('sources.refused', { count: refused })}{' '}
          <span className="mono">{refusedSenders.map(({ address }) => address).join(', ')}</span>
        </p>
      )}
    </Notice>
  )
}
