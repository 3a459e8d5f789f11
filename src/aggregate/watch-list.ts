// Tells for each address whether it is watched, exactly, by a few array reads. The table is rebuilt whole when sites or names change, and swapped in one
// assignment. Most flows are for addresses whose /16 is not watched at all: the 8 KiB of bits for these stay in the processor's nearest cache. Which
// sites an address belongs to is not this table's concern.

/** Number of /24 networks that a list can hold: a sixteenth of the address space. Page 0 stands for "unwatched". */
const pagesMax = 2 ** 20
/** Words of 32 addresses in a page. */
const wordsPerPage = 8

export interface WatchList {
  /** A bit for each /16: something is watched in it. */
  readonly blocks: Uint32Array
  /** Block of each /16; 0: nothing watched in it. */
  readonly blockOf: Uint16Array
  /** Page of each /24 of each block; 0: nothing watched in it. */
  readonly pageOf: Uint32Array
  /** A bit for each address of each page. */
  readonly watched: Uint32Array
  /** Number of watched addresses. */
  readonly addresses: number
  /** Number of addresses left out because they lie in more /24 networks than a list can hold. */
  readonly refused: number
}

/** Compiles sorted, disjoint pairs of first and last address (inclusive). */
export function compileWatchList(ranges: Uint32Array): WatchList {
  const { blockOf, pageOf, pages } = numberPages(ranges)
  const watched = new Uint32Array((pages + 1) * wordsPerPage)
  let addresses = 0
  let refused = 0
  for (let i = 0; i < ranges.length; i += 2) {
    for (let address = ranges[i]; address <= ranges[i + 1]; address++) {
      const page = pageOf[blockOf[address >>> 16] * 256 + ((address >>> 8) & 255)]
      if (page === 0) {
        refused++
        continue
      }
      watched[page * wordsPerPage + ((address >>> 5) & 7)] |= 1 << (address & 31)
      addresses++
    }
  }
  const blocks = new Uint32Array(2 ** 16 / 32)
  for (let block = 0; block < blockOf.length; block++)
    if (blockOf[block] !== 0) blocks[block >>> 5] |= 1 << (block & 31)
  return { blocks, blockOf, pageOf, watched, addresses, refused }
}

/** Numbers a block for each /16 that holds a watched address, and a page for each such /24, lowest address first, until all pages are used. */
function numberPages(ranges: Uint32Array): { blockOf: Uint16Array; pageOf: Uint32Array; pages: number } {
  const blockOf = new Uint16Array(2 ** 16)
  // The last of 65,536 blocks has no number: a list that long has no page for it either.
  let blocks = 0
  for (let i = 0; i < ranges.length; i += 2) {
    for (let block = ranges[i] >>> 16; block <= ranges[i + 1] >>> 16; block++) {
      if (blockOf[block] === 0 && blocks < 65_535) blockOf[block] = ++blocks
    }
  }
  const pageOf = new Uint32Array((blocks + 1) * 256)
  let pages = 0
  for (let i = 0; i < ranges.length; i += 2) {
    for (let network = ranges[i] >>> 8; network <= ranges[i + 1] >>> 8 && pages < pagesMax; network++) {
      const block = blockOf[network >>> 8]
      const at = block * 256 + (network & 255)
      if (block !== 0 && pageOf[at] === 0) pageOf[at] = ++pages
    }
  }
  return { blockOf, pageOf, pages }
}

/**
 * Moves the records whose address is watched to the front, and returns their number. There are `count` records, which begin at `starts` and have an
 * address in network order at `offset`.
 */
export function chooseWatched(
  list: WatchList,
  from: DataView,
  offset: number,
  starts: Uint32Array,
  count: number,
): number {
  let watched = 0
  for (let i = 0; i < count; i++) {
    if (isWatched(list, from.getUint32(starts[i] + offset))) starts[watched++] = starts[i]
  }
  return watched
}

export function isWatched({ blocks, blockOf, pageOf, watched }: WatchList, address: number): boolean {
  if (((blocks[address >>> 21] >>> ((address >>> 16) & 31)) & 1) === 0) return false
  const page = pageOf[blockOf[address >>> 16] * 256 + ((address >>> 8) & 255)]
  return ((watched[page * wordsPerPage + ((address >>> 5) & 7)] >>> (address & 31)) & 1) !== 0
}
