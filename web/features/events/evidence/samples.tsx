// Some of the flow records that the event was made from.
import { useState } from 'react'
import { formatAmount } from '../../../shared/format/rates.ts'
import { formatClock } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../../shared/ui/basics.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { Scroll } from '../../../shared/ui/scroll.tsx'
import type { EventReport } from '../queries.ts'
import '../page/event-page.css'

const fewMax = 10

export function Samples({ event }: { event: EventReport }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const [isWhole, setWhole] = useState(false)
  const { samples } = event.statistics
  if (samples.length === 0) return null
  return (
    <Card
      title={t('samples.title')}
      flush
      actions={
        samples.length > fewMax && (
          <Button look="ghost" className="no-print" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? t('list.less') : t('list.all', { count: samples.length })}
          </Button>
        )
      }
    >
      <Scroll label={t('samples.title')}>
        <table className="table dense">
          <thead>
            <tr>
              <th scope="col">{t('samples.time')}</th>
              <th scope="col">{t('samples.source')}</th>
              <th scope="col">{t('samples.destination')}</th>
              <th scope="col">{t('samples.protocol')}</th>
              <th scope="col">{t('samples.flags')}</th>
              <th scope="col" className="num">
                {t('unit.packets')}
              </th>
              <th scope="col" className="num">
                {t('unit.bytes')}
              </th>
              <th scope="col" className="num">
                {t('samples.sampling')}
              </th>
            </tr>
          </thead>
          <tbody>
            {samples.slice(0, isWhole ? samples.length : fewMax).map((sample, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: records may be alike, and keep their order.
              <tr key={i}>
                <td>{formatClock(Date.parse(sample.start), language, zone)}</td>
                <td className="mono">
                  {sample.source}:{sample.sourcePort}
                </td>
                <td className="mono">
                  {sample.destination}:{sample.destinationPort}
                </td>
                <td>{sample.protocol}</td>
                <td className="mono">{sample.tcpFlags}</td>
                <td className="num">{formatAmount(sample.packets, language)}</td>
                <td className="num">{formatAmount(sample.bytes, language, 'B')}</td>
                <td className="num">{sample.samplingRate === null ? '–' : `1:${sample.samplingRate}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  )
}
