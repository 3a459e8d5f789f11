// Several rings read as one, without memory of their own: for sums that are read now and then.
import { createWindow, type RateRing, type Window } from './rates.ts'

/** A ring, and its first second that counts. */
export interface RingPart {
  ring: RateRing
  earliest: number
}

export class RingSum {
  readonly #parts: readonly RingPart[]
  readonly first: number
  readonly last: number

  constructor(parts: readonly RingPart[]) {
    this.#parts = parts
    this.first = Math.min(...parts.map(({ ring, earliest }) => Math.max(ring.first, earliest)))
    this.last = Math.max(...parts.map(({ ring }) => ring.last))
  }

  /** See `RateRing.mostWithin`. */
  mostWithin(metric: 'packets', from: number, to: number): number {
    return this.#parts.reduce((sum, part) => sum + mostOf(part, metric, from, to), 0)
  }

  /** See `RateRing.packetSums`. */
  packetSums(from: number, to: number, sums = new Float64Array(Math.max(0, to - from) + 1)): Float64Array {
    sums.fill(0)
    for (const { ring, earliest } of this.#parts) {
      const begin = Math.max(from, ring.first, earliest)
      const end = Math.min(to, ring.last + 1)
      if (begin >= end) continue
      const own = ring.packetSums(begin, end)
      const offset = begin - from
      for (let i = 0; i < own.length; i++) sums[offset + i] += own[i]
      for (let i = offset + own.length; i < sums.length; i++) sums[i] += own[own.length - 1]
    }
    return sums
  }

  sum(from: number, to: number): Window {
    const all = createWindow(from, to)
    let isForged = false
    for (const { ring, earliest } of this.#parts) {
      const window = ring.sum(Math.max(from, earliest), to)
      all.packets += window.packets
      all.bytes += window.bytes
      all.flows += window.flows
      all.observed += window.observed
      all.sources |= window.sources
      all.ports |= window.ports
      isForged ||= window.forgedSeconds > 0
    }
    if (isForged) all.forgedSeconds = this.#forgedSeconds(from, to)
    return all
  }

  /** Seconds in which any of them has an impossible source. */
  #forgedSeconds(from: number, to: number): number {
    const marks = new Uint8Array(to - from)
    for (const { ring, earliest } of this.#parts) ring.markForged(from, to, earliest, marks)
    return marks.reduce((sum, mark) => sum + mark, 0)
  }
}

/** An upper bound of a metric in each second of a part, without seconds that do not count. */
export function mostOf({ ring, earliest }: RingPart, metric: 'packets', from: number, to: number): number {
  return ring.mostWithin(metric, Math.max(from, ring.first, earliest), Math.min(to, ring.last + 1))
}
