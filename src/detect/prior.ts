// What is normal for others: it stands in for a target that is too new to have a normal of its own. What most of those in its /24 have whose
// normal is learnt, class by class; else most of all.
import { codeOf, codes, rateOf } from './level-code.ts'

/** Of those that have a class, so many have no more than is said of it. */
const quantile = 0.9
/** Fewer say nothing. */
const othersMin = 3
/** Who has less than this does not have the class. Packets a second. */
const levelMin = 1

/** Packets a second that are normal for others, by class; 0: nothing is known. */
export type PriorOf = (trafficClass: number) => number

/** A target, as far as others can learn from it. */
interface Known {
  readonly learnt: boolean
  readonly series: ReadonlyMap<number, { readonly baseline: { readonly level: number } }>
}

export class Priors {
  readonly #hostsOf: (network: number) => readonly Known[]
  /** Of each network that was asked about since it last learnt. */
  readonly #ofNetwork = new Map<number, Levels>()
  #ofAll = new Levels()
  #counting = new Levels()

  constructor(hostsOf: (network: number) => readonly Known[]) {
    this.#hostsOf = hostsOf
  }

  /** One of all has learnt. */
  note(known: Known): void {
    this.#counting.addAll(known)
  }

  /** All have learnt, and were noted. */
  turn(): void {
    this.#ofAll = this.#counting
    this.#counting = new Levels()
  }

  /** What is known of the network is out of date. */
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
  /** How many have a level, by its code. */
  readonly #counts = new Map<number, Uint32Array>()

  addAll({ learnt, series }: Known): void {
    if (!learnt) return
    for (const [trafficClass, { baseline }] of series) {
      if (baseline.level < levelMin) continue
      let counts = this.#counts.get(trafficClass)
      if (counts === undefined) {
        counts = new Uint32Array(codes)
        this.#counts.set(trafficClass, counts)
      }
      counts[codeOf(baseline.level)]++
    }
  }

  /** A high level of a class, packets a second; 0 when too few have it. */
  highOf(trafficClass: number): number {
    const counts = this.#counts.get(trafficClass)
    if (counts === undefined) return 0
    let left = counts.reduce((sum, count) => sum + count, 0)
    if (left < othersMin) return 0
    left *= 1 - quantile
    let code = codes - 1
    while (counts[code] <= left) left -= counts[code--]
    return rateOf(code)
  }
}
