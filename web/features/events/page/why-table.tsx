// Which rate crossed which threshold.
import { formatAmount, formatTimes } from '../../../shared/format/rates.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card } from '../../../shared/ui/basics.tsx'
import { Scroll } from '../../../shared/ui/scroll.tsx'
import type { EventReport, EventSeries } from '../queries.ts'
import { judgedQuantity } from './course.ts'

export function WhyTable({ event, series }: { event: EventReport; series: EventSeries | undefined }) {
  const { t, find, language } = useTranslator()
  if (event.why.length === 0) return null
  const normal = t(judgedQuantity(event, series ?? null) === 'kind' ? 'why.normalKind' : 'why.normalAll')
  return (
    <Card title={t('why.title')} flush>
      <Scroll label={t('why.title')}>
        <table className="table stacking">
          <thead>
            <tr>
              <th scope="col">{t('why.metric')}</th>
              <th scope="col" className="num">
                {t('why.value')}
              </th>
              <th scope="col" className="num">
                {normal}
              </th>
              <th scope="col" className="num">
                {t('why.threshold')}
              </th>
              <th scope="col" className="num">
                {t('why.ratio')}
              </th>
              <th scope="col">{t('why.source')}</th>
            </tr>
          </thead>
          <tbody>
            {event.why.map((why) => {
              // What is counted in bytes is shown in bits, as everywhere.
              const isBytes = why.metric === 'bytes'
              const unit = isBytes ? t('unit.bitsPerSecond') : (find(`why.unit.${why.metric}`) ?? '/s')
              const amount = (value: number) => formatAmount(isBytes ? value * 8 : value, language, unit)
              return (
                <tr key={`${why.metric} ${why.source}`}>
                  <td data-label={t('why.metric')}>{find(`why.metric.${why.metric}`) ?? why.metric}</td>
                  <td className="num" data-label={t('why.value')}>
                    <b>{amount(why.valuePerSecond)}</b>
                    {why.standardError > 0.005 && (
                      <span className="quiet"> ±{Math.round(why.standardError * 100)}%</span>
                    )}
                  </td>
                  <td className="num" data-label={normal}>
                    {why.normalPerSecond === null ? '–' : amount(why.normalPerSecond)}
                  </td>
                  <td className="num" data-label={t('why.threshold')}>
                    {amount(why.linePerSecond)}
                  </td>
                  <td className="num" data-label={t('why.ratio')}>
                    {why.linePerSecond > 0 ? formatTimes(why.valuePerSecond / why.linePerSecond, language) : '–'}
                  </td>
                  <td data-label={t('why.source')}>{find(`why.source.${why.source}`) ?? why.source}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroll>
      <p className="card-note">{t('why.note')}</p>
    </Card>
  )
}
