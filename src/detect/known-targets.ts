// The targets whose traffic is followed: watched addresses, and what all addresses of a network get together. They take in what the collectors
// counted, learn what is normal, and are forgotten when nothing is heard of them.
import type { CounterColumns } from '../aggregate/sealed-slot.ts'
import { networkOf } from '../net/prefix.ts'
import { ClassKeys } from '../vectors/class-keys.ts'
import { vectors } from '../vectors/vectors.ts'
import { createBaselineRows } from './baseline.ts'
import { DifferenceSums } from './difference-sums.ts'
import { Learners } from './learners.ts'
import { Networks, networkAt, wholeLength } from './networks.ts'
import { RatePages } from './rate-pages.ts'
import { decodeTargets, encodeTargets, keepSeconds, type SavedBaselines } from './saved-baselines.ts'
import { createSeasonRows } from './season.ts'
import type { RowRange } from './series.ts'
import type { DetectSettings } from './settings.ts'
import { Target, type TargetMemory, type TargetOrigin } from './target.ts'

/** When there are more targets than this part of what there may be, those without traffic are forgotten after a day: that costs less than to have no place. */
const crowded = 0.75
const keepCrowdedSeconds = 86_400
/** Memory for rates, in pages for each of the targets that there may be: some 35 KiB, five classes in every second. */
const pagesPerTarget = 40

type OnTotal = (target: Target, counters: CounterColumns, rows: RowRange) => void

export class KnownTargets {
  readonly counted = { targetsRefused: 0, classesRefused: 0, baselinesRefused: 0 }
  readonly #settings: Pick<DetectSettings, 'targetsMax' | 'learnSeconds'>
  readonly #isJudged: (address: number) => boolean
  readonly memory: TargetMemory
  readonly #targets = new Map<number, Target>()
  /** There may be as many as targets. */
  readonly networks: Networks
  /** Those with traffic that was not judged yet. */
  readonly changed: Target[] = []
  readonly #ofTarget = new DifferenceSums()
  readonly #learners: Learners
  readonly #keys = new ClassKeys(vectors)

  /** `isJudged`: whether the traffic of an address belongs into the sums of its network. */
  constructor(settings: Pick<DetectSettings, 'targetsMax' | 'learnSeconds'>, isJudged: (address: number) => boolean) {
    this.#settings = settings
    this.#isJudged = isJudged
    this.memory = {
      rates: new RatePages(settings.targetsMax * pagesPerTarget),
      baselines: createBaselineRows(),
      seasons: createSeasonRows(),
    }
    this.#learners = new Learners(settings.learnSeconds, (network) => this.#hostsOf(network, wholeLength))
    this.networks = new Networks({
      priorOfWhole: this.#learners.priorOfNetworks,
      onClassRefused: () => this.counted.classesRefused++,
      create: (place, known, nowMs) => this.#create(place, known, nowMs),
    })
  }

  /** Addresses followed. */
  get size(): number {
    return this.#targets.size
  }

  get amountsRefused(): number {
    return this.memory.rates.refused
  }

  /** `onTotal`: is told what each address got of all classes together; the rows are valid until it returns. */
  accept(counters: CounterColumns, nowMs: number, onTotal: OnTotal): void {
    let network = -1
    let parts: RowRange[] = []
    for (let from = 0; from < counters.rows; ) {
      const address = counters.address[from]
      let to = from + 1
      while (to < counters.rows && counters.address[to] === address) to++
      const target = this.#targetOf(address, nowMs)
      if (networkAt(address) !== network) {
        this.networks.raise(counters, parts, nowMs)
        network = networkAt(address)
        parts = []
      }
      // The sums have also those that there is no place for.
      if (this.#isJudged(address)) parts.push({ from, to })
      if (target !== null) this.#raise(target, counters, { from, to }, { nowMs, onTotal })
      from = to
    }
    this.networks.raise(counters, parts, nowMs)
  }

  /** What is known from before the service was started, of an address or of the network that it is in; null: there is no room. */
  resume(address: number, length: number, nowMs: number): Target | null {
    if (length === 32) return this.#targetOf(address, nowMs)
    return this.networks.resume({ network: networkOf(address, length), length }, nowMs)
  }

  find(address: number): Target | null {
    return this.#targets.get(address) ?? null
  }

  /** The addresses of a network. */
  within(network: Target): Target[] {
    if (network.wholes.length > 0) return network.wholes.flatMap((whole) => this.within(whole))
    return this.#hostsOf(network.address, network.length)
  }

  /** The clock was set back: what lies ahead of it has not been. */
  startOver(nowSecond: number): void {
    for (const changed of [this.changed, this.networks.changed]) {
      for (const target of changed) if (target.isAheadOf(nowSecond)) target.startOver(nowSecond)
    }
  }

  /** What changed has been judged. */
  judged(): void {
    for (const changed of [this.changed, this.networks.changed]) {
      for (const target of changed) target.judged()
      changed.length = 0
    }
  }

  /** Those whose turn it is learn what is normal; those without traffic for long are forgotten. */
  learn(nowSecond: number): void {
    const isCrowded = this.size > crowded * this.#settings.targetsMax
    const forgetBefore = nowSecond - (isCrowded ? keepCrowdedSeconds : keepSeconds)
    this.#learners.learn(nowSecond, (target) => {
      target.release(nowSecond)
      const isFollowed = !target.isNetwork || this.networks.isWatched(target)
      if (target.isForgotten(isFollowed ? forgetBefore : Number.POSITIVE_INFINITY)) this.#forget(target)
    })
  }

  /** What is to be saved since this was last asked; `all`: what there is. */
  takeBaselines(nowMs: number, { all }: { all: boolean }): SavedBaselines[] {
    const due = this.#learners.takeDue()
    return (all ? this.networks.wholes : due).map((network) => {
      const targets = [network, ...this.networks.within(network), ...this.within(network)].map((target) =>
        target.save(),
      )
      const heardMs = network.lastHeardSecond * 1000
      return { network: network.address, heardMs, savedMs: nowMs, octets: encodeTargets(targets, this.#keys) }
    })
  }

  /** To be called before anything else, with those heard of last first. */
  restore(saved: readonly SavedBaselines[], nowMs: number): void {
    // What has no news is not saved anew: the latest tells when the service ended.
    const endMs = saved.reduce((latest, { savedMs }) => Math.max(latest, savedMs), 0)
    const { learnSeconds } = this.#settings
    const gap = { savedSecond: Math.floor(endMs / 1000), nowSecond: Math.floor(nowMs / 1000), learnSeconds }
    for (const baselines of saved) {
      const targets = decodeTargets(baselines, this.#keys)
      if (targets === null) this.counted.baselinesRefused++
      for (const saved of targets ?? []) {
        this.resume(saved.address, saved.length, nowMs)?.restore(saved, gap)
      }
    }
  }

  #forget(target: Target): void {
    if (target.isNetwork) this.networks.forget(target)
    else this.#targets.delete(target.address)
    this.#learners.remove(target)
    target.forget()
  }

  #hostsOf(network: number, length: number): Target[] {
    return Array.from({ length: 2 ** (32 - length) }, (_, i) => this.#targets.get(network + i) ?? []).flat()
  }

  /** The rows are those of an address. */
  #raise(
    target: Target,
    counters: CounterColumns,
    rows: RowRange,
    { nowMs, onTotal }: { nowMs: number; onTotal: OnTotal },
  ): void {
    const { trafficClass } = counters
    if (!target.isChanged) this.changed.push(target)
    const hasOneClass = trafficClass[rows.from] === trafficClass[rows.to - 1]
    for (let from = rows.from; from < rows.to; ) {
      let to = from + 1
      while (to < rows.to && trafficClass[to] === trafficClass[from]) to++
      if (!target.raise(trafficClass[from], counters, { from, to })) this.counted.classesRefused++
      if (!hasOneClass) this.#ofTarget.add(counters, { from, to })
      from = to
    }
    const total = hasOneClass ? { counters, rows } : this.#ofTarget.take()
    target.raiseTotal(total.counters, total.rows)
    target.heldBack.note(total.counters, total.rows, Math.floor(nowMs / 1000))
    onTotal(target, total.counters, total.rows)
  }

  #targetOf(address: number, nowMs: number): Target | null {
    const found = this.#targets.get(address)
    if (found !== undefined) return found
    const place = { address, length: 32, priorOf: this.#learners.priorOf(address) }
    const made = this.#create(place, this.#targets.size, nowMs)
    if (made !== null) this.#targets.set(address, made)
    return made
  }

  /** Null: there is no room beside the `known`. */
  #create(place: Omit<TargetOrigin, 'memory'>, known: number, nowMs: number): Target | null {
    if (known >= this.#settings.targetsMax) {
      this.counted.targetsRefused++
      return null
    }
    const target = new Target({ memory: this.memory, ...place }, Math.floor(nowMs / 1000))
    this.#learners.add(target)
    return target
  }
}
