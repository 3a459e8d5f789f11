// What the addresses of the screens of alerts say beside their path.
import { text, wordOf } from '../../shared/ui/search.ts'
import { deliveryStates } from './delivery-words.ts'
import type { DeliveryFilter } from './queries.ts'

export function deliverySearch(search: Record<string, unknown>): DeliveryFilter {
  const state = wordOf(search.state, deliveryStates)
  return { ...text(search, 'channel', 'event'), ...(state === undefined ? {} : { state }) }
}
