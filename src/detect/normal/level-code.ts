// Rates in one octet, in steps of 8 %: exact enough for what is normal.

/** Codes are 1 to 255; 0 stands for no rate. */
export const codes = 256
const step = Math.log(1.08)

/** Code of a rate from 0 to some 300 million a second. */
export function codeOf(rate: number): number {
  return Math.min(codes - 1, 1 + Math.round(Math.log1p(rate) / step))
}

export function rateOf(code: number): number {
  return Math.expm1((code - 1) * step)
}
