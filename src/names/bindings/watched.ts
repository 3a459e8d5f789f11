// The addresses that are to be watched: those of the address sites, and those that the users' names lead to.

import { type HeldRanges, heldByNobody, heldRanges, togetherOf } from '../../net/held-ranges.ts'
import { isWithin } from '../../net/hostname.ts'
import { addressLength } from '../../net/network.ts'
import { mergeRanges } from '../../net/ranges.ts'
import type { Binding, Bindings, NameOrAddress } from './bindings.ts'
import { type SiteIndex, usersAbove, usersLedTo } from './site-index.ts'

export interface WatchedAddresses {
  /** Sorted, disjoint pairs first, last (see targets/watch-list.ts). */
  ranges: Uint32Array
  /** The users of each: those of address sites, else those whose names lead there. */
  held: HeldRanges
  /** No address is dropped before then, unless sites change; Infinity: never. */
  validToMs: number
}

export const nothingWatched: WatchedAddresses = {
  ranges: new Uint32Array(),
  held: heldByNobody,
  validToMs: Number.POSITIVE_INFINITY,
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
  const users = new Map<number, string>()
  let validToMs = Number.POSITIVE_INFINITY
  for (const name of index.roots.keys()) {
    for (const binding of asked.of(name)) {
      if (binding.validToMs <= nowMs) continue
      const { address } = binding
      const led = togetherOf(usersLedTo(index, name, address))
      if (led === '') continue
      ranges.push([address, address])
      users.set(address, united(users.get(address), led))
      validToMs = Math.min(validToMs, binding.validToMs)
    }
  }
  for (const [address, bindings] of observed.byAddress()) {
    // One is enough, of the thousands that an address may have.
    for (const { name, validToMs: endMs } of bindings) {
      if (endMs <= nowMs) continue
      const above = usersAbove(index, name, address)
      if (above.size === 0) continue
      ranges.push([address, address])
      users.set(address, united(users.get(address), togetherOf(above)))
      validToMs = Math.min(validToMs, endMs)
      break
    }
  }
  return { ranges: mergeRanges(ranges), held: heldRanges(ownRanges(index), users), validToMs }
}

function united(known: string | undefined, users: string): string {
  if (known === undefined || known === users) return users
  return togetherOf(new Set([...known.split(' '), ...users.split(' ')]))
}

/** The address sites of each user. */
function ownRanges({ networks }: SiteIndex) {
  return Array.from(networks, ([length, ofLength]) =>
    Array.from(ofLength, ([network, users]) => {
      const first = network
      const last = network + 2 ** (addressLength - length) - 1
      return Array.from(users.keys(), (holder) => ({ first, last, holder }))
    }),
  ).flat(2)
}
