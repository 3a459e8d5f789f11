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
  const singles = Uint32Array.from(single.keys()).sort()
  // A single address may begin a range and end it, as does a part.
  const room = 2 * (singles.length + parts.length)
  const [starts, holders] = [new Uint32Array(room), new Uint32Array(room)]
  let size = 0
  let next = 0
  const append = (start: number, holder: number) => {
    starts[size] = start
    holders[size++] = holder
  }
  const put = (first: number, last: number, name: string) => {
    const holder = numberOf(name)
    const isBeside = size > 0 && first === next
    if (!isBeside && size > 0) append(next, 0)
    if (!isBeside || holder !== holders[size - 1]) append(first, holder)
    next = last + 1
  }
  let at = 0
  const putSingle = () => {
    const address = singles[at++]
    put(address, address, single.get(address) ?? '')
  }
  for (const { first, last, holder } of parts) {
    while (at < singles.length && singles[at] < first) putSingle()
    put(first, last, holder)
    while (at < singles.length && singles[at] <= last) at++
  }
  while (at < singles.length) putSingle()
  if (size > 0 && next < 2 ** 32) append(next, 0)
  return { starts: starts.slice(0, size), holders: holders.slice(0, size), names: [...names.keys()] }
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
