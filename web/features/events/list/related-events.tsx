// Other attacks that this one has to do with.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card } from '../../../shared/ui/basics.tsx'
import { type EventReport, relatedQuery } from '../queries.ts'
import { EventRows } from './event-rows.tsx'

const shownMax = 8

export function RelatedEvents({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const { data = [] } = useQuery(relatedQuery(useApi(), event.id))
  if (data.length === 0) return null
  const shown = data.slice(0, shownMax)
  const why = new Map(
    shown.map(({ event: { id }, because }) => [id, because.map((each) => t(`related.${each}`)).join(', ')]),
  )
  return (
    <Card
      title={t('related.title')}
      flush
      actions={
        <Link to="/events" search={{ site: event.site, tab: 'all' }}>
          {t('related.all')}
        </Link>
      }
    >
      <EventRows events={shown.map((related) => related.event)} why={why} />
    </Card>
  )
}
