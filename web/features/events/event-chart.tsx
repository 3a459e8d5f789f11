// The course of the attack: all traffic of the victim, that of the attack, what is normal, and the line that was crossed.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { TrafficChart } from '../../shared/charts/traffic-chart.tsx'
import { useNow } from '../../shared/format/moments.tsx'
import { formatAmount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Segments } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Failure, Skeleton } from '../../shared/ui/states.tsx'
import { CourseTable } from './course-table.tsx'
import { type EventReport, type EventSeries, seriesQuery } from './queries.ts'
import type { EventSearch } from './search.ts'
import { attackName } from './vectors.ts'
import '../../shared/charts/charts.css'

type Metric = NonNullable<EventSearch['metric']>

const height = 300

export function EventChart({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const [{ unit }] = usePreferences()
  const { metric = firedMetric(event) ?? (unit === 'bits' ? 'bits' : 'packets') } = useSearch({
    from: '/shell/events/$id',
  })
  const navigate = useNavigate({ from: '/events/$id' })
  const [isTable, setTable] = useState(false)
  const { data, error, refetch } = useQuery(seriesQuery(useApi(), event.id, event.state === 'open'))
  const show = (wanted: Metric) => void navigate({ search: { metric: wanted }, replace: true, resetScroll: false })
  return (
    <Card
      title={t('event.traffic')}
      actions={
        <>
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
      {data !== undefined ? (
        isTable ? (
          <CourseTable series={data} />
        ) : (
          <Course event={event} series={data} metric={metric} />
        )
      ) : error !== null ? (
        <Failure error={error} retry={refetch} />
      ) : (
        <Skeleton height={height + 24} />
      )}
    </Card>
  )
}

/** Of the number that crossed its line: only that one has a normal and a line to show. */
function firedMetric({ why }: EventReport): Metric | undefined {
  return metrics.find((metric) => whyMetrics[metric] === why[0]?.metric)
}

function Course({ event, series, metric }: { event: EventReport; series: EventSeries; metric: Metric }) {
  const translator = useTranslator()
  const { t, language } = translator
  const now = useNow()
  const total = useMemo(() => columnOf(series.total, metric), [series, metric])
  const attack = useMemo(() => columnOf(series.attack, metric), [series, metric])
  const format = (value: number) => formatAmount(value, language, t(unitKeys[metric]))
  const why = event.why.find((reason) => reason.metric === whyMetrics[metric])
  const lineValue = why === undefined ? undefined : why.linePerSecond * (metric === 'bits' ? 8 : 1)
  const normal = metric === 'packets' ? series.normal : null
  const name = attackName(event.attackType, translator)
  const isUnknown = event.attackType === null
  const peak = Math.max(...total, 0)
  const curves = useMemo(
    () => [
      { label: t('chart.total'), values: total, color: '--series-1', isArea: true },
      ...(isUnknown ? [] : [{ label: name, values: attack, color: '--series-2' }]),
    ],
    [total, attack, name, isUnknown, t],
  )
  if (total.length === 0) return <p className="state">{t('chart.nothing')}</p>
  return (
    <>
      <TrafficChart
        summary={t('chart.summary', { attack: name, peak: format(peak) })}
        fromMs={Date.parse(series.from)}
        stepSeconds={series.stepSeconds}
        series={curves}
        format={format}
        height={height}
        band={
          normal === null || normal === undefined
            ? undefined
            : {
                low: normal.total.lowPacketsPerSecond,
                high: normal.total.highPacketsPerSecond,
                label: t('chart.normal', { high: format(normal.total.highPacketsPerSecond) }),
              }
        }
        line={
          lineValue === undefined
            ? undefined
            : { value: lineValue, label: t('chart.line', { value: format(lineValue) }) }
        }
        windows={[{ startMs: Date.parse(event.start), endMs: event.end === null ? now : Date.parse(event.end) }]}
      />
      <p className="quiet chart-note">
        {t('chart.zoom')} {normal === null && metric === 'packets' ? t('chart.noNormal') : ''}
      </p>
    </>
  )
}

const metrics = ['bits', 'packets', 'flows'] as const
const unitKeys = { bits: 'unit.bitsPerSecond', packets: 'unit.packetsPerSecond', flows: 'unit.flowsPerSecond' } as const
const whyMetrics: Record<Metric, string> = { bits: 'bytes', packets: 'packets', flows: 'flows' }

function columnOf(course: EventSeries['total'], metric: Metric): readonly number[] {
  if (metric === 'bits') return course.bytesPerSecond.map((bytes) => bytes * 8)
  return metric === 'packets' ? course.packetsPerSecond : course.flowsPerSecond
}
