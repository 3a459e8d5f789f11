// The targets whose traffic is followed: watched addresses, and what all addresses of a network get together. They take in what the collectors
// counted, learn what is normal, and are forgotten when nothing is heard of them.
import type { CounterColumns } from '../aggregate/sealed-slot.ts'
import { total } from '../vectors/compile.ts'
import { learnEverySeconds } from './baseline.ts'
import { networkAt } from './carpet.ts'
import { ClassSums, DifferenceSums } from './difference-sums.ts'
import { RatePages } from './rate-pages.ts'
import { ringSeconds } from './rates.ts'
import { type RowRange, Target } from './target.ts'

/** Traffic is learnt when it is older than this, and late records can't change it any more. Seconds. */
const settledSeconds = ringSeconds - learnEverySeconds - 10
/** A target without traffic is forgotten after a day: learning it anew costs less than to keep it. */
const forgetSeconds = 86_400
/** Memory for rates, in pages for each of the targets that there may be: some 35 KiB, five classes in every second. */
const pagesPerTarget = 40

type OnTotal = (address: number, counters: CounterColumns, rows: RowRange) => void

export class KnownTargets {
  readonly counted = { targetsRefused: 0, classesRefused: 0 }
  readonly #targetsMax: number
  readonly #isJudged: (address: number) => boolean
  readonly #pages: RatePages
  readonly #targets = new Map<number, Target>()
  /** By their first address. */
  readonly #networks = new Map<number, Target>()
  /** Those with traffic that was not judged yet. */
  readonly changed = new Set<Target>()
  readonly changedNetworks = new Set<Target>()
  readonly #ofTarget = new DifferenceSums()
  readonly #ofNetwork = new ClassSums()
  #learntThrough = 0

  /** `isJudged`: whether the traffic of an address belongs into the sums of its network. */
  constructor(targetsMax: number, isJudged: (address: number) => boolean) {
    this.#targetsMax = targetsMax
    this.#isJudged = isJudged
    this.#pages = new RatePages(targetsMax * pagesPerTarget)
  }

  /** Addresses followed. */
  get size(): number {
    return this.#targets.size
  }

  get amountsRefused(): number {
    return this.#pages.refused
  }

  /** `onTotal`: is told what each address got of all classes together; the rows are valid until it returns. */
  accept(counters: CounterColumns, nowMs: number, onTotal: OnTotal): void {
    let network = -1
    for (let from = 0; from < counters.rows; ) {
      const address = counters.address[from]
      let to = from + 1
      while (to < counters.rows && counters.address[to] === address) to++
      const target = this.#targetOf(address, nowMs)
      if (target !== null) {
        if (networkAt(address) !== network) {
          this.#raiseNetwork(network, nowMs)
          network = networkAt(address)
        }
        this.#raise(target, counters, { from, to }, onTotal)
      }
      from = to
    }
    this.#raiseNetwork(network, nowMs)
  }

  find(address: number): Target | null {
    return this.#targets.get(address) ?? null
  }

  /** The targets of a network. */
  within(network: Target): Target[] {
    return Array.from({ length: 256 }, (_, i) => this.#targets.get(network.address + i) ?? []).flat()
  }

  /** What it and its neighbours get together, if they are judged. */
  networkOf({ address }: Target): Target | undefined {
    return this.#networks.get(networkAt(address))
  }

  /** The clock was set back: what lies ahead of it has not been. */
  startOver(nowSecond: number): void {
    for (const changed of [this.changed, this.changedNetworks]) {
      for (const target of changed) if (target.isAheadOf(nowSecond)) target.startOver(nowSecond)
    }
  }

  /** What changed has been judged. */
  judged(): void {
    for (const changed of [this.changed, this.changedNetworks]) {
      for (const target of changed) target.judged()
      changed.clear()
    }
  }

  /** Every target learns the same settled seconds, whether it had traffic or not. */
  learn(nowSecond: number): void {
    const through = nowSecond - settledSeconds - ((nowSecond - settledSeconds) % learnEverySeconds)
    // Also when the clock was set back: it learns on from there.
    if (through < this.#learntThrough) this.#learntThrough = through
    if (through === this.#learntThrough) return
    for (const known of [this.#targets, this.#networks]) {
      for (const [address, target] of known) {
        target.learn(through - learnEverySeconds, through)
        target.release(nowSecond)
        if (target.isForgotten(nowSecond - forgetSeconds)) known.delete(address)
      }
    }
    this.#learntThrough = through
  }

  /** The rows are those of an address. */
  #raise(target: Target, counters: CounterColumns, rows: RowRange, onTotal: OnTotal): void {
    const { trafficClass } = counters
    const isPartOfNetwork = this.#isJudged(target.address)
    const hasOneClass = trafficClass[rows.from] === trafficClass[rows.to - 1]
    for (let from = rows.from; from < rows.to; ) {
      let to = from + 1
      while (to < rows.to && trafficClass[to] === trafficClass[from]) to++
      if (!target.raise(trafficClass[from], counters, { from, to })) this.counted.classesRefused++
      if (isPartOfNetwork) this.#ofNetwork.add(trafficClass[from], counters, { from, to })
      if (!hasOneClass) this.#ofTarget.add(counters, { from, to })
      from = to
    }
    const total = hasOneClass ? { counters, rows } : this.#ofTarget.take()
    target.raiseTotal(total.counters, total.rows)
    onTotal(target.address, total.counters, total.rows)
    this.changed.add(target)
  }

  /** Applies what its addresses got. */
  #raiseNetwork(address: number, nowMs: number): void {
    if (this.#ofNetwork.isEmpty) return
    const network = this.#networkOf(address, nowMs)
    this.#ofNetwork.take((trafficClass, counters, rows) => {
      if (trafficClass === total) network.raiseTotal(counters, rows)
      else network.raise(trafficClass, counters, rows)
    })
    this.changedNetworks.add(network)
  }

  #targetOf(address: number, nowMs: number): Target | null {
    const found = this.#targets.get(address)
    if (found !== undefined) return found
    if (this.#targets.size >= this.#targetsMax) {
      this.counted.targetsRefused++
      return null
    }
    const target = new Target(this.#pages, address, false, Math.floor(nowMs / 1000))
    this.#targets.set(address, target)
    return target
  }

  /** Per /24, what its targets get together. There are no more of them than targets. */
  #networkOf(network: number, nowMs: number): Target {
    const found = this.#networks.get(network)
    if (found !== undefined) return found
    const made = new Target(this.#pages, network, true, Math.floor(nowMs / 1000))
    this.#networks.set(network, made)
    return made
  }
}
