// What the console asks about traffic over time.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Traffic } from '../../../client/types.ts'
import type { Api } from '../../shared/api/api.ts'
import { spans, type TrafficSearch } from './search.ts'

export type { Traffic }
export type Metric = NonNullable<TrafficSearch['metric']>

const hourMs = 3_600_000

export const trafficQuery = (api: Api, { site, by, last = '24h', start, end, previous }: TrafficSearch) =>
  queryOptions({
    queryKey: ['traffic', { site, by, last, start, end, previous }],
    meta: { live: ['sites'] },
    placeholderData: keepPreviousData,
    // What is up to now has another minute in it every minute.
    refetchInterval: end === undefined ? 60_000 : false,
    queryFn: ({ signal }) => {
      const now = Date.now()
      const query = {
        ...{ site, by },
        start: start ?? new Date(now - spans[last] * hourMs).toISOString(),
        end: end ?? new Date(now).toISOString(),
        ...(previous === 'yes' ? { previous: 'true' as const } : {}),
      }
      return api.call('getTraffic', { query, signal })
    },
  })

type Course = Pick<Traffic['total'], 'bytesPerSecond' | 'packetsPerSecond' | 'flowsPerSecond'>

/** In the unit that is shown. */
export function columnOf(course: Course, metric: Metric): readonly number[] {
  if (metric === 'packets') return course.packetsPerSecond
  return metric === 'flows' ? course.flowsPerSecond : course.bytesPerSecond.map((bytes) => bytes * 8)
}

export const unitKeys = {
  bits: 'unit.bitsPerSecond',
  packets: 'unit.packetsPerSecond',
  flows: 'unit.flowsPerSecond',
} as const
