// The table that says, for each address, whether it is watched and as which target: two array reads, exact, rebuilt whole and swapped in
// one assignment when sites or names change. Who the sites behind a target are is no concern of this table.

/** Pages of 256 addresses that a list can hold: the page number is 16 bits, and page 0 stands for "unwatched". */
const pagesMax = 65_535

export interface WatchList {
  /** Page of each /24; 0: nothing watched in it. */
  readonly pageOf: Uint16Array
  /** Target of each address of each page; 0: unwatched. */
  readonly targetOf: Uint32Array
  /** Address of each target, ascending; the first place is unused. */
  readonly addresses: Uint32Array
  /** Addresses left out, since they lie in more /24 networks than a list can hold. */
  readonly refused: number
}

/** `ranges`: sorted, disjoint pairs first, last (inclusive). Targets are numbered from 1, by address. */
export function compileWatchList(ranges: Uint32Array): WatchList {
  const pageOf = new Uint16Array(2 ** 24)
  const { pages, targets, refused } = numberPages(ranges, pageOf)
  const targetOf = new Uint32Array((pages + 1) * 256)
  const addresses = new Uint32Array(targets + 1)
  let target = 0
  for (let i = 0; i < ranges.length; i += 2) {
    for (let address = ranges[i]; address <= ranges[i + 1]; address++) {
      const page = pageOf[address >>> 8]
      if (page === 0) continue
      targetOf[page * 256 + (address & 255)] = ++target
      addresses[target] = address
    }
  }
  return { pageOf, targetOf, addresses, refused }
}

/** Gives each /24 that holds a watched address its page, lowest address first, while there are pages. */
function numberPages(ranges: Uint32Array, pageOf: Uint16Array): { pages: number; targets: number; refused: number } {
  let pages = 0
  let targets = 0
  let refused = 0
  for (let i = 0; i < ranges.length; i += 2) {
    const first = ranges[i]
    const last = ranges[i + 1]
    for (let network = first >>> 8; network <= last >>> 8; network++) {
      if (pageOf[network] === 0 && pages < pagesMax) pageOf[network] = ++pages
      const count = Math.min(last, network * 256 + 255) - Math.max(first, network * 256) + 1
      if (pageOf[network] === 0) refused += count
      else targets += count
    }
  }
  return { pages, targets, refused }
}

/** The target of an address; 0: unwatched. */
export function targetAt(list: WatchList, address: number): number {
  return list.targetOf[list.pageOf[address >>> 8] * 256 + (address & 255)]
}
