// Attacks that settings find in traffic that was judged again.
import { Moment } from '../../shared/format/moments.tsx'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { attackName } from '../events/vectors.ts'
import './explanation.css'
import type { JudgedAttack } from './queries.ts'
import { rateText } from './verdict.ts'

export function JudgedAttacks({ title, attacks }: { title: string; attacks: readonly JudgedAttack[] }) {
  const translator = useTranslator()
  const { t } = translator
  return (
    <>
      <h3 className="explanation-title">{title}</h3>
      <Scroll label={title}>
        <table className="table stacking">
          <thead>
            <tr>
              <th scope="col">{t('events.attack')}</th>
              <th scope="col">{t('events.start')}</th>
              <th scope="col" className="num">
                {t('events.duration')}
              </th>
              <th scope="col" className="num">
                {t('why.value')}
              </th>
              <th scope="col" className="num">
                {t('why.threshold')}
              </th>
            </tr>
          </thead>
          <tbody>
            {attacks.map((attack) => (
              <tr key={`${attack.attackType} ${attack.start}`}>
                <td className="stack-head">{attackName(attack.attackType, translator)}</td>
                <td className="nowrap" data-label={t('events.start')}>
                  <Moment at={attack.start} />
                </td>
                <td className="num nowrap" data-label={t('events.duration')}>
                  {formatDuration((Date.parse(attack.end) - Date.parse(attack.start)) / 1_000, translator)}
                </td>
                <td className="num nowrap" data-label={t('why.value')}>
                  {rateText(attack, attack.rate, translator)}
                </td>
                <td className="num nowrap" data-label={t('why.threshold')}>
                  {rateText(attack, attack.line, translator)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}
