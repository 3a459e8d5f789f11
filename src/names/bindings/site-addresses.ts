// The addresses that a site stands for now, with the names of its user that lead to each. Pure. As in attribution, a user is shown only
// what follows from sites of their own.

import type { SiteLike } from '../../access/authority.ts'
import type { HostRecord } from '../../access/host-record.ts'
import { isWithin } from '../../net/hostname.ts'
import { keyRange } from '../../net/network.ts'
import { zoneOf } from '../resolve/zone-back-off.ts'
import type { Binding, Bindings } from './bindings.ts'
import type { Newcomers } from './newcomers.ts'
import { isSince, type SiteIndex, sinceAbove, sinceOf } from './site-index.ts'
import type { KnownBindings } from './watched.ts'

export interface SiteAddress {
  address: number
  /** Names of the user that lead there, those known for longest first; of a site that is a name or a wildcard, those of the site. */
  names: string[]
  /**
   * Since when it leads there, and when that was last confirmed, Unix milliseconds; null: it is an address of the site itself. Not before the
   * site was added or enabled: what was known before, somebody else had asked for.
   */
  sinceMs: number | null
  confirmedMs: number | null
  /** Registered domains of the user's other names that lead there. */
  sharedWith: string[]
  /** How many registered domains lead there: of the user's names, and of those of others alone that are known. */
  domains: number
  domainsOfOthers: number
  /** Whether the address belongs to the user, and not only a name that leads there. */
  isOwn: boolean
}

export interface SiteAddresses {
  addresses: SiteAddress[]
  /** Number of further addresses. */
  omitted: number
}

export type SiteTimes = Pick<SiteLike, 'createdMs' | 'watchedMs'>

interface SiteQuestion {
  userId: string
  record: HostRecord
  site: SiteTimes
  nowMs: number
}

const addressesMax = 256
/** The value for an address without names, as most of a large network are. */
const noLeads = { own: [], domains: new Set<string>(), counts: { domains: 0, domainsOfOthers: 0 } }
/** Bound for the names that are shown for an address. */
const namesMax = 20
/** Bound for the names that are read for an address: where any name leads to it, thousands are known. */
const namesReadMax = 500

/** The addresses of the site, in order; none when the user may not watch it. */
export function siteAddresses(
  asked: SiteQuestion,
  index: SiteIndex,
  bindings: KnownBindings,
  newcomers: Pick<Newcomers, 'fromMs'> = { fromMs: () => 0 },
): SiteAddresses {
  const { userId, record, site, nowMs } = asked
  const addedMs = sinceOf(site.watchedMs, asked)
  const { authority } = index
  if (!authority.mayWatch(userId, record, site.createdMs)) return { addresses: [], omitted: 0 }
  const { asAsked, asObserved } = knowledgeOf(asked, index, newcomers)
  /** What leads to an address, as far as it is read: the user's, and how many registered domains there are. */
  const leadingTo = (address: number) => {
    const asked = [...bindings.asked.at(address)].slice(0, namesReadMax)
    const observed = [...bindings.observed.at(address)].slice(0, namesReadMax)
    if (asked.length + observed.length === 0) return noLeads
    const own = [...asked.flatMap(asAsked), ...observed.flatMap(asObserved)]
    const live = [...asked, ...observed].filter(({ validToMs }) => validToMs > nowMs)
    const domains = new Set(own.map(({ name }) => zoneOf(name)))
    const all = new Set(live.map(({ name }) => zoneOf(name)))
    return { own, domains, counts: { domains: domains.size, domainsOfOthers: all.difference(domains).size } }
  }
  if (record.kind === 'ipv4' || record.kind === 'cidr') {
    const { first, last } = keyRange(record.network)
    const addresses = Array.from({ length: last - first + 1 }, (_, i) => {
      const address = first + i
      const { own, counts } = leadingTo(address)
      return {
        address,
        names: namesOf(own),
        ...counts,
        sinceMs: null,
        confirmedMs: null,
        sharedWith: [],
        isOwn: true,
      }
    })
    return { addresses, omitted: 0 }
  }
  const ofSite = [...bindingsOf(record, bindings.asked, asAsked), ...bindingsOf(record, bindings.observed, asObserved)]
  const ordered = [...Map.groupBy(ofSite, ({ address }) => address)].toSorted(([a], [b]) => a - b)
  const addresses = ordered.slice(0, addressesMax).map(([address, own]): SiteAddress => {
    const { domains, counts } = leadingTo(address)
    const ofSite = new Set(own.map(({ name }) => zoneOf(name)))
    return {
      address,
      names: namesOf(own),
      sinceMs: Math.max(
        addedMs,
        own.reduce((least, { fromMs }) => Math.min(least, fromMs), Number.POSITIVE_INFINITY),
      ),
      confirmedMs: own.reduce((most, { confirmedMs }) => Math.max(most, confirmedMs), addedMs),
      sharedWith: [...domains.difference(ofSite)].toSorted(),
      ...counts,
      isOwn: authority.hasAddress(userId, address),
    }
  })
  return { addresses, omitted: ordered.length - addresses.length }
}

/** Bindings as the user knows them: from when they have the name. Those of others, and those that are over, are none. */
function knowledgeOf(asked: SiteQuestion, index: SiteIndex, newcomers: Pick<Newcomers, 'fromMs'>) {
  const { userId, nowMs } = asked
  const known = (binding: Binding, sinceMs: number | null): Binding[] => {
    if (sinceMs === null || binding.validToMs <= nowMs || !isSince(binding, sinceMs)) return []
    if (!index.authority.mayBeListed(userId, binding.address)) return []
    return [{ ...binding, fromMs: Math.max(binding.fromMs, sinceMs), firstMs: Math.max(binding.firstMs, sinceMs) }]
  }
  return {
    asAsked: (binding: Binding) => {
      const isAsked = index.roots.get(binding.name)?.has(userId) === true
      return known(binding, isAsked ? newcomers.fromMs(userId, binding.name) : null)
    },
    asObserved: (binding: Binding) => {
      const sinceMs = sinceAbove(index, userId, binding.name)
      return known(binding, sinceMs === null ? null : sinceOf(sinceMs, asked))
    },
  }
}

/** Those that are shown; a name of a wildcard's zone that another is an alias of leads where that one does. */
function* bindingsOf(
  record: Extract<HostRecord, { kind: 'fqdn' | 'wildcard' }>,
  bindings: Bindings,
  asKnown: (binding: Binding) => Binding[],
): Generator<Binding> {
  if (record.kind === 'fqdn') {
    for (const binding of bindings.of(record.host)) yield* asKnown(binding)
    return
  }
  for (const binding of bindings.all()) {
    const { name, chain } = binding
    const places = [name, ...chain].flatMap((each, i) => (isWithin(each, record.zone) ? [i] : []))
    if (places.length === 0) continue
    for (const known of asKnown(binding))
      for (const i of places) yield i === 0 ? known : { ...known, name: chain[i - 1], chain: chain.slice(i) }
  }
}

function namesOf(bindings: readonly Binding[]): string[] {
  const known = bindings.toSorted((a, b) => a.firstMs - b.firstMs || (a.name < b.name ? -1 : 1))
  return [...new Set(known.map(({ name }) => name))].slice(0, namesMax)
}
