// The endpoint that lists sites with what goes on at each.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { pageSites } from '../../contract/limits.ts'
import type { TargetRates } from '../../detect/targets/target-state.ts'
import { AppError } from '../../errors.ts'
import type { SiteAddress } from '../../names/bindings/site-addresses.ts'
import type { Site, SiteFilter, Store } from '../../store/store.ts'
import type { Handlers, RawQuery } from '../http/endpoints.ts'
import { QueryReader } from '../http/query.ts'
import type { Targets } from '../targets/targets.ts'
import { presentSiteOverview } from './present.ts'
import type { SiteWatch } from './report.ts'

export interface SiteOverviewOptions {
  store: Pick<Store, 'findSites' | 'eventsOfSites' | 'lastTraffic'>
  clock: Clock
  siteWatch: Pick<SiteWatch, 'addressesOf'>
  targets: Pick<Targets, 'ratesOf'>
}

const dayMs = 86_400_000
/** A page ends before its sites have more addresses than these together, of which one large network has as many. */
const pageAddressesMax = 65_536

/** A site with those of its addresses that are the caller's, and since when each of them is known to be the caller's. */
interface WatchedSite {
  site: Site
  addressCount: number
  own: { address: number; knownFromMs: number }[]
}

export function createSiteOverviewHandlers(options: SiteOverviewOptions): Handlers<'findSites'> {
  const { store, clock, siteWatch: watch, targets } = options

  const watched = (userId: string, site: Site): WatchedSite => {
    const { record, enabled } = site
    if (record === null || !enabled) return { site, addressCount: 0, own: [] }
    const { addresses, omitted } = watch.addressesOf(userId, record, site)
    const own = addresses.filter(({ isOwn }) => isOwn).map((each) => knownFrom(each, site))
    return { site, addressCount: addresses.length + omitted, own }
  }

  /** How many of each site's addresses had traffic in the last day. */
  const observableOf = async (userId: string, sites: readonly WatchedSite[]): Promise<number[]> => {
    const fromMinute = Math.ceil((clock.now() - dayMs) / 60_000) * 60
    const all = new Set(sites.flatMap(({ own }) => own.map(({ address }) => address)))
    const told = await store.lastTraffic(userId, [...all], fromMinute)
    const isTold = ({ address, knownFromMs }: WatchedSite['own'][number]) =>
      (told.get(address) ?? Number.NEGATIVE_INFINITY) * 1_000 >= knownFromMs
    return sites.map(({ own }) => own.filter(isTold).length)
  }

  /** Null: the detector does not answer. */
  const ratesOf = async (sites: readonly WatchedSite[]): Promise<TargetRates[][] | null> => {
    const asked = sites.flatMap(({ own }) => own)
    try {
      const rates = asked.length === 0 ? [] : await targets.ratesOf(asked)
      const ofSite = new Map(asked.map((each, i) => [each, rates[i]]))
      return sites.map(({ own }) => own.map((each) => ofSite.get(each) ?? null).filter((each) => each !== null))
    } catch (error) {
      if (error instanceof AppError && error.code === 'DETECTION_BUSY') return null
      throw error
    }
  }

  return {
    findSites: async ({ query }, { id }) => {
      const { limit, after, filter } = parseQuery(query)
      const { sites: found, total } = await store.findSites(id, { filter, after, limit: limit + 1 })
      const sites: WatchedSite[] = []
      let addresses = 0
      for (const site of found.slice(0, limit)) {
        const each = watched(id, site)
        if (sites.length > 0 && addresses + each.own.length > pageAddressesMax) break
        addresses += each.own.length
        sites.push(each)
        // Where a wildcard leads takes a look at every name.
        await nextTurn()
      }
      const hosts = sites.map(({ site }) => site.host)
      const [observable, rates, events] = [
        await observableOf(id, sites),
        await ratesOf(sites),
        await store.eventsOfSites(id, hosts),
      ]
      const body = {
        sites: sites.map(({ site, addressCount }, i) =>
          presentSiteOverview(site, {
            addresses: { count: addressCount, observable: observable[i] },
            rates: rates === null ? null : rates[i],
            events: events[i],
          }),
        ),
        total,
        next: found.length > sites.length ? Buffer.from(hosts[hosts.length - 1]).toString('base64url') : null,
      }
      return { body }
    },
  }
}

/** What came before the address was the caller's is not shown. */
function knownFrom({ address, sinceMs }: SiteAddress, { watchedMs }: Site) {
  return { address, knownFromMs: Math.max(watchedMs, sinceMs ?? 0) }
}

function parseQuery(query: RawQuery): { limit: number; after: string; filter: SiteFilter } {
  const reader = new QueryReader(query)
  const text = reader.text('q', 100)
  const groupId = reader.read('group', (given) => given, '')
  const enabled = reader.word('enabled', ['true', 'false'])
  const limit = reader.wholeNumber('limit', { min: 1, max: pageSites.max })
  const after = reader.read('cursor', decodeCursor, 'It must be `next` of a page')
  reader.check()
  const filter = {
    ...(text === null ? {} : { text }),
    ...(groupId === null ? {} : { groupId: groupId === 'none' ? null : groupId }),
    ...(enabled === null ? {} : { enabled: enabled === 'true' }),
  }
  return { limit: limit ?? pageSites.default, after: after ?? '', filter }
}

function decodeCursor(text: string): string | null {
  return /^[A-Za-z0-9_-]{1,400}$/.test(text) ? Buffer.from(text, 'base64url').toString('latin1') : null
}
