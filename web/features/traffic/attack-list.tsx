// The attacks of a time, each with the way to its page.
import { Link } from '@tanstack/react-router'
import type { AttackSpan } from '../../../client/types.ts'
import { Moment } from '../../shared/format/moments.tsx'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { attackName } from '../events/vectors.ts'

const shownMax = 20

export function AttackList({ attacks }: { attacks: readonly AttackSpan[] }) {
  const translator = useTranslator()
  const { t } = translator
  if (attacks.length === 0) return null
  return (
    <Card title={t('traffic.attackList', { count: attacks.length })} flush>
      <Scroll label={t('traffic.attackList', { count: attacks.length })}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('events.start')}</th>
              <th scope="col">{t('events.attack')}</th>
              <th scope="col">{t('events.site')}</th>
              <th scope="col" className="num">
                {t('events.duration')}
              </th>
            </tr>
          </thead>
          <tbody>
            {attacks.slice(0, shownMax).map(({ id, start, end, site, attackType }) => (
              <tr key={id}>
                <td className="nowrap">
                  <Moment at={start} />
                </td>
                <td>
                  <Link to="/events/$id" params={{ id }} className="row-link">
                    {attackName(attackType, translator)}
                  </Link>
                </td>
                <td>{site}</td>
                <td className="num nowrap">
                  {end === null ? (
                    <Pill tone="bad">{t('event.open')}</Pill>
                  ) : (
                    formatDuration((Date.parse(end) - Date.parse(start)) / 1_000, translator)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {attacks.length > shownMax && (
        <p className="card-note">
          <Link to="/events">{t('overview.allEvents')}</Link>
        </p>
      )}
    </Card>
  )
}
