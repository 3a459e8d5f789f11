// Earlier and later attacks on the same address or site.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { EventRows } from './event-rows.tsx'
import { type EventReport, eventsQuery } from './queries.ts'

const shownMax = 6

export function RelatedEvents({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const { data } = useQuery(eventsQuery(useApi(), { site: event.site, last: 90 }))
  const others = (data ?? []).filter(({ id }) => id !== event.id)
  if (others.length === 0) return null
  return (
    <Card
      title={t('related.title', { site: event.site })}
      flush
      actions={
        <Link to="/events" search={{ site: event.site, tab: 'all' }}>
          {t('related.all', { count: others.length })}
        </Link>
      }
    >
      <EventRows events={others.slice(0, shownMax)} />
    </Card>
  )
}
