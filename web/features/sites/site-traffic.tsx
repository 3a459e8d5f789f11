// The traffic of a site in the last day, with the times of attacks, and the way to more of it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Failure, Skeleton } from '../../shared/ui/states.tsx'
import { trafficQuery } from '../traffic/queries.ts'
import { TrafficOverTime } from '../traffic/traffic-over-time.tsx'

const height = 180

export function SiteTraffic({ host }: { host: string }) {
  const { t } = useTranslator()
  const [{ unit }] = usePreferences()
  const { data, error, refetch } = useQuery(trafficQuery(useApi(), { site: host }))
  // What leads nowhere has no traffic, and says so below.
  if (data?.addresses === 0) return null
  return (
    <Card
      title={t('overview.trafficTitle')}
      actions={
        <Link to="/traffic" search={{ site: host }}>
          {t('site.moreTraffic')}
        </Link>
      }
    >
      {data !== undefined ? (
        <TrafficOverTime traffic={data} metric={unit} isStacked={false} height={height} />
      ) : error !== null ? (
        <Failure error={error} retry={refetch} />
      ) : (
        <Skeleton height={height} />
      )}
    </Card>
  )
}
