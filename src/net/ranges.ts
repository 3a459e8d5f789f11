// Inclusive ranges of address keys, and searches in sorted columns of keys.

/** The union of inclusive ranges `[first, last]`, as sorted, disjoint, non-adjacent pairs: first, last, first, last, ... */
export function mergeRanges(ranges: readonly (readonly [first: number, last: number])[]): Uint32Array {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0])
  const merged = new Uint32Array(sorted.length * 2)
  let end = 0
  for (const [first, last] of sorted) {
    if (end > 0 && first <= merged[end - 1] + 1) {
      if (last > merged[end - 1]) merged[end - 1] = last
    } else {
      merged[end++] = first
      merged[end++] = last
    }
  }
  return merged.slice(0, end)
}

/** The part of the first ranges that is not in the second; both, and the result, as `mergeRanges` makes them. */
export function subtractRanges(ranges: Uint32Array, without: Uint32Array): Uint32Array {
  const left: number[] = []
  let at = 0
  for (let i = 0; i < ranges.length; i += 2) {
    let first = ranges[i]
    const last = ranges[i + 1]
    while (at < without.length && without[at + 1] < first) at += 2
    for (let j = at; j < without.length && without[j] <= last && first <= last; j += 2) {
      if (without[j] > first) left.push(first, without[j] - 1)
      first = without[j + 1] + 1
    }
    if (first <= last) left.push(first, last)
  }
  return Uint32Array.from(left)
}

/** Index of the last number that is not above the value; -1 when all are above it. */
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

/** Whether the value is one of the numbers. */
export function isAmong(sorted: Uint32Array, value: number): boolean {
  const place = placeOf(sorted, value)
  return place >= 0 && sorted[place] === value
}

/** Whether the address lies in one of the ranges, as `mergeRanges` makes them. */
export function isInRanges(ranges: Uint32Array, address: number): boolean {
  const place = placeOf(ranges, address)
  return place >= 0 && (place % 2 === 0 || ranges[place] === address)
}

/** Whether both hold the same numbers in the same order. */
export function areEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i])
}

/** Number of addresses in disjoint pairs of first and last. */
export function countAddresses(ranges: Uint32Array): number {
  let count = 0
  for (let i = 0; i < ranges.length; i += 2) count += ranges[i + 1] - ranges[i] + 1
  return count
}
