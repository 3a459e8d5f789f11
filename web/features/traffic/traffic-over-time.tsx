// The chart of traffic over time. Its lines are what the busiest minute of each step had, so that a peak is as high however long the time is; areas
// are averages.
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { withGaps } from '../../shared/charts/chart-content.ts'
import { TrafficChart } from '../../shared/charts/traffic-chart.tsx'
import { formatAmount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { marksOf } from './marks.ts'
import { partsOf } from './parts.ts'
import { columnOf, type Metric, type Traffic, unitKeys } from './queries.ts'

/** Seconds. */
const minute = 60

interface TrafficOverTimeProps {
  traffic: Traffic
  metric: Metric
  isStacked: boolean
  height: number
  onRange?: (fromMs: number, toMs: number) => void
}

export function TrafficOverTime({ traffic, metric, isStacked, height, onRange }: TrafficOverTimeProps) {
  const { t, language } = useTranslator()
  const navigate = useNavigate()
  const { from, stepSeconds, previous } = traffic
  const series = useMemo(() => {
    const parts = partsOf(traffic, metric).map(({ name, color, values, most }) => ({
      ...{ label: name ?? t('traffic.rest'), color, values: isStacked ? values : most, isArea: isStacked },
    }))
    const whole = {
      label: t(stepSeconds > minute ? 'traffic.average' : 'traffic.total'),
      color: '--series-1',
      values: columnOf(traffic.total, metric),
      isArea: true,
    }
    // In steps of a minute there is no difference; parts have lines of their own, which do not add up.
    const most =
      stepSeconds > minute && (isStacked || parts.length === 0)
        ? [{ label: t('traffic.busiestMinute'), color: '--series-2', values: columnOf(traffic.total.max, metric) }]
        : []
    const line = isStacked ? most.map((each) => ({ ...each, color: '--text', isFaint: true })) : most
    const before =
      previous === null
        ? []
        : [{ label: t('traffic.before'), color: '--text-2', values: columnOf(previous.max, metric), isFaint: true }]
    const all = traffic.total.packetsPerSecond
    const now = [...(parts.length === 0 ? [whole] : parts), ...line]
    return [...now.map((each) => ({ ...each, values: withGaps(each.values, all) })), ...before]
  }, [traffic, metric, isStacked, previous, stepSeconds, t])
  const marks = useMemo(() => marksOf(traffic), [traffic])
  const format = (value: number) => formatAmount(value, language, t(unitKeys[metric]))
  const peak = Math.max(...columnOf(traffic.total.max, metric), 0)
  return (
    <TrafficChart
      summary={t('traffic.summary', { peak: format(peak) })}
      fromMs={Date.parse(from)}
      stepSeconds={stepSeconds}
      series={series}
      windows={marks}
      unit={t(unitKeys[metric])}
      format={format}
      height={height}
      isStacked={isStacked}
      {...(onRange === undefined ? {} : { onRange })}
      onPick={(ms) => {
        const picked = marks
          .toSorted((a, b) => Number(a.id === null) - Number(b.id === null))
          .find(({ startMs, endMs }) => ms >= startMs - stepSeconds * 1_000 && ms <= endMs)
        if (picked === undefined) return
        if (picked.id === null) onRange?.(picked.startMs, picked.endMs)
        else void navigate({ to: '/events/$id', params: { id: picked.id } })
      }}
    />
  )
}
