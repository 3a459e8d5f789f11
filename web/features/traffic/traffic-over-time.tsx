// The chart of traffic over time.
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { TrafficChart } from '../../shared/charts/traffic-chart.tsx'
import { formatAmount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { partsOf } from './parts.ts'
import { columnOf, type Metric, type Traffic, unitKeys } from './queries.ts'

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
  const { from, to, stepSeconds, previous, attacks } = traffic
  const series = useMemo(() => {
    const parts = partsOf(traffic, metric).map(({ name, color, values }) => ({
      ...{ label: name ?? t('traffic.rest'), color, values, isArea: isStacked },
    }))
    const whole = {
      label: t('traffic.total'),
      color: '--series-1',
      values: columnOf(traffic.total, metric),
      isArea: true,
    }
    const before =
      previous === null
        ? []
        : [{ label: t('traffic.before'), color: '--text-2', values: columnOf(previous, metric), isFaint: true }]
    return [...(parts.length === 0 ? [whole] : parts), ...before]
  }, [traffic, metric, isStacked, previous, t])
  const windows = useMemo(
    () => attacks.map(({ id, start, end }) => ({ id, startMs: Date.parse(start), endMs: Date.parse(end ?? to) })),
    [attacks, to],
  )
  const format = (value: number) => formatAmount(value, language, t(unitKeys[metric]))
  const peak = Math.max(...columnOf(traffic.total, metric), 0)
  return (
    <TrafficChart
      summary={t('traffic.summary', { peak: format(peak) })}
      fromMs={Date.parse(from)}
      stepSeconds={stepSeconds}
      series={series}
      windows={windows}
      unit={t(unitKeys[metric])}
      format={format}
      height={height}
      isStacked={isStacked}
      {...(onRange === undefined ? {} : { onRange })}
      onPick={(ms) => {
        const picked = windows.find(({ startMs, endMs }) => ms >= startMs - stepSeconds * 1_000 && ms <= endMs)
        if (picked !== undefined) void navigate({ to: '/events/$id', params: { id: picked.id } })
      }}
    />
  )
}
