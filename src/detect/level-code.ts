// A rate in one octet, in steps of 8 %: near enough for what is normal.

/** Codes are 1 to 255; what has none has 0. */
export const codes = 256
const step = Math.log(1.08)

/** From 0 to some 300 million a second. */
export function codeOf(rate: number): number {
  return Math.min(codes - 1, 1 + Math.round(Math.log1p(rate) / step))
}

export function rateOf(code: number): number {
  return Math.expm1((code - 1) * step)
}
