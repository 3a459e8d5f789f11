// How far each class of traffic was from its line.
import { useRates } from '../../shared/format/moments.tsx'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import './explanation.css'
import { LineBar } from './line-bar.tsx'
import type { ExplainedClass } from './queries.ts'
import { className, partText, rateText } from './verdict.ts'

interface LineTableProps {
  label: string
  classes: readonly ExplainedClass[]
  /** The label stands above the table. */
  isTitled?: boolean
}

export function LineTable({ label, classes, isTitled = false }: LineTableProps) {
  const { t } = useTranslator()
  return (
    <>
      {isTitled && <h3 className="explanation-title">{label}</h3>}
      <Scroll label={label}>
        <table className="table stacking">
          <thead>
            <tr>
              <th scope="col">{t('address.class')}</th>
              <th scope="col" className="num">
                {t('explain.rate')}
              </th>
              <th scope="col" className="num">
                {t('why.normal')}
              </th>
              <th scope="col" className="num">
                {t('explain.peak')}
              </th>
              <th scope="col" className="num">
                {t('why.threshold')}
              </th>
              <th scope="col">{t('address.towards')}</th>
            </tr>
          </thead>
          <tbody>
            {classes.map((explained) => (
              <Row key={`${explained.attackType} ${explained.matches}`} explained={explained} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}

function Row({ explained }: { explained: ExplainedClass }) {
  const translator = useTranslator()
  const { t, language } = translator
  const { packets, bits } = useRates()
  const { matches, packetsPerSecond, bytesPerSecond, normal, nearest } = explained
  return (
    <tr>
      <td className="stack-head">
        {className(explained, translator)}
        {matches !== null && (
          <div className="quiet" lang="en">
            {matches}
          </div>
        )}
      </td>
      <td className="num nowrap" data-label={t('explain.rate')}>
        <span className="two">
          <span>{packets(packetsPerSecond)}</span>
          <span className="quiet">{bits(bytesPerSecond)}</span>
        </span>
      </td>
      <td className="num nowrap" data-label={t('why.normal')}>
        {normal === null ? '–' : packets(normal.packetsPerSecond)}
      </td>
      <td className="num nowrap" data-label={t('explain.peak')}>
        {nearest === null ? (
          '–'
        ) : (
          <span className="two">
            <span>{rateText(nearest, nearest.rate, translator)}</span>
            <span className="quiet">
              {t('explain.over', { duration: formatDuration(nearest.seconds, translator) })}
            </span>
          </span>
        )}
      </td>
      <td className="num nowrap" data-label={t('why.threshold')}>
        {nearest === null ? '–' : rateText(nearest, nearest.line, translator)}
      </td>
      <td className="explanation-part" data-label={t('address.towards')}>
        {nearest !== null && (
          <>
            {partText(nearest.part, language)}
            <LineBar part={nearest.part} />
          </>
        )}
      </td>
    </tr>
  )
}
