// The curves as numbers, a row for each step, the latest first.
import { formatAmount } from '../../shared/format/rates.ts'
import { formatMoment } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { partsOf } from './parts.ts'
import { columnOf, type Metric, type Traffic, unitKeys } from './queries.ts'
import './traffic-page.css'

export function StepsTable({ traffic, metric }: { traffic: Traffic; metric: Metric }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const { from, to, stepSeconds, previous } = traffic
  const columns = [
    { name: t('traffic.total'), values: columnOf(traffic.total, metric) },
    ...(stepSeconds > 60 ? [{ name: t('traffic.busiestMinute'), values: columnOf(traffic.total.max, metric) }] : []),
    ...partsOf(traffic, metric).map(({ name, values }) => ({ name: name ?? t('traffic.rest'), values })),
    ...(previous === null ? [] : [{ name: t('traffic.before'), values: columnOf(previous, metric) }]),
  ]
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  const steps = columns[0].values.map((_, i) => i).reverse()
  return (
    <Scroll label={t('traffic.asNumbers')} className="steps-table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('chart.time')}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step}>
              <td className="nowrap">{formatMoment(fromMs + step * stepSeconds * 1_000, toMs, language, zone)}</td>
              {columns.map(({ name, values }) => (
                <td key={name} className="num nowrap">
                  {formatAmount(values[step], language, t(unitKeys[metric]))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
