// The addresses that are to be watched: those of the address sites, and those that the users' names lead to.
import { isWithin } from '../../net/hostname.ts'
import { mergeRanges } from '../../net/ranges.ts'
import type { Binding, Bindings, NameOrAddress } from './bindings.ts'
import { type SiteIndex, usersAbove, usersLedTo } from './site-index.ts'

export interface WatchedAddresses {
  /** Sorted, disjoint pairs first, last (see targets/watch-list.ts). */
  ranges: Uint32Array
  /** No address is dropped before then, unless sites change; Infinity: never. */
  validToMs: number
}

/** The bindings that there are: as our resolvers answered, and as resolvers elsewhere were told. */
export interface KnownBindings {
  asked: Bindings
  observed: Bindings
}

/** What is known of where a name leads, or of what leads to an address. */
export function bindingsOf(
  { asked, observed }: KnownBindings,
  of: NameOrAddress,
): Record<keyof KnownBindings, Binding[]> {
  const among = (bindings: Bindings) => [...('name' in of ? bindings.of(of.name) : bindings.at(of.address))]
  return { asked: among(asked), observed: among(observed) }
}

/** The addresses that names at or below the zone lead to and that belong to a user with the zone as a site. */
export function ownAddressesBelow(zone: string, index: SiteIndex, known: KnownBindings, nowMs: number): number[] {
  const users = [...(index.wildcards.get(zone)?.keys() ?? [])]
  const found = new Set<number>()
  for (const bindings of [known.asked, known.observed]) {
    for (const { name, address, validToMs } of bindings.all()) {
      if (validToMs <= nowMs || found.has(address) || !isWithin(name, zone)) continue
      if (users.some((userId) => index.authority.hasAddress(userId, address))) found.add(address)
    }
  }
  return [...found]
}

export function watchedAddresses(
  index: SiteIndex,
  { asked, observed }: KnownBindings,
  nowMs: number,
): WatchedAddresses {
  const ranges = [...index.ranges]
  let validToMs = Number.POSITIVE_INFINITY
  for (const name of index.roots.keys()) {
    for (const binding of asked.of(name)) {
      if (binding.validToMs <= nowMs || usersLedTo(index, name, binding.address).next().done === true) continue
      ranges.push([binding.address, binding.address])
      validToMs = Math.min(validToMs, binding.validToMs)
    }
  }
  for (const [address, bindings] of observed.byAddress()) {
    // One is enough, of the thousands that an address may have.
    for (const { name, validToMs: endMs } of bindings) {
      if (endMs <= nowMs || usersAbove(index, name, address).size === 0) continue
      ranges.push([address, address])
      validToMs = Math.min(validToMs, endMs)
      break
    }
  }
  return { ranges: mergeRanges(ranges), validToMs }
}
