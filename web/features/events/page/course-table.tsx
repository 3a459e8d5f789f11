// The course of an attack as numbers, a row for each step.
import { useRates } from '../../../shared/format/moments.tsx'
import { formatAmount } from '../../../shared/format/rates.ts'
import { formatClock } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { Scroll } from '../../../shared/ui/scroll.tsx'
import type { EventSeries } from '../queries.ts'
import './event-page.css'

export function CourseTable({ series }: { series: EventSeries }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const { bits, packets } = useRates()
  const flows = (flowsPerSecond: number) => formatAmount(flowsPerSecond, language)
  // Nothing is known of a time in which the service was down.
  const shown = (rate: number | null, format: (known: number) => string) => (rate === null ? '–' : format(rate))
  const fromMs = Date.parse(series.from)
  return (
    <Scroll label={t('event.traffic')} className="course-table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('chart.time')}</th>
            <th scope="col" className="num">
              {t('unit.bits')}
            </th>
            <th scope="col" className="num">
              {t('unit.packets')}
            </th>
            <th scope="col" className="num">
              {t('unit.flows')}
            </th>
            <th scope="col" className="num">
              {t('chart.attackPackets')}
            </th>
          </tr>
        </thead>
        <tbody>
          {series.total.packetsPerSecond.map((packetsPerSecond, i) => {
            const ms = fromMs + i * series.stepSeconds * 1000
            return (
              <tr key={ms}>
                <td>{formatClock(ms, language, zone)}</td>
                <td className="num">{shown(series.total.bytesPerSecond[i], bits)}</td>
                <td className="num">{shown(packetsPerSecond, packets)}</td>
                <td className="num">{shown(series.total.flowsPerSecond[i], flows)}</td>
                <td className="num">{shown(series.attack.packetsPerSecond[i], packets)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}
