// What the addresses of the events' screens say beside their path.
import { text, wordOf } from '../../shared/ui/search.ts'

export interface EventsSearch {
  tab?: 'active' | 'attention' | 'all'
  /** A part of site, domain or type, or an address. */
  q?: string
  site?: string
  address?: string
  type?: string
  /** Days back. */
  last?: number
}

const daysMax = 365

export function eventsSearch(search: Record<string, unknown>): EventsSearch {
  const tab = wordOf(search.tab, ['active', 'attention', 'all'])
  const last = Number(search.last)
  return {
    ...text(search, 'q', 'site', 'address', 'type'),
    ...(tab === undefined ? {} : { tab }),
    ...(Number.isInteger(last) && last >= 1 && last <= daysMax ? { last } : {}),
  }
}

export interface EventSearch {
  metric?: 'bits' | 'packets' | 'flows'
  /** The stretch of its course that is shown, ISO 8601; both or neither. */
  from?: string
  to?: string
}

export function eventSearch(search: Record<string, unknown>): EventSearch {
  const metric = wordOf(search.metric, ['bits', 'packets', 'flows'])
  const { from, to } = text(search, 'from', 'to')
  const isRange = from !== undefined && to !== undefined && Date.parse(from) < Date.parse(to)
  return { ...(metric === undefined ? {} : { metric }), ...(isRange ? { from, to } : {}) }
}
