// The attacks of a time, each with the way to its page.
import { Link } from '@tanstack/react-router'
import { Moment } from '../../shared/format/moments.tsx'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { isDismissed } from '../events/standing.ts'
import { attackName } from '../events/vectors.ts'
import type { Traffic } from './queries.ts'

const shownMax = 20

interface AttackListProps {
  traffic: Pick<Traffic, 'attacks' | 'attackCount'>
  site: string | undefined
}

export function AttackList({ traffic: { attacks, attackCount }, site }: AttackListProps) {
  const translator = useTranslator()
  const { t } = translator
  if (attacks.length === 0) return null
  const shown = attacks.slice(0, shownMax)
  return (
    <Card title={t('traffic.attackList', { count: attackCount })} flush>
      <Scroll label={t('traffic.attackList', { count: attackCount })}>
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
            {shown.map(({ id, start, end, site, attackType, classification }) => (
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
                    <Pill tone={isDismissed({ classification }) ? 'plain' : 'bad'}>{t('event.open')}</Pill>
                  ) : (
                    formatDuration((Date.parse(end) - Date.parse(start)) / 1_000, translator)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {attackCount > shown.length && (
        <div className="card-note row">
          <span>{t('traffic.latestAttacks', { shown: shown.length, count: attackCount })}</span>
          <Link to="/events" search={{ tab: 'all', ...(site === undefined ? {} : { site }) }}>
            {t('overview.allEvents')}
          </Link>
        </div>
      )}
    </Card>
  )
}
