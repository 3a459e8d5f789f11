// One value of many by its rank. Attackers choose the values: counting their digits takes as long for any of them, where a selection by comparisons does not.

/** A value is two digits of 16 bits. */
const digitsCount = 1 << 16
/** Fewer values are sorted sooner than the digits are counted. */
const countedMin = 4_096

/** The value that has `rank` of the others before it in rising order; `rank` is below their number. */
export function ranked(values: Uint32Array, rank: number): number {
  if (values.length < countedMin) return values.toSorted()[rank]
  const counts = new Uint32Array(digitsCount)
  for (const value of values) counts[value >>> 16]++
  const upper = digitAt(counts, rank)
  counts.fill(0)
  for (const value of values) if (value >>> 16 === upper.digit) counts[value & 0xffff]++
  return upper.digit * digitsCount + digitAt(counts, upper.rank).digit
}

/** The digit of the value with a rank, and its rank among the values with that digit. */
function digitAt(counts: Uint32Array, rank: number): { digit: number; rank: number } {
  let digit = 0
  while (rank >= counts[digit]) rank -= counts[digit++]
  return { digit, rank }
}
