// The traffic of all sites in the last hours, with the times of attacks.
import { useMemo } from 'react'
import { withGaps } from '../../shared/charts/chart-content.ts'
import { TrafficChart } from '../../shared/charts/traffic-chart.tsx'
import { useNow } from '../../shared/format/moments.tsx'
import { formatAmount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import type { Overview } from './queries.ts'
import { spanOf } from './span.ts'

const height = 200

export function TrafficCard({ overview }: { overview: Overview }) {
  const { traffic, attacks } = overview
  const { t, language } = useTranslator()
  const [{ unit }] = usePreferences()
  // By the minute: the shade of what goes on need not grow with every second.
  const now = Math.ceil(useNow() / 60_000) * 60_000
  const { fromMs, hours } = spanOf(overview, now)
  const skipped = Math.max(0, Math.floor((fromMs - Date.parse(traffic.from)) / 1000 / traffic.stepSeconds))
  const values = useMemo(() => {
    const all = unit === 'bits' ? traffic.bytesPerSecond.map((bytes) => bytes * 8) : traffic.packetsPerSecond
    return withGaps(all.slice(skipped), traffic.packetsPerSecond.slice(skipped))
  }, [traffic, unit, skipped])
  const series = useMemo(
    () => [{ label: t('overview.traffic'), values, color: '--series-1', isArea: true }],
    [values, t],
  )
  const windows = useMemo(
    () =>
      attacks.map(({ start, end }) => ({ startMs: Date.parse(start), endMs: end === null ? now : Date.parse(end) })),
    [attacks, now],
  )
  const unitText = t(unit === 'bits' ? 'unit.bitsPerSecond' : 'unit.packetsPerSecond')
  const format = (value: number) => formatAmount(value, language, unitText)
  return (
    <Card title={t('overview.trafficTitle', { count: hours })}>
      <TrafficChart
        summary={t('overview.trafficSummary', {
          peak: format(values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)),
        })}
        fromMs={Date.parse(traffic.from) + skipped * traffic.stepSeconds * 1000}
        stepSeconds={traffic.stepSeconds}
        series={series}
        windows={windows}
        unit={unitText}
        format={format}
        height={height}
      />
      {traffic.addressesOmitted > 0 && (
        <p className="quiet">{t('overview.omitted', { count: traffic.addressesOmitted })}</p>
      )}
    </Card>
  )
}
