// The addresses that are to be watched: those of the address sites, and those that the users' names lead to.
import { mergeRanges } from '../net/prefix.ts'
import type { Bindings } from './bindings.ts'
import { type SiteIndex, usersLedTo } from './site-index.ts'

export interface Watched {
  /** Sorted, disjoint pairs first, last (see targets/watch-list.ts). */
  ranges: Uint32Array
  /** No address is dropped before then, unless sites change; Infinity: never. */
  validToMs: number
}

export function watchedAddresses(index: SiteIndex, bindings: Bindings, nowMs: number): Watched {
  const ranges = [...index.ranges]
  let validToMs = Number.POSITIVE_INFINITY
  for (const name of index.roots.keys()) {
    for (const binding of bindings.of(name)) {
      if (binding.validToMs <= nowMs || usersLedTo(index, name, binding.address).next().done === true) continue
      ranges.push([binding.address, binding.address])
      validToMs = Math.min(validToMs, binding.validToMs)
    }
  }
  return { ranges: mergeRanges(ranges), validToMs }
}
