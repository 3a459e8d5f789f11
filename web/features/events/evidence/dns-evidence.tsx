// Which names led to the victim during the attack, by which aliases, and when that was last confirmed.
import { ArrowRight } from 'lucide-react'
import { formatDuration } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card } from '../../../shared/ui/basics.tsx'
import type { EventReport } from '../queries.ts'
import '../page/event-page.css'

export function DnsEvidence({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  return (
    <Card title={t('dns.title')}>
      {event.dns.length === 0 ? (
        <p className="quiet">{t('dns.nothing')}</p>
      ) : (
        <ul className="chains">
          {event.dns.map(({ domain, aliases, addresses }) => (
            <li key={domain}>
              <Hop name={domain} />
              {aliases.map((alias) => (
                <Hop
                  key={alias.name}
                  kind="CNAME"
                  name={alias.name}
                  confirmedAt={alias.confirmedAt}
                  start={event.start}
                />
              ))}
              {addresses.map(({ address, confirmedAt }) => (
                <Hop
                  key={address}
                  kind="A"
                  name={address}
                  isVictim={address === event.address}
                  confirmedAt={confirmedAt}
                  start={event.start}
                />
              ))}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Hop({
  name,
  kind,
  confirmedAt,
  start,
  isVictim = false,
}: {
  name: string
  kind?: string
  confirmedAt?: string
  start?: string
  isVictim?: boolean
}) {
  const translator = useTranslator()
  const { t } = translator
  const before =
    confirmedAt === undefined || start === undefined ? null : (Date.parse(start) - Date.parse(confirmedAt)) / 1000
  const duration = formatDuration(Math.abs(before ?? 0), translator)
  return (
    <div className="hop">
      {kind !== undefined && (
        <span className="kind">
          <ArrowRight size={14} aria-hidden />
          {kind}
        </span>
      )}
      <span className={isVictim ? 'mono victim' : 'mono'}>{name}</span>
      {before !== null && (
        <span className="quiet nowrap">
          {t(before >= 0 ? 'dns.confirmedBefore' : 'dns.confirmedAfter', { duration })}
        </span>
      )}
    </div>
  )
}
