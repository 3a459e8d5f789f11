// Sampling rates: what exporters say of them in options data, and the rate that follows for a record.
import type { Work } from './scratch.ts'
import { workPlace } from './scratch.ts'

/** A larger rate is nonsense. */
const rateMax = 2 ** 32

const intervalAt = workPlace('samplingInterval')
const takenAt = workPlace('packetsTaken')
const skippedAt = workPlace('packetsSkipped')
const sizeAt = workPlace('samplingSize')
const populationAt = workPlace('samplingPopulation')
const probabilityAt = workPlace('samplingProbability')

/** Scratch columns that tell a rate. Those that a template does not have must be 0 in the row. */
export const samplingPlaces: readonly number[] = [intervalAt, takenAt, skippedAt, sizeAt, populationAt, probabilityAt]

/** 1 of how many packets, by what the row's exporter said, or 0 when it said nothing (sensible). */
export function rateOfRow(work: Work, row: number): number {
  const size = work[sizeAt][row]
  const population = work[populationAt][row]
  if (size > 0 && population > 0) return sensible(population / size)
  const taken = work[takenAt][row]
  const skipped = work[skippedAt][row]
  if (taken > 0 && skipped > 0) return sensible((taken + skipped) / taken)
  const interval = work[intervalAt][row]
  if (interval > 0) return sensible(interval)
  const probability = work[probabilityAt][row]
  if (probability > 0) return sensible(1 / probability)
  // Alone, the interval is what some exporters mean as "1 of so many".
  return sensible(taken)
}

function sensible(rate: number): number {
  return rate >= 1 && rate <= rateMax ? rate : 0
}

/** What one observation domain said of its samplers. */
export class SamplingTable {
  readonly #samplersMax: number
  readonly #counters: { samplersRefused: number }
  readonly #rates = new Map<number, number>()
  #common = 0

  constructor(samplersMax: number, counters: { samplersRefused: number }) {
    this.#samplersMax = samplersMax
    this.#counters = counters
  }

  /** The rate of records that name no sampler: what was said without one, else that of the only sampler; 0: unknown. */
  get rate(): number {
    if (this.#common > 0 || this.#rates.size !== 1) return this.#common
    for (const rate of this.#rates.values()) return rate
    return 0
  }

  setRate(rate: number): void {
    this.#common = rate
  }

  setSampler(id: number, rate: number): void {
    if (!this.#rates.has(id) && this.#rates.size >= this.#samplersMax) this.#counters.samplersRefused++
    else this.#rates.set(id, rate)
  }

  rateOf(samplerId: number): number {
    return this.#rates.get(samplerId) ?? this.rate
  }
}
