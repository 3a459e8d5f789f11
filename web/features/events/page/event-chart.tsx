// The course of the attack: all traffic of the victim, that of the attack, what is normal, and the threshold that was crossed.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import type { TimeRange } from '../../../shared/charts/chart-content.ts'
import { TrafficChart } from '../../../shared/charts/traffic-chart.tsx'
import '../../../shared/charts/charts.css'
import { formatAmount } from '../../../shared/format/rates.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Card, Segments } from '../../../shared/ui/basics.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { Failure, Skeleton } from '../../../shared/ui/states.tsx'
import { type EventReport, type EventSeries, seriesQuery } from '../queries.ts'
import type { EventSearch } from '../search.ts'
import { attackName } from '../vectors.ts'
import { columnOf, levelsOf, type Metric, metrics, wholeSteps, whyMetrics, windowsOf } from './course.ts'
import { CourseTable } from './course-table.tsx'

const height = 300

export function EventChart({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const [{ unit }] = usePreferences()
  const search = useSearch({ from: '/shell/events/$id' })
  const metric = search.metric ?? firedMetric(event) ?? (unit === 'bits' ? 'bits' : 'packets')
  const navigate = useNavigate({ from: '/events/$id' })
  const [isTable, setTable] = useState(false)
  const { data, error, refetch } = useQuery(seriesQuery(useApi(), event.id, event.state === 'open'))
  const isOpen = event.state === 'open'
  const series = useMemo(() => (data === undefined ? undefined : wholeSteps(data, isOpen)), [data, isOpen])
  const range = useMemo(() => rangeOf(search), [search])
  const show = (wanted: Metric) =>
    void navigate({ search: (before) => ({ ...before, metric: wanted }), replace: true, resetScroll: false })
  const zoom = (wanted: TimeRange | null) =>
    void navigate({
      search: ({ from: _from, to: _to, ...rest }) => ({ ...rest, ...(wanted === null ? {} : searchOf(wanted)) }),
      resetScroll: false,
    })
  return (
    <Card
      title={t('event.traffic')}
      actions={
        <>
          {range !== null && (
            <Button look="ghost" className="no-print" onClick={() => zoom(null)}>
              {t('chart.zoomOut')}
            </Button>
          )}
          <Segments
            label={t('event.metric')}
            value={metric}
            onChange={show}
            choices={[
              { value: 'bits', label: t('unit.bits') },
              { value: 'packets', label: t('unit.packets') },
              { value: 'flows', label: t('unit.flows') },
            ]}
          />
          <Button look="ghost" className="no-print" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {t(isTable ? 'chart.asChart' : 'chart.asTable')}
          </Button>
        </>
      }
    >
      {series !== undefined ? (
        isTable ? (
          <CourseTable series={series} />
        ) : (
          <Course event={event} series={series} metric={metric} range={range} onZoom={zoom} />
        )
      ) : error !== null ? (
        <Failure error={error} retry={refetch} />
      ) : (
        <Skeleton height={height + 24} />
      )}
    </Card>
  )
}

/** The number that crossed its threshold: only that one has a threshold to show. */
function firedMetric({ why }: EventReport): Metric | undefined {
  return metrics.find((metric) => whyMetrics[metric] === why[0]?.metric)
}

function rangeOf({ from, to }: EventSearch): TimeRange | null {
  return from === undefined || to === undefined ? null : { fromMs: Date.parse(from), toMs: Date.parse(to) }
}

function searchOf({ fromMs, toMs }: TimeRange): EventSearch {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}

interface CourseProps {
  event: EventReport
  series: EventSeries
  metric: Metric
  range: TimeRange | null
  onZoom: (range: TimeRange | null) => void
}

function Course({ event, series, metric, range, onZoom }: CourseProps) {
  const translator = useTranslator()
  const { t, language } = translator
  const unit = t(unitKeys[metric])
  const format = (value: number) => formatAmount(value, language, unit)
  const name = event.attackType === null ? t('chart.kind') : attackName(event.attackType, translator)
  const { episodes, why, attackType } = event
  const drawn = useMemo(() => {
    const amount = (value: number) => formatAmount(value, language, unit)
    const total = columnOf(series.total, metric)
    const { of, threshold, band } = levelsOf({ why, attackType }, series, metric)
    const isKind = of === 'kind'
    const attack = { label: name, values: columnOf(series.attack, metric), color: '--series-2' }
    const fromMs = Date.parse(series.from)
    return {
      fromMs,
      stepSeconds: series.stepSeconds,
      series: [
        { label: t('chart.total'), values: total, color: '--series-1', isArea: true },
        ...(isKind ? [attack] : []),
      ],
      band:
        band === null
          ? undefined
          : { ...band, label: t(isKind ? 'chart.normalKind' : 'chart.normalAll', { high: amount(band.high) }) },
      line:
        threshold === null
          ? undefined
          : {
              value: threshold,
              label: t(isKind ? 'chart.thresholdKind' : 'chart.thresholdAll', { value: amount(threshold) }),
            },
      windows: windowsOf(episodes, fromMs + total.length * series.stepSeconds * 1_000),
      noNormal: band !== null || metric !== 'packets' ? '' : t(isKind ? 'chart.noNormal' : 'chart.noNormalAll'),
      peak: total.reduce<number>((most, value) => Math.max(most, value ?? 0), 0),
    }
  }, [series, metric, name, episodes, why, attackType, unit, language, t])
  if (series.total.packetsPerSecond.length === 0) return <p className="state">{t('chart.nothing')}</p>
  const { noNormal, peak, ...content } = drawn
  return (
    <>
      <TrafficChart
        {...content}
        summary={t('chart.summary', { attack: name, peak: format(peak) })}
        unit={unit}
        format={format}
        height={height}
        isStepped
        range={range}
        onRange={(fromMs, toMs) => onZoom({ fromMs, toMs })}
        onWhole={() => onZoom(null)}
      />
      <p className="quiet chart-note">
        {t('chart.zoom')} {noNormal}
      </p>
    </>
  )
}

const unitKeys = { bits: 'unit.bitsPerSecond', packets: 'unit.packetsPerSecond', flows: 'unit.flowsPerSecond' } as const
