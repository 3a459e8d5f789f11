// What the address of the traffic screen says beside its path.
import { text, wordOf } from '../../shared/ui/search.ts'

export const spans = { '1h': 1, '6h': 6, '24h': 24, '7d': 168, '14d': 336, '30d': 720, '90d': 2_160 } as const
export type Span = keyof typeof spans
export const spanNames: readonly Span[] = ['1h', '6h', '24h', '7d', '14d', '30d', '90d']

export interface TrafficSearch {
  site?: string
  by?: 'site' | 'address'
  /** Up to now; a day without it. */
  last?: Span
  /** ISO 8601; both in place of `last`. */
  start?: string
  end?: string
  metric?: 'bits' | 'packets' | 'flows'
  as?: 'lines' | 'table'
  previous?: 'yes'
}

export function trafficSearch(search: Record<string, unknown>): TrafficSearch {
  const { start = '', end = '', ...rest } = text(search, 'site', 'start', 'end')
  const by = wordOf(search.by, ['site', 'address'])
  const last = wordOf(search.last, spanNames)
  const metric = wordOf(search.metric, ['bits', 'packets', 'flows'])
  const as = wordOf(search.as, ['lines', 'table'])
  return {
    ...rest,
    ...(by === undefined ? {} : { by }),
    ...(isRange(start, end) ? { start, end } : last === undefined ? {} : { last }),
    ...(metric === undefined ? {} : { metric }),
    ...(as === undefined ? {} : { as }),
    ...(search.previous === 'yes' ? { previous: 'yes' } : {}),
  }
}

function isRange(start: string, end: string): boolean {
  return Date.parse(end) - Date.parse(start) >= 60_000
}
