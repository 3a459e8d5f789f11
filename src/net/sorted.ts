// Searching sorted columns of addresses.

/** The place of the last number that is not above the value; -1 when all are. */
export function placeOf(sorted: Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

export function isAmong(sorted: Uint32Array, value: number): boolean {
  const place = placeOf(sorted, value)
  return place >= 0 && sorted[place] === value
}

/** Whether the address lies in one of the ranges: sorted, disjoint pairs first, last. */
export function isInRanges(ranges: Uint32Array, address: number): boolean {
  const place = placeOf(ranges, address)
  return place >= 0 && (place % 2 === 0 || ranges[place] === address)
}

export function areEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}
