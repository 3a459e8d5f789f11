// The addresses that a site stands for now, with the names of its user that lead to each. Pure. As in attribution, a user is shown only
// what follows from sites of their own.

import type { HostRecord } from '../../access/host-record.ts'
import { isWithin } from '../../net/hostname.ts'
import { keyRange } from '../../net/network.ts'
import { zoneOf } from '../resolve/zone-back-off.ts'
import type { Binding, Bindings } from './bindings.ts'
import { nameSite, type SiteIndex } from './site-index.ts'
import type { KnownBindings } from './watched.ts'

export interface SiteAddress {
  address: number
  /** Names of the user that lead there, those known for longest first; of a site that is a name or a wildcard, those of the site. */
  names: string[]
  /**
   * Since when it leads there, and when that was last confirmed, Unix milliseconds; null: it is an address of the site itself. Not before the
   * site was added: what was known before, somebody else had asked for.
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

interface SiteQuestion {
  userId: string
  record: HostRecord
  /** The time when the site was added. */
  addedMs: number
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
export function siteAddresses(asked: SiteQuestion, index: SiteIndex, known: KnownBindings): SiteAddresses {
  const { userId, record, addedMs, nowMs } = asked
  const { authority } = index
  if (!authority.mayWatch(userId, record, addedMs)) return { addresses: [], omitted: 0 }
  const isAsked = ({ validToMs, name, address }: Binding) =>
    validToMs > nowMs && index.roots.get(name)?.has(userId) === true && authority.mayBeListed(userId, address)
  const isObserved = ({ validToMs, name, address }: Binding) =>
    validToMs > nowMs && nameSite(index, userId, name) !== null && authority.mayBeListed(userId, address)
  /** What leads to an address, as far as it is read: the user's, and how many registered domains there are. */
  const leadingTo = (address: number) => {
    const asked = [...known.asked.at(address)].slice(0, namesReadMax)
    const observed = [...known.observed.at(address)].slice(0, namesReadMax)
    if (asked.length + observed.length === 0) return noLeads
    const own = [...asked.filter(isAsked), ...observed.filter(isObserved)]
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
  const ofSite = [...bindingsOf(record, known.asked, isAsked), ...bindingsOf(record, known.observed, isObserved)]
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

/** Those that are shown; a name of a wildcard's zone that another is an alias of leads where that one does. */
function* bindingsOf(
  record: Extract<HostRecord, { kind: 'fqdn' | 'wildcard' }>,
  bindings: Bindings,
  isShown: (binding: Binding) => boolean,
): Generator<Binding> {
  if (record.kind === 'fqdn') {
    for (const binding of bindings.of(record.host)) if (isShown(binding)) yield binding
    return
  }
  for (const binding of bindings.all()) {
    const { name, chain } = binding
    const places = [name, ...chain].flatMap((each, i) => (isWithin(each, record.zone) ? [i] : []))
    if (places.length === 0 || !isShown(binding)) continue
    for (const i of places) yield i === 0 ? binding : { ...binding, name: chain[i - 1], chain: chain.slice(i) }
  }
}

function namesOf(bindings: readonly Binding[]): string[] {
  const known = bindings.toSorted((a, b) => a.firstMs - b.firstMs || (a.name < b.name ? -1 : 1))
  return [...new Set(known.map(({ name }) => name))].slice(0, namesMax)
}
