// Who holds which addresses, as disjoint ranges: all holders of an address together, so that what they share is nobody's alone.
import { placeOf } from './ranges.ts'

export interface HeldRanges {
  /** Where a range begins, sorted; it ends where the next begins. */
  starts: Uint32Array
  /** Where the holder of each range is in `names`. */
  holders: Uint32Array
  /** The first is for what nobody holds. */
  names: string[]
}

export interface HeldRange {
  first: number
  last: number
  holder: string
}

export const heldByNobody: HeldRanges = { starts: new Uint32Array(), holders: new Uint32Array(), names: [''] }

/** Names of all who hold an address of the ranges, with a space between them; empty: nobody does. */
export function holderWithin(
  { starts, holders, names }: HeldRanges,
  ranges: readonly (readonly [first: number, last: number])[],
): string {
  const found = new Set<string>()
  for (const [first, last] of ranges) {
    for (let place = Math.max(0, placeOf(starts, first)); place < starts.length && starts[place] <= last; place++)
      found.add(names[holders[place]])
  }
  const [name = ''] = found
  return found.size < 2 ? name : togetherOf(new Set([...found].flatMap((each) => each.split(' ').filter(Boolean))))
}

/** Holders as one name. */
export function togetherOf(holders: Iterable<string>): string {
  return [...holders].sort().join(' ')
}

/** Ranges may overlap. `single`: of addresses beside them; one that is in a range is that of the holders of the range alone. */
export function heldRanges(ranges: readonly HeldRange[], single: ReadonlyMap<number, string>): HeldRanges {
  const names = new Map([['', 0]])
  const numberOf = (name: string) => {
    const number = names.get(name) ?? names.size
    names.set(name, number)
    return number
  }
  const parts = disjoint(ranges)
  const all = sortedSingles(single, numberOf)
  const [starts, holders]: [number[], number[]] = [[], []]
  let next = 0
  const put = (first: number, last: number, holder: number) => {
    if (first !== next || holder !== holders.at(-1)) {
      if (first !== next && starts.length > 0) append(next, 0)
      append(first, holder)
    }
    next = last + 1
  }
  const append = (start: number, holder: number) => {
    starts.push(start)
    holders.push(holder)
  }
  let at = 0
  for (const { first, last, holder } of parts) {
    for (; at < all.length && all[at][0] < first; at++) put(all[at][0], all[at][0], all[at][1])
    put(first, last, numberOf(holder))
    while (at < all.length && all[at][0] <= last) at++
  }
  for (; at < all.length; at++) put(all[at][0], all[at][0], all[at][1])
  if (starts.length > 0 && next < 2 ** 32) append(next, 0)
  return { starts: Uint32Array.from(starts), holders: Uint32Array.from(holders), names: [...names.keys()] }
}

/** Address and number of the holder, by address. */
function sortedSingles(single: ReadonlyMap<number, string>, numberOf: (name: string) => number): [number, number][] {
  const addresses = Uint32Array.from(single.keys()).sort()
  return Array.from(addresses, (address) => [address, numberOf(single.get(address) ?? '')])
}

/** The parts of the ranges that have the same holders, by address. */
function disjoint(ranges: readonly HeldRange[]): HeldRange[] {
  const ends = ranges.flatMap(({ first, last, holder }) => [
    { at: first, holder, by: 1 },
    { at: last + 1, holder, by: -1 },
  ])
  ends.sort((a, b) => a.at - b.at)
  const counts = new Map<string, number>()
  const parts: HeldRange[] = []
  let first = 0
  for (let i = 0; i < ends.length; ) {
    const { at } = ends[i]
    if (counts.size > 0) parts.push({ first, last: at - 1, holder: togetherOf(counts.keys()) })
    for (; i < ends.length && ends[i].at === at; i++) {
      const count = (counts.get(ends[i].holder) ?? 0) + ends[i].by
      if (count === 0) counts.delete(ends[i].holder)
      else counts.set(ends[i].holder, count)
    }
    first = at
  }
  return parts
}
