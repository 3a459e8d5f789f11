// What is normal for a traffic class of a target: a slow average of its packet rate, and its spread. It is learnt from settled traffic, from values that are
// clipped so that an attack teaches little, and from none above normal while an incident of a known vector is open. Its numbers are a row of Rows.
import { offsetsOf } from '../../offsets.ts'
import type { NormalBand } from '../incidents/incident-report.ts'
import { normal as lines } from '../lines/normal.ts'
import { Rows } from '../rates/number-rows.ts'
import type { Bound } from './bounds.ts'

const { slowest, usualSlowest, lengthWeight, unclipped, clipSpreads, peakPart, bandSpreads, deviationMax } = lines
/** What is left of the remembered peak from one value to the next. */
const peakDecay = 0.5 ** (lines.learnEverySeconds / lines.peakHalfLifeSeconds)
/** How far the anchor may rise from one value to the next, times. */
const anchorRise = lines.anchorDaily ** (lines.learnEverySeconds / 86_400)

/** Rates are packets a second. */
export interface Normal {
  /** Highest normal rate, before any margin; while the target is not learnt, that of others. */
  readonly level: number
  readonly mean: number
  readonly spread: number
  /** Mean packet length, octets; 0 before the first packet. */
  readonly packetBytes: number
}

export const noNormal: Normal = { level: 0, mean: 0, spread: 0, packetBytes: 0 }

/** The normal of two together. */
export function addNormals(a: Normal, b: Normal): Normal {
  const mean = a.mean + b.mean
  return {
    level: a.level + b.level,
    mean,
    spread: Math.hypot(a.spread, b.spread),
    packetBytes: mean === 0 ? 0 : (a.packetBytes * a.mean + b.packetBytes * b.mean) / mean,
  }
}

/** The band of normal in packets a second, times `factor`: the amount of another metric for each packet. */
export function bandOf({ level, mean, spread }: Normal, factor: number): NormalBand {
  const low = Math.max(0, mean - bandSpreads * spread)
  const high = Math.max(level, mean + bandSpreads * spread)
  return { low: low * factor, high: high * factor }
}

/** Rate over normal, which counts as at least a packet a second and `measurable`, the least rate that can be seen. */
export function deviationOf(rate: number, normal: number, measurable: number): number {
  return Math.min(deviationMax, rate / Math.max(normal, measurable, 1))
}

/**
 * What a value teaches: itself up to a margin above the average (`clipped`); nothing higher than the average (`nothing`: an attack goes on); itself
 * (`whole`: something goes on that no vector explains, which is the new normal if it stays for some two hours).
 */
export type Teaches = 'clipped' | 'nothing' | 'whole'

/** Offsets of the numbers of a row. Those that are saved come first, in this order; the level follows from them. */
const place = offsetsOf({ mean: 0, spread: 1, peak: 2, usual: 3, packetBytes: 4, count: 5, anchor: 6, level: 7 })
export const savedNumbers = place.level
export const savedNumbersWithoutAnchor = place.anchor
const width = place.level + 1

/** Gives saved numbers from before there were anchors one: what is normal now. */
export function anchorAtRecent(saved: Float32Array): void {
  saved[place.anchor] = Math.max(saved[place.mean], peakPart * saved[place.peak])
}

/** The saved numbers of the class, of several, that has the highest average. */
export function heaviestOf(saved: readonly Float32Array[]): Float32Array {
  return saved.reduce((heaviest, each) => (each[place.mean] > heaviest[place.mean] ? each : heaviest))
}

export type BaselineRows = Rows<Float32Array>

export function createBaselineRows(): BaselineRows {
  return new Rows((length) => new Float32Array(length), width)
}

export class Baseline implements Normal {
  readonly #rows: BaselineRows
  readonly #at: number

  /** `count` is how long the address is known, in values: a class first seen today has had nothing so far. */
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

  /** Number of learnt values. */
  get count(): number {
    return this.#rows.values[this.#at + place.count]
  }

  get level(): number {
    return this.#rows.values[this.#at + place.level]
  }

  set level(level: number) {
    this.#rows.values[this.#at + place.level] = level
  }

  /** Average of days with bursts and without attacks, packets a second. */
  get usual(): number {
    return this.#rows.values[this.#at + place.usual]
  }

  /** Normal by its own recent past: the average, or half the peak of traffic that comes and goes. Packets a second. */
  get recent(): number {
    const { values } = this.#rows
    return Math.max(values[this.#at + place.mean], peakPart * values[this.#at + place.peak])
  }

  /** Most that may become normal, packets a second. */
  mostOf({ ratio, least }: Bound): number {
    return Math.max(least, ratio * this.#rows.values[this.#at + place.anchor])
  }

  /** Lets the anchor follow what is normal: slowly when it rises, unless it `isFree` to. */
  follow({ ratio, least }: Bound, isFree: boolean): void {
    const { values } = this.#rows
    const at = this.#at + place.anchor
    const { recent } = this
    const risen = isFree ? recent : Math.min(recent, Math.max(values[at], least / ratio) * anchorRise)
    values[at] = Math.max(risen, values[at] * peakDecay)
  }

  /** Learns a value. `noise` is its standard deviation by sampling alone. */
  learn(value: number, noise: number, teaches: Teaches): void {
    const { values } = this.#rows
    const at = this.#at
    const mean = values[at + place.mean]
    const spread = values[at + place.spread]
    const count = values[at + place.count]
    let clipped = value
    if (teaches === 'clipped' && count >= unclipped)
      clipped = Math.min(value, mean + clipSpreads * Math.hypot(spread, noise))
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

  /** The first `savedNumbers` numbers. */
  save(): Float32Array {
    return this.#rows.values.slice(this.#at, this.#at + savedNumbers)
  }

  restore(numbers: Float32Array): void {
    this.#rows.values.set(numbers, this.#at)
  }

  /** Learns the average and its spread again from the next value on, after a gap. */
  relearn(): void {
    this.#rows.values[this.#at + place.count] = 0
  }

  /** Takes over the normal of several together. Their peaks add up to no less than that of all. */
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

  /** Gives its memory back; it must not be used any more. */
  release(): void {
    this.#rows.give(this.#at)
  }
}
