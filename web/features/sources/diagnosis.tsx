// What arrives here, live: from nothing at all to flows that can be believed, with what to do at each stage.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { useNow } from '../../shared/format/moments.tsx'
import { formatCount } from '../../shared/format/rates.ts'
import { formatAgo } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import type { MessageKey } from '../../shared/i18n/messages.ts'
import { Card } from '../../shared/ui/basics.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { protocolName } from './protocols.ts'
import { type Exporter, exportersQuery } from './queries.ts'
import { Findings } from './state-of-exporter.tsx'
import './diagnosis.css'

const everyMs = 2_000
const checks = [
  'check.address',
  'check.firewall',
  'check.source',
  'check.vrf',
  'check.docker',
  'check.tcpdump',
] as const

export function Diagnosis() {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(exportersQuery(useApi(), everyMs))
  return (
    <Card title={t('diagnosis.title')}>
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={2} />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : data.exporters.length === 0 ? (
        <Nothing notExports={data.reception.notExports} refused={data.reception.refused} />
      ) : (
        <ul className="stack" aria-live="polite">
          {data.exporters.map((exporter) => (
            <Arrival key={exporter.id} exporter={exporter} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Nothing({ notExports, refused }: { notExports: number; refused: number }) {
  const { t } = useTranslator()
  return (
    <div className="stack">
      <p className="arrival">
        <CircleDashed size={18} className="turning" aria-hidden />
        <b>{t('diagnosis.nothing')}</b>
      </p>
      {notExports > 0 && <p>{t('sources.notExports', { count: notExports })}</p>}
      {refused > 0 && <p>{t('sources.refused', { count: refused })}</p>}
      <ul className="checks">
        {checks.map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
    </div>
  )
}

/** How far what an exporter sends has come, by the worst of what is known. */
function stageOf({ findings, flowsPerSecond, state }: Exporter): {
  key: MessageKey
  Icon: typeof CircleCheck
  tone: string
} {
  const has = (...rules: string[]) => findings.some(({ rule }) => rules.includes(rule))
  if (has('no-template', 'sets-given-up')) return { key: 'stage.noTemplate', Icon: CircleDashed, tone: 'warn' }
  if (has('no-flows')) return { key: 'stage.noFlows', Icon: CircleAlert, tone: 'bad' }
  if (has('sampling-unknown', 'sampling-absurd')) return { key: 'stage.noSampling', Icon: CircleAlert, tone: 'bad' }
  if (has('clock-off', 'clock-zone')) return { key: 'stage.clock', Icon: TriangleAlert, tone: 'warn' }
  if (has('silent')) return { key: 'stage.silent', Icon: CircleAlert, tone: 'bad' }
  if (state === 'error') return { key: 'stage.error', Icon: CircleAlert, tone: 'bad' }
  if (flowsPerSecond === 0) return { key: 'stage.first', Icon: CircleDashed, tone: '' }
  if (state === 'warning') return { key: 'stage.warning', Icon: TriangleAlert, tone: 'warn' }
  return { key: 'stage.ok', Icon: CircleCheck, tone: 'good' }
}

function Arrival({ exporter }: { exporter: Exporter }) {
  const { t, language } = useTranslator()
  const now = useNow()
  const { key, Icon, tone } = stageOf(exporter)
  const facts = [
    exporter.protocols.map(protocolName).join(', '),
    t('diagnosis.flows', { amount: formatCount(exporter.flowsPerSecond, language) }),
    exporter.samplingRates.length === 0
      ? ''
      : t('diagnosis.sampling', {
          rates: exporter.samplingRates.map((rate) => `1:${formatCount(rate, language)}`).join(', '),
        }),
    t('diagnosis.last', { ago: formatAgo(Date.parse(exporter.lastSeen), now, language) }),
  ].filter((fact) => fact !== '')
  return (
    <li className="stack">
      <div className="arrival">
        <Icon size={18} className={`tone ${tone}`} aria-hidden />
        <div>
          <p>
            <Link to="/sources/$id" params={{ id: exporter.id }} className="mono row-link">
              {exporter.address}
            </Link>{' '}
            <b className={`tone ${tone}`}>{t(key)}</b>
          </p>
          <p className="quiet">{facts.join(' · ')}</p>
        </div>
      </div>
      <Findings findings={exporter.findings.filter(({ severity }) => severity !== 'note')} />
    </li>
  )
}
