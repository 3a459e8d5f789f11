// How many records a window has at most, by the bounds of the pages that it lies in.
import { pageSeconds } from './rate-pages.ts'
import type { RateBounds } from './rates.ts'

/** Relative error of sums of numbers of 32 bits, with room: they may be a little less than their parts. */
export const rounding = 1e-3

/** The most flows of any window of that length whose amounts have these bounds. */
export function mostFlows({ flows, pageFlows }: RateBounds, seconds: number): number {
  const pages = Math.ceil((seconds - 1) / pageSeconds) + 1
  return Math.min(flows * seconds, pageFlows * pages) * (1 + rounding)
}
