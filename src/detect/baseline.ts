// What is normal for one (address, traffic class): a slow average of its packet rate with its spread, learnt from settled traffic only,
// from values clipped so that an attack teaches little, and while an incident of a known vector is open nothing higher. Its numbers are a row of Rows.
import type { NormalBand } from './incident-report.ts'
import { Rows } from './rows.ts'

/** One value is learnt every so many seconds. */
export const learnEverySeconds = 30

/** Two hours of values: no slower does the average follow. */
const slowest = 1 / 240
/** A day of values: what a class has of all traffic is a matter of days. */
const usualSlowest = 1 / 2_880
/** Of a value, in the mean packet length. */
const lengthWeight = 1 / 60
/** So many values are taken as they come. */
const unclipped = 10
/** The remembered peak halves in a week. */
const peakDecay = 0.5 ** (learnEverySeconds / 604_800)
/** The band of normal reaches so many times the spread to either side of the average. */
const bandSpreads = 3

/** Rates are packets a second. */
export interface Normal {
  /** Up to here traffic is normal, before any margin: of a target that is not learnt, what is normal for others. */
  readonly level: number
  readonly mean: number
  readonly spread: number
  /** Mean packet length, octets; 0 before the first packet. */
  readonly packetBytes: number
}

export const noNormal: Normal = { level: 0, mean: 0, spread: 0, packetBytes: 0 }

/** What is normal for two together. */
export function addNormals(a: Normal, b: Normal): Normal {
  const mean = a.mean + b.mean
  return {
    level: a.level + b.level,
    mean,
    spread: Math.hypot(a.spread, b.spread),
    packetBytes: mean === 0 ? 0 : (a.packetBytes * a.mean + b.packetBytes * b.mean) / mean,
  }
}

/** What is normal now. In packets a second times `factor`: what there is of something else for each packet. */
export function bandOf({ level, mean, spread }: Normal, factor: number): NormalBand {
  const low = Math.max(0, mean - bandSpreads * spread)
  const high = Math.max(level, mean + bandSpreads * spread)
  return { low: low * factor, high: high * factor }
}

/** Times normal, where normal is taken as at least a packet a second and `measurable`, the least rate that could be seen. */
export function deviationOf(rate: number, normal: number, measurable: number): number {
  return Math.min(deviationMax, rate / Math.max(normal, measurable, 1))
}
const deviationMax = 100_000

/**
 * What a value may teach: up to the usual (`clipped`); nothing higher (`nothing`: an attack goes on); all of it (`whole`: something goes on
 * that no vector explains, and if it stays it is the new normal after some two hours).
 */
export type Teaches = 'clipped' | 'nothing' | 'whole'

/** What is saved of a baseline, in this order, comes first; the level follows from it. */
const place = { mean: 0, spread: 1, peak: 2, usual: 3, packetBytes: 4, count: 5, level: 6 } as const
export const savedNumbers = place.level
const width = place.level + 1

export type BaselineRows = Rows<Float32Array>

export function createBaselineRows(): BaselineRows {
  return new Rows((length) => new Float32Array(length), width)
}

export class Baseline implements Normal {
  readonly #rows: BaselineRows
  readonly #at: number

  /** `count`: how long the address is known, in values. A class first seen today has had nothing so far. */
  constructor(rows: BaselineRows, count: number) {
    this.#rows = rows
    this.#at = rows.take()
    rows.values[this.#at + place.count] = count
  }

  get mean(): number {
    return this.#rows.values[this.#at + place.mean]
  }

  get spread(): number {
    return this.#rows.values[this.#at + place.spread]
  }

  get packetBytes(): number {
    return this.#rows.values[this.#at + place.packetBytes]
  }

  /** How many values it has learnt. */
  get count(): number {
    return this.#rows.values[this.#at + place.count]
  }

  get level(): number {
    return this.#rows.values[this.#at + place.level]
  }

  set level(level: number) {
    this.#rows.values[this.#at + place.level] = level
  }

  /** The average of days, attacks left out, bursts not: packets a second. */
  get usual(): number {
    return this.#rows.values[this.#at + place.usual]
  }

  /** What its own recent past says is normal: the average, or half the peak of traffic that comes and goes. Packets a second. */
  get recent(): number {
    const { values } = this.#rows
    return Math.max(values[this.#at + place.mean], values[this.#at + place.peak] / 2)
  }

  /** `noise`: standard deviation of the value that comes from sampling alone. */
  learn(value: number, noise: number, teaches: Teaches): void {
    const { values } = this.#rows
    const at = this.#at
    const mean = values[at + place.mean]
    const spread = values[at + place.spread]
    const count = values[at + place.count]
    let clipped = value
    if (teaches === 'clipped' && count >= unclipped) clipped = Math.min(value, mean + 3 * Math.hypot(spread, noise))
    if (teaches === 'nothing') clipped = Math.min(value, mean)
    else values[at + place.usual] += Math.max(usualSlowest, 1 / (count + 1)) * (value - values[at + place.usual])
    const weight = Math.max(slowest, 1 / (count + 1))
    values[at + place.mean] = mean + weight * (clipped - mean)
    values[at + place.spread] = Math.sqrt((1 - weight) * spread * spread + weight * (clipped - mean) ** 2)
    values[at + place.peak] = Math.max(values[at + place.peak] * peakDecay, clipped)
    values[at + place.count] = count + 1
  }

  learnLength(packetBytes: number): void {
    const { values } = this.#rows
    const at = this.#at + place.packetBytes
    const weight = values[at] === 0 ? 1 : lengthWeight
    values[at] += weight * (packetBytes - values[at])
  }

  /** `savedNumbers` of them. */
  save(): Float32Array {
    return this.#rows.values.slice(this.#at, this.#at + savedNumbers)
  }

  restore(numbers: Float32Array): void {
    this.#rows.values.set(numbers, this.#at)
  }

  /** There was a gap: the average and its spread are learnt anew, as if from the first value on. */
  relearn(): void {
    this.#rows.values[this.#at + place.count] = 0
  }

  /** Takes over what is normal for several together. Their peaks add up to no less than that of all. */
  sumUp(others: readonly Baseline[]): void {
    const { values } = this.#rows
    const sumOf = (numberOf: (each: Baseline) => number) => others.reduce((sum, each) => sum + numberOf(each), 0)
    const mean = sumOf((each) => each.mean)
    values[this.#at + place.mean] = mean
    values[this.#at + place.spread] = Math.sqrt(sumOf(({ spread }) => spread ** 2))
    values[this.#at + place.peak] = sumOf((each) => each.#rows.values[each.#at + place.peak])
    values[this.#at + place.usual] = sumOf(({ usual }) => usual)
    values[this.#at + place.packetBytes] = mean === 0 ? 0 : sumOf((each) => each.packetBytes * each.mean) / mean
    values[this.#at + place.count] = Math.min(...others.map(({ count }) => count))
    values[this.#at + place.level] = sumOf(({ level }) => level)
  }

  /** Gives its memory back; it is not to be used any more. */
  release(): void {
    this.#rows.give(this.#at)
  }
}
