// One value of many by its rank, without sorting them: two counts of 16 bits each, which take no longer for one input than for another. Attackers choose it.

const digits = 1 << 16
/** Fewer values are sorted sooner than the digits are counted. */
const countedMin = 4_096

/** The value that has `rank` of the others before it in rising order; whole numbers from 0 to 2^32 - 1. */
export function ranked(values: Uint32Array, rank: number): number {
  if (values.length < countedMin) return values.toSorted()[rank]
  const counts = new Uint32Array(digits)
  for (const value of values) counts[value >>> 16]++
  const upper = digitAt(counts, rank)
  counts.fill(0)
  for (const value of values) if (value >>> 16 === upper.digit) counts[value % digits]++
  return upper.digit * digits + digitAt(counts, upper.rank).digit
}

/** The digit of the value with a rank, and its rank among the values with that digit. */
function digitAt(counts: Uint32Array, rank: number): { digit: number; rank: number } {
  let digit = 0
  while (rank >= counts[digit]) rank -= counts[digit++]
  return { digit, rank }
}
