// Which events the list asks the service for, by what the address of the screen says.
import type { EventFilter } from '../queries.ts'
import type { EventsSearch } from '../search.ts'
import type { EventWords } from '../words.ts'

export const tabs = ['active', 'attention', 'all'] as const

/** What each tab asks for. */
const ofTab = {
  active: { state: 'open', test: 'false' },
  attention: { acknowledged: 'false', test: 'false' },
  all: {},
} as const

/** The tab and the days back that are meant where the address says neither. */
export const searchDefaults = { tab: 'all', last: 30 } as const

/** `words` is what `search.q` means in the reader's language. */
export function filterOf(search: EventsSearch, words: EventWords): EventFilter {
  const { tab, last, site, address, type } = { ...searchDefaults, ...search }
  return { ...words, site, address, attackType: type, last, ...ofTab[tab] }
}
