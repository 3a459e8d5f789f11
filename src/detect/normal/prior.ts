// The normal of others, which stands in for a target that is too new to have its own: class by class what most learnt targets of its /24 have, else what most
// of all have.
import { normal as lines } from '../lines/normal.ts'
import { codeOf, codes, rateOf } from './level-code.ts'

const { priorQuantile, priorOthersMin, priorLevelMin } = lines

/** Normal rate of others by class, packets a second; 0 when not known. */
export type PriorOf = (trafficClass: number) => number

/** A target, as far as others can learn from it. */
interface LearntTarget {
  readonly learnt: boolean
  readonly series: ReadonlyMap<number, { readonly baseline: { readonly level: number } }>
}

export class Priors {
  readonly #hostsOf: (network: number) => readonly LearntTarget[]
  /** Levels of each network that was asked for since it last learnt. */
  readonly #ofNetwork = new Map<number, Levels>()
  #ofAll = new Levels()
  #counting = new Levels()

  constructor(hostsOf: (network: number) => readonly LearntTarget[]) {
    this.#hostsOf = hostsOf
  }

  /** Notes a target that has learnt. */
  note(known: LearntTarget): void {
    this.#counting.addAll(known)
  }

  /** Begins another round: all have learnt, and were noted. */
  turn(): void {
    this.#ofAll = this.#counting
    this.#counting = new Levels()
  }

  /** Drops the levels of a network, which are out of date. */
  drop(network: number): void {
    this.#ofNetwork.delete(network)
  }

  ofAll(trafficClass: number): number {
    return this.#ofAll.highOf(trafficClass)
  }

  of(network: number, trafficClass: number): number {
    let levels = this.#ofNetwork.get(network)
    if (levels === undefined) {
      levels = new Levels()
      for (const known of this.#hostsOf(network)) levels.addAll(known)
      this.#ofNetwork.set(network, levels)
    }
    return levels.highOf(trafficClass) || this.ofAll(trafficClass)
  }
}

class Levels {
  /** Number of targets by class and code of their level. */
  readonly #counts = new Map<number, Uint32Array>()
  /** The high level of each class that was asked for since a target was last added. */
  readonly #high = new Map<number, number>()

  addAll({ learnt, series }: LearntTarget): void {
    if (!learnt) return
    this.#high.clear()
    for (const [trafficClass, { baseline }] of series) {
      if (baseline.level < priorLevelMin) continue
      let counts = this.#counts.get(trafficClass)
      if (counts === undefined) {
        counts = new Uint32Array(codes)
        this.#counts.set(trafficClass, counts)
      }
      counts[codeOf(baseline.level)]++
    }
  }

  /** A high level of a class, packets a second; 0 when too few have the class. */
  highOf(trafficClass: number): number {
    let high = this.#high.get(trafficClass)
    if (high === undefined) {
      high = this.#countedHigh(trafficClass)
      this.#high.set(trafficClass, high)
    }
    return high
  }

  #countedHigh(trafficClass: number): number {
    const counts = this.#counts.get(trafficClass)
    if (counts === undefined) return 0
    let left = counts.reduce((sum, count) => sum + count, 0)
    if (left < priorOthersMin) return 0
    left *= 1 - priorQuantile
    let code = codes - 1
    while (counts[code] <= left) left -= counts[code--]
    return rateOf(code)
  }
}
