// The endpoint that looks for a text among all that the caller has: sites, events, addresses, exporters.
import { formatKey, parseKey } from '../../net/address.ts'
import type { Store } from '../../store/store.ts'
import { readOtherTexts } from '../events/window.ts'
import type { Exporters } from '../exporters/exporters.ts'
import type { Handlers } from '../http/endpoints.ts'
import { QueryReader } from '../http/query.ts'
import type { Targets } from '../targets/targets.ts'
import { latestEvents, overviewsOf } from './latest-events.ts'

export interface SearchParts {
  store: Pick<Store, 'bestSites' | 'eventsBetween' | 'eventById' | 'notesOf'>
  targets: Pick<Targets, 'waysTo'>
  exporters: Pick<Exporters, 'list'>
}

const foundMax = 5

export function createSearchHandlers({ store, targets, exporters }: SearchParts): Handlers<'search'> {
  return {
    search: async ({ query, isAdmin }, { id }) => {
      const reader = new QueryReader(query)
      const text = reader.text('q', 100)
      if (reader.errors.length === 0 && (text === null || text === '')) {
        reader.errors.push({ parameter: 'q', detail: 'It must not be empty' })
      }
      const others = readOtherTexts(reader)
      reader.check()
      const wanted = text ?? ''
      const address = parseKey(wanted)
      const sites = await store.bestSites(id, wanted, foundMax)
      const byId = /^[0-9a-f]{24}$/.test(wanted) ? await store.eventById(id, wanted) : null
      const filter = address === null ? { texts: [wanted, ...others] } : { victimOrSource: address }
      const events = byId === null ? await latestEvents(store, id, { filter, limit: foundMax }) : [byId]
      const ways = address === null ? [] : [...new Set(targets.waysTo(id, address).map(({ site }) => site))]
      const isShown = address !== null && (ways.length > 0 || isAdmin)
      const known = isAdmin ? exporters.list().map((each) => each.address) : []
      const body = {
        sites: sites.map(({ host, enabled }) => ({ host, isEnabled: enabled })),
        events: await overviewsOf(store, id, events),
        addresses: isShown ? [{ address: formatKey(address), sites: ways }] : [],
        exporters: known.filter((each) => each.includes(wanted)).slice(0, foundMax),
      }
      return { body }
    },
  }
}
