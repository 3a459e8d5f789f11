// Traffic over time: of a site or of all, over any time that is kept, taken apart, against the time before, with the attacks in it.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChartArea } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { formatDateTime, formatDuration, zoneName } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Segments } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Empty, Failure, Skeleton } from '../../shared/ui/states.tsx'
import { AttackList } from './attack-list.tsx'
import { FiguresTable } from './figures-table.tsx'
import { type Metric, type Traffic, trafficQuery } from './queries.ts'
import { isoOf, RangePicker } from './range-picker.tsx'
import { type TrafficSearch, trafficSearch } from './search.ts'
import { SiteField } from './site-field.tsx'
import { StepsTable } from './steps-table.tsx'
import { TrafficOverTime } from './traffic-over-time.tsx'
import '../../shared/charts/charts.css'
import './traffic-page.css'

const chartHeight = 320

/** Undefined: no longer. */
export type SearchChange = { [Key in keyof TrafficSearch]?: TrafficSearch[Key] | undefined }

export function TrafficPage() {
  const { t } = useTranslator()
  const search = useSearch({ from: '/shell/traffic' })
  const navigate = useNavigate({ from: '/traffic' })
  const change = (changed: SearchChange) =>
    void navigate({ search: (before: TrafficSearch) => trafficSearch({ ...before, ...changed }), resetScroll: false })
  const { data, error, refetch, isPlaceholderData } = useQuery(trafficQuery(useApi(), search))
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('nav.traffic')}</h1>
          <p>{t('traffic.lead')}</p>
        </div>
        <RangePicker search={search} traffic={data} onChange={change} />
      </div>
      <div className="row spread">
        <SiteField site={search.site} onChange={(site) => change({ site })} />
        <By search={search} onChange={change} />
      </div>
      {data !== undefined ? (
        <Shown traffic={data} search={search} isStale={isPlaceholderData} onChange={change} />
      ) : (
        <Card flush={error !== null}>
          {error !== null ? <Failure error={error} retry={refetch} /> : <Skeleton height={chartHeight} />}
        </Card>
      )}
    </>
  )
}

interface PartProps {
  search: TrafficSearch
  onChange: (changed: SearchChange) => void
}

function By({ search: { by }, onChange }: PartProps) {
  const { t } = useTranslator()
  return (
    <Segments
      label={t('traffic.by')}
      value={by ?? 'all'}
      onChange={(chosen) => onChange({ by: chosen === 'all' ? undefined : chosen })}
      choices={[
        { value: 'all', label: t('traffic.by.all') },
        { value: 'site', label: t('traffic.by.site') },
        { value: 'address', label: t('traffic.by.address') },
      ]}
    />
  )
}

function Shown({ traffic, search, isStale, onChange }: PartProps & { traffic: Traffic; isStale: boolean }) {
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone, unit }] = usePreferences()
  if (traffic.addresses === 0) return <Nothing site={search.site} />
  const { metric = unit, as = 'stacked' } = search
  const [fromMs, toMs] = [Date.parse(traffic.from), Date.parse(traffic.to)]
  return (
    <>
      <Card
        title={search.site === undefined ? t('traffic.ofAll') : t('traffic.of', { site: search.site })}
        className={isStale ? 'traffic stale' : 'traffic'}
        actions={<View search={search} metric={metric} onChange={onChange} />}
      >
        {as === 'table' ? (
          <StepsTable traffic={traffic} metric={metric} />
        ) : (
          <TrafficOverTime
            traffic={traffic}
            metric={metric}
            isStacked={as === 'stacked' && traffic.parts !== null}
            height={chartHeight}
            onRange={(start, end) => onChange({ start: isoOf(start), end: isoOf(end) })}
          />
        )}
        <p className="quiet chart-note">
          <time dateTime={traffic.from}>{formatDateTime(fromMs, language, zone)}</time>
          {' – '}
          <time dateTime={traffic.to}>{formatDateTime(toMs, language, zone)}</time> {zoneName(toMs, language, zone)}
          {' · '}
          {t(traffic.stepSeconds > 60 ? 'traffic.stepsMax' : 'traffic.steps', {
            duration: formatDuration(traffic.stepSeconds, translator),
          })}
          {as !== 'table' && <> · {t('traffic.zoom')}</>}
        </p>
      </Card>
      <Card title={t('traffic.figures')} flush>
        <FiguresTable traffic={traffic} metric={metric} by={search.by} />
        <p className="card-note">{t('traffic.figuresNote')}</p>
        <Notes traffic={traffic} />
      </Card>
      <AttackList traffic={traffic} site={search.site} />
    </>
  )
}

function View({ search, metric, onChange }: PartProps & { metric: Metric }) {
  const { t } = useTranslator()
  const { by, as = 'stacked', previous } = search
  return (
    <>
      <Segments
        label={t('event.metric')}
        value={metric}
        onChange={(chosen) => onChange({ metric: chosen })}
        choices={[
          { value: 'bits', label: t('unit.bits') },
          { value: 'packets', label: t('unit.packets') },
          { value: 'flows', label: t('unit.flows') },
        ]}
      />
      <Segments
        label={t('traffic.as')}
        value={by === undefined && as === 'lines' ? 'stacked' : as}
        onChange={(chosen) => onChange({ as: chosen === 'stacked' ? undefined : chosen })}
        choices={
          by === undefined
            ? [
                { value: 'stacked', label: t('chart.asChart') },
                { value: 'table', label: t('chart.asTable') },
              ]
            : [
                { value: 'stacked', label: t('traffic.as.stacked') },
                { value: 'lines', label: t('traffic.as.lines') },
                { value: 'table', label: t('chart.asTable') },
              ]
        }
      />
      <Button
        aria-pressed={previous === 'yes'}
        className={previous === 'yes' ? 'pressed' : ''}
        onClick={() => onChange({ previous: previous === 'yes' ? undefined : 'yes' })}
      >
        {t('traffic.previous')}
      </Button>
    </>
  )
}

function Notes({ traffic: { from, to, countedFrom, previous, stepSeconds, addressesOmitted } }: { traffic: Traffic }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const counted = countedFrom === null ? 0 : Date.parse(countedFrom)
  const length = Date.parse(to) - Date.parse(from)
  const first = Date.parse(from) - (previous === null ? 0 : length)
  const isPartly = counted - first >= stepSeconds * 1_000
  if (!isPartly && addressesOmitted === 0) return null
  return (
    <p className="card-note">
      {isPartly && t('traffic.countedFrom', { from: formatDateTime(counted, language, zone) })}{' '}
      {addressesOmitted > 0 && t('overview.omitted', { count: addressesOmitted })}
    </p>
  )
}

function Nothing({ site }: { site: string | undefined }) {
  const { t } = useTranslator()
  return (
    <Card flush>
      <Empty icon={<ChartArea size={28} aria-hidden />} title={t('traffic.none')}>
        <p>{t(site === undefined ? 'traffic.noneText' : 'traffic.noneOfSite')}</p>
        {site === undefined ? (
          <Link to="/sites">{t('nav.sites')}</Link>
        ) : (
          <Link to="/sites/$host" params={{ host: site }}>
            {site}
          </Link>
        )}
      </Empty>
    </Card>
  )
}
