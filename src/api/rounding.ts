// Numbers of answers, rounded.

/** JSON has no number for what is not finite: 0 stands for it. */
export function rounded(value: number, digits = 2): number {
  return Number.isFinite(value) ? Number(value.toFixed(digits)) : 0
}

/** A rate, which is never negative; differences of sums may be, by a rounding error. */
export function roundedRate(value: number): number {
  return Math.max(0, rounded(value))
}
