// What is normal for one (address, traffic class): a slow average of its packet rate with its spread, learnt from settled traffic only,
// from values clipped so that an attack teaches little, and while an incident of a known vector is open nothing higher.

/** One value is learnt every so many seconds. */
export const learnEverySeconds = 30

/** Two hours of values: no slower does the average follow. */
const slowest = 1 / 240
/** Of a value, in the mean packet length. */
const lengthWeight = 1 / 60
/** So many values are taken as they come. */
const unclipped = 10
/** The remembered peak halves in a week. */
const peakDecay = 0.5 ** (learnEverySeconds / 604_800)

export interface Baseline {
  /** Packets a second. */
  mean: number
  spread: number
  peak: number
  /** Mean packet length, octets; 0 before the first packet. */
  packetBytes: number
  /** Values learnt. */
  count: number
}

/** `count`: how long the address is known, in values. A class first seen today has had nothing so far. */
export function createBaseline(count: number): Baseline {
  return { mean: 0, spread: 0, peak: 0, packetBytes: 0, count }
}

/**
 * What a value may teach: up to the usual (`clipped`); nothing higher (`nothing`: an attack goes on); all of it (`whole`: something goes on
 * that no vector explains, and if it stays it is the new normal after some two hours).
 */
export type Teaches = 'clipped' | 'nothing' | 'whole'

/** `noise`: standard deviation of the value that comes from sampling alone. */
export function learn(baseline: Baseline, value: number, noise: number, teaches: Teaches): void {
  const { mean, spread } = baseline
  const sigma = Math.hypot(spread, noise)
  let clipped = value
  if (teaches === 'clipped' && baseline.count >= unclipped) clipped = Math.min(value, mean + 3 * sigma)
  if (teaches === 'nothing') clipped = Math.min(value, mean)
  const weight = Math.max(slowest, 1 / (baseline.count + 1))
  baseline.mean = mean + weight * (clipped - mean)
  baseline.spread = Math.sqrt((1 - weight) * spread * spread + weight * (clipped - mean) ** 2)
  baseline.peak = Math.max(baseline.peak * peakDecay, clipped)
  baseline.count++
}

export function learnLength(baseline: Baseline, packetBytes: number): void {
  const weight = baseline.packetBytes === 0 ? 1 : lengthWeight
  baseline.packetBytes += weight * (packetBytes - baseline.packetBytes)
}

/** The rate up to which traffic is normal, before any margin: the average, or half the peak of traffic that comes and goes. */
export function level(baseline: Baseline): number {
  return Math.max(baseline.mean, baseline.peak / 2)
}
