// The endpoints that say what is known of one site: where it leads, what of that is seen in flows, and what is to be proved of it.

import type { HostRecord } from '../../access/host-record.ts'
import type { IsShared } from '../../access/shared-addresses.ts'
import type { Clock } from '../../clock.ts'
import type { SiteReport } from '../../contract/sites/report.ts'
import { formatTime } from '../../contract/time.ts'
import type { SiteAddress, SiteAddresses, SiteTimes } from '../../names/bindings/site-addresses.ts'
import type { Suggestion } from '../../names/discover/suggestions.ts'
import { formatKey } from '../../net/address.ts'
import type { Network } from '../../net/network.ts'
import type { SavedProof, Store, User } from '../../store/store.ts'
import type { Handlers } from '../http/endpoints.ts'
import { type OwnSite, ownSite } from './own-site.ts'
import { type Proofs, presentProof, ThrottledProofs } from './proofs.ts'

/** Who knows where sites lead, and whether exporters tell of anything. */
export interface SiteWatch {
  addressesOf(userId: string, record: HostRecord, site: SiteTimes): SiteAddresses
  /** Whether the site, added then, is the user's to watch. */
  mayWatch(userId: string, record: HostRecord, addedMs: number): boolean
  /** Names that lead to addresses of the site, by the reverse DNS, and are of no site of the user. */
  suggestionsFor(userId: string, network: Network): Suggestion[]
  /** When the last datagram of an exporter came, Unix milliseconds; null: none yet. */
  lastDatagramMs(): number | null
}

export interface SiteReportOptions {
  store: Pick<Store, 'sitesAmong' | 'lastTraffic'>
  clock: Clock
  siteWatch: SiteWatch
  proofs: Proofs
  isShared: IsShared
}

const dayMs = 86_400_000
/** Addresses in a report: a /22. */
const addressesMax = 1_024
/** Exporters that tell of nothing for so long tell nothing of what is not there either. */
const quietMs = 3_600_000

type SiteReportHandlers = Handlers<'getSite' | 'verifySite'>

export function createSiteReportHandlers({
  store,
  clock,
  siteWatch: watch,
  proofs: keptProofs,
  isShared,
}: SiteReportOptions): SiteReportHandlers {
  const proofs = new ThrottledProofs(keptProofs, clock)
  const report = async (
    { site, record }: OwnSite,
    { caller, isAdmin }: { caller: User; isAdmin: boolean },
    proof: SavedProof | null,
  ): Promise<SiteReport> => {
    const nowMs = clock.now()
    const { addresses, omitted } = site.enabled
      ? watch.addressesOf(caller.id, record, site)
      : { addresses: [], omitted: 0 }
    const fromMinute = Math.ceil((nowMs - dayMs) / 60_000) * 60
    const told = await store.lastTraffic(
      caller.id,
      addresses.map(({ address }) => address),
      fromMinute,
    )
    const lastMinutes = new Map(Array.from(told, ([address, minute]) => [address, minute * 1_000]))
    const shown = firstOf(addresses, lastMinutes)
    const lastMs = watch.lastDatagramMs()
    const isHearing = lastMs !== null && nowMs - lastMs < quietMs
    return {
      host: site.host,
      isEnabled: site.enabled,
      addedAt: formatTime(site.createdMs),
      isWatched: site.enabled && watch.mayWatch(caller.id, record, site.createdMs),
      proof: proof === null ? null : presentProof(proof, nowMs),
      addresses: shown.map((each) => {
        // What came before it was the caller's is not shown.
        const ownedMs = Math.max(site.watchedMs, each.sinceMs ?? 0)
        const minuteMs = each.isOwn ? lastMinutes.get(each.address) : undefined
        const trafficMs = minuteMs !== undefined && minuteMs >= ownedMs ? minuteMs : null
        const domains = each.domains + (isAdmin ? each.domainsOfOthers : 0)
        const shared = { isShared: isShared(each.address, domains), isAdmin }
        return presentAddress(each, {
          ...shared,
          trafficMs,
          isKnowable: each.isOwn && isHearing && nowMs - ownedMs >= dayMs,
        })
      }),
      addressesOmitted: omitted + addresses.length - shown.length,
      suggestedNames:
        'network' in record && addresses.length > 0
          ? watch.suggestionsFor(caller.id, record.network).map(presentSuggestion)
          : [],
    }
  }

  return {
    getSite: async ({ params, isAdmin }, caller) => {
      const found = await ownSite(store, caller, params.host)
      return { body: await report(found, { caller, isAdmin }, await proofs.of(caller, found.record)) }
    },

    verifySite: async ({ params, isAdmin }, caller) => {
      const found = await ownSite(store, caller, params.host)
      return { body: await report(found, { caller, isAdmin }, await proofs.check(caller, found.record)) }
    },
  }
}

/** All, but of a large network: there those that there is something to say of come first, and the list is in order of address. */
function firstOf(addresses: readonly SiteAddress[], told: ReadonlyMap<number, number>): readonly SiteAddress[] {
  if (addresses.length <= addressesMax) return addresses
  const [known, others] = [true, false].map((isKnown) =>
    addresses.filter(({ address, names }) => (names.length > 0 || told.has(address)) === isKnown),
  )
  return [...known, ...others].slice(0, addressesMax).sort((a, b) => a.address - b.address)
}

function presentSuggestion({ name, address, confirmedMs }: Suggestion): SiteReport['suggestedNames'][number] {
  return { name, address: formatKey(address), confirmedAt: formatTime(confirmedMs) }
}

function presentAddress(
  { address, names, sinceMs, confirmedMs, sharedWith, domainsOfOthers, isOwn }: SiteAddress,
  given: { trafficMs: number | null; isKnowable: boolean; isShared: boolean; isAdmin: boolean },
): SiteReport['addresses'][number] {
  const { trafficMs, isKnowable, isShared, isAdmin } = given
  return {
    address: formatKey(address),
    names,
    since: sinceMs === null ? null : formatTime(sinceMs),
    confirmedAt: confirmedMs === null ? null : formatTime(confirmedMs),
    traffic: trafficMs !== null ? 'seen' : isKnowable ? 'none' : 'unknown',
    lastTrafficAt: trafficMs === null ? null : formatTime(trafficMs),
    sharedWith,
    isShared,
    domainsOfOthers: isAdmin ? domainsOfOthers : null,
    isOwn,
  }
}
