// The schedule of learning: a network and its addresses learn in the same second of thirty, so that no pass has all to teach, and are saved in the same second
// of ten minutes.
import type { Absences } from '../absences.ts'
import { normal as lines } from '../lines/normal.ts'
import { isWithin, networkAt, wholeLength } from '../rates/network-sums.ts'
import { ringSeconds } from '../rates/rates.ts'
import type { Target } from '../targets/target.ts'
import { type PriorOf, Priors } from './prior.ts'

const { learnEverySeconds, saveEverySeconds, changingSeconds } = lines
/** Traffic is learnt when it is older than this, and late records can't change it any more. Seconds. */
const settledSeconds = ringSeconds - learnEverySeconds - 10

interface Turn {
  nowSecond: number
  /** Whether all of its seconds were watched. */
  isKnown: boolean
  onLearnt: (target: Target) => void
}

export class Learners {
  readonly #learnSeconds: number
  readonly #turns = Array.from({ length: learnEverySeconds }, () => ({
    targets: new Set<Target>(),
    networks: new Set<Target>(),
  }))
  readonly #priors: Priors
  readonly #priorsOfNetworks = new Priors(() => [])
  #learntThrough = 0
  /** Networks that are due to be saved. */
  #due = new Set<Target>()

  /** `hostsOf` finds the targets of a network. */
  constructor(learnSeconds: number, hostsOf: (network: number) => readonly Target[]) {
    this.#learnSeconds = learnSeconds
    this.#priors = new Priors(hostsOf)
  }

  priorOf(address: number): PriorOf {
    const network = networkAt(address)
    return (trafficClass) => this.#priors.of(network, trafficClass)
  }

  get priorOfNetworks(): PriorOf {
    return (trafficClass) => this.#priorsOfNetworks.ofAll(trafficClass)
  }

  add(target: Target): void {
    this.#turnOf(target).add(target)
  }

  remove(target: Target): void {
    this.#turnOf(target).delete(target)
    this.#due.delete(target)
  }

  /** Lets targets learn the settled seconds in their turn, with traffic or without. `onLearnt` is called for each. */
  learn(nowSecond: number, absences: Absences, onLearnt: (target: Target) => void): void {
    const settled = nowSecond - settledSeconds
    // A clock that was set back makes them learn on from there.
    const from = Math.max(Math.min(this.#learntThrough, settled), settled - learnEverySeconds)
    if (this.#learntThrough > 0 && from > this.#learntThrough) this.#missed(from - this.#learntThrough, nowSecond)
    for (let second = from + 1; second <= settled; second++) {
      // Seconds that nobody has watched teach nothing, nor do those that share a value with them.
      const isKnown = absences.within(second - learnEverySeconds, second) === 0
      this.#learnAt(second, { nowSecond, isKnown, onLearnt })
    }
    this.#learntThrough = settled
  }

  /** The networks that became due since the last call. */
  takeDue(): Target[] {
    const due = this.#due
    this.#due = new Set()
    return [...due]
  }

  #missed(seconds: number, nowSecond: number): void {
    for (const { targets, networks } of this.#turns) {
      for (const learners of [targets, networks]) for (const target of learners) target.missed(seconds, nowSecond)
    }
  }

  #learnAt(second: number, { nowSecond, isKnown, onLearnt }: Turn): void {
    const turn = second % learnEverySeconds
    if (turn === 0) for (const priors of [this.#priors, this.#priorsOfNetworks]) priors.turn()
    const { targets, networks } = this.#turns[turn]
    const begin = second - learnEverySeconds
    // Targets under attack by their /24.
    const attacked = new Map<number, Target[]>()
    for (const learners of [targets, networks]) {
      for (const target of learners) {
        if (!target.isAttackedSince(begin)) continue
        const network = networkAt(target.address)
        attacked.set(network, [...(attacked.get(network) ?? []), target])
      }
    }
    for (const learners of [targets, networks]) {
      for (const target of learners) {
        const others = attacked.get(networkAt(target.address)) ?? []
        const isAttacked = others.some((other) => isWithin(other, target) || isWithin(target, other))
        if (isKnown) target.learn(begin, second, isAttacked)
        else target.missed(learnEverySeconds, nowSecond)
      }
    }
    for (const network of networks) {
      if (network.length > wholeLength) continue
      this.#priors.drop(network.address)
      const isDue = numberOf(network) % saveEverySeconds === second % saveEverySeconds
      if (isDue && network.lastHeardSecond > nowSecond - changingSeconds) this.#due.add(network)
    }
    for (const target of targets) this.#settle(target, this.#priors, nowSecond)
    for (const network of networks) this.#settle(network, this.#priorsOfNetworks, nowSecond)
    for (const learners of [targets, networks]) for (const target of learners) onLearnt(target)
  }

  #settle(target: Target, priors: Priors, nowSecond: number): void {
    target.settle(nowSecond, this.#learnSeconds)
    if (!target.isNetwork || target.length === wholeLength) priors.note(target)
  }

  #turnOf(target: Target): Set<Target> {
    const { targets, networks } = this.#turns[numberOf(target) % learnEverySeconds]
    return target.isNetwork ? networks : targets
  }
}

/** Number of the /24 that a target is, or is in. */
function numberOf({ address }: Target): number {
  return networkAt(address) / 256
}
