// The targets whose traffic is followed: watched addresses, and networks. They take in what the collectors counted, learn what is normal, and are forgotten
// when they have no traffic.
import type { CounterColumns } from '../../aggregate/sealed-slot.ts'
import type { Crowding } from '../../fair-table.ts'
import type { HeldRanges } from '../../net/held-ranges.ts'
import { addressLength, networkOf } from '../../net/network.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { vectors } from '../../vectors/vectors.ts'
import type { Absences } from '../absences.ts'
import { normal as lines } from '../lines/normal.ts'
import { createBaselineRows } from '../normal/baseline.ts'
import { Learners } from '../normal/learners.ts'
import { decodeTargets, encodeTargets, type SavedBaselines } from '../normal/saved-baselines.ts'
import { createSeasonRows } from '../normal/season.ts'
import { DifferenceSums } from '../rates/difference-sums.ts'
import { Networks, networkAt, wholeLength } from '../rates/network-sums.ts'
import { RatePages } from '../rates/rate-pages.ts'
import { mostPackets, type RowRange } from '../rates/series.ts'
import type { DetectSettings } from '../settings.ts'
import type { FarBelow } from './near-lines.ts'
import { Target } from './target.ts'
import type { TargetMemory, TargetOrigin } from './target-origin.ts'
import { TargetPlaces } from './target-places.ts'

/** Pages of rates for each possible target: some 35 KiB, five classes in every second. */
const pagesPerTarget = 40

export type TargetCrowding = { targets: Crowding; networks: Crowding }

export interface KnownTargetsOptions {
  settings: Pick<DetectSettings, 'targetsMax' | 'learnSeconds'>
  /** Whether the traffic of an address belongs to the sums of its network. */
  isJudged: (address: number) => boolean
  farBelow: FarBelow
  /** Whether what changed at an address may be evidence of an attack: see judge/candidates.ts. */
  hasEvidence: (target: Target) => boolean
}

type OnTotal = (target: Target, counters: CounterColumns, rows: RowRange) => void

export class KnownTargets {
  readonly #counted = { targetsRefused: 0, busyRefused: 0, classesRefused: 0, baselinesRefused: 0 }
  readonly #settings: Pick<DetectSettings, 'targetsMax' | 'learnSeconds'>
  readonly #isJudged: (address: number) => boolean
  readonly #farBelow: FarBelow
  readonly #hasEvidence: (target: Target) => boolean
  readonly memory: TargetMemory
  /** By address, as a signed number: a Map finds these without allocating. */
  readonly #targets = new Map<number, Target>()
  readonly #places: TargetPlaces
  /** As many networks as addresses may be followed. */
  readonly #networkPlaces: TargetPlaces
  readonly networks: Networks
  /** Addresses with traffic that was not judged yet, and may be near a line. */
  readonly changed = new Set<Target>()
  readonly #ofTarget = new DifferenceSums()
  readonly #learners: Learners
  readonly #keys = new ClassKeys(vectors)

  constructor({ settings, isJudged, farBelow, hasEvidence }: KnownTargetsOptions) {
    this.#settings = settings
    this.#isJudged = isJudged
    this.#farBelow = farBelow
    this.#hasEvidence = hasEvidence
    this.#places = new TargetPlaces(settings.targetsMax, (target) => this.#forget(target))
    this.#networkPlaces = new TargetPlaces(settings.targetsMax, (network) => this.#forget(network))
    this.memory = {
      rates: new RatePages(settings.targetsMax * pagesPerTarget),
      baselines: createBaselineRows(),
      seasons: createSeasonRows(),
    }
    this.#learners = new Learners(settings.learnSeconds, (network) => this.#hostsOf(network, wholeLength))
    this.networks = new Networks({
      priorOfWhole: this.#learners.priorOfNetworks,
      onClassRefused: () => this.#counted.classesRefused++,
      create: (place, rate, nowMs) => this.#create(place, this.#networkPlaces, rate, nowMs),
    })
  }

  /** Number of addresses that are followed. */
  get size(): number {
    return this.#targets.size
  }

  get counted() {
    return { ...this.#counted, targetsReplaced: this.#places.gaveWay }
  }

  /** Who crowds the places of addresses, and those of networks. */
  crowding(): TargetCrowding {
    return { targets: this.#places.crowding(), networks: this.#networkPlaces.crowding() }
  }

  /** Replaces the users of the watched addresses, who share the places. */
  setHolders(held: HeldRanges): void {
    for (const places of [this.#places, this.#networkPlaces]) places.setHolders(held)
  }

  get amountsRefused(): number {
    return this.memory.rates.refused
  }

  /** Takes in the counters of a slot. `onTotal` gets the total of each address; the rows are valid until it returns. */
  accept(counters: CounterColumns, nowMs: number, onTotal: OnTotal): void {
    let network = -1
    let parts: RowRange[] = []
    for (const places of [this.#places, this.#networkPlaces]) places.beginSlot()
    for (let from = 0; from < counters.rows; ) {
      const address = counters.address[from]
      let to = from + 1
      while (to < counters.rows && counters.address[to] === address) to++
      const target = this.find(address) ?? this.#open(address, mostPackets(counters, { from, to }), nowMs)
      if (networkAt(address) !== network) {
        this.networks.raise(counters, parts, nowMs)
        network = networkAt(address)
        parts = []
      }
      // The sums include addresses without a place.
      if (this.#isJudged(address)) parts.push({ from, to })
      if (target !== null) this.#raise(target, counters, { from, to }, { nowMs, onTotal })
      from = to
    }
    this.networks.raise(counters, parts, nowMs)
  }

  /** The target of an address, or of a network, from before a restart; null when there is no room. */
  resume(address: number, length: number, nowMs: number): Target | null {
    if (length === addressLength) return this.find(address) ?? this.#open(address, 0, nowMs)
    return this.networks.resume({ network: networkOf(address, length), length }, nowMs)
  }

  find(address: number): Target | null {
    return this.#targets.get(address | 0) ?? null
  }

  /** The addresses of a network. */
  within(network: Target): Target[] {
    if (network.wholes.length > 0) return network.wholes.flatMap((whole) => this.within(whole))
    return this.#hostsOf(network.address, network.length)
  }

  /** Lets what comes be judged with all that came before, however little it was: lines are lower now. */
  lowered(): void {
    for (const { nearLines, total } of this.#targets.values()) nearLines.noteAll(total.ring)
  }

  /** Forgets seconds that lie ahead of a clock that was set back. */
  startOver(nowSecond: number): void {
    for (const changed of [this.changed, this.networks.changed]) {
      for (const target of changed) if (target.isAheadOf(nowSecond)) target.startOver(nowSecond)
    }
  }

  /** Ends a pass: what changed has been judged. */
  judged(): void {
    for (const changed of [this.changed, this.networks.changed]) {
      for (const target of changed) target.judged()
      changed.clear()
    }
  }

  /** All addresses and networks. */
  *all(): Iterable<Target> {
    yield* this.#targets.values()
    for (const whole of this.networks.wholes) yield* [whole, ...this.networks.within(whole)]
  }

  /**
   * Lets the targets whose turn it is learn what is normal, and forgets those without traffic for long. `onTurn` is called for each before its older
   * seconds are kept less exactly.
   */
  learn(nowSecond: number, absences: Absences, onTurn: (target: Target) => void): void {
    const isCrowded = this.size > lines.crowdedPart * this.#settings.targetsMax
    const forgetBefore = nowSecond - (isCrowded ? lines.keepCrowdedSeconds : lines.keepSeconds)
    this.#learners.learn(nowSecond, absences, (target) => {
      onTurn(target)
      target.release(nowSecond)
      const isFollowed = !target.isNetwork || this.networks.isWatched(target)
      if (target.isForgotten(isFollowed ? forgetBefore : Number.POSITIVE_INFINITY)) this.#forget(target)
    })
  }

  /** What is due to be saved since the last call, or `all`. */
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

  /** Restores what was saved, the latest traffic first. The caller does this before anything else. */
  restore(saved: readonly SavedBaselines[], nowMs: number): void {
    // Networks without traffic are not saved again: the latest time shows when the service ended.
    const endMs = saved.reduce((latest, { savedMs }) => Math.max(latest, savedMs), 0)
    const { learnSeconds } = this.#settings
    const gap = { savedSecond: Math.floor(endMs / 1000), nowSecond: Math.floor(nowMs / 1000), learnSeconds }
    for (const baselines of saved) {
      const targets = decodeTargets(baselines, this.#keys)
      if (targets === null) this.#counted.baselinesRefused++
      for (const saved of targets ?? []) {
        this.resume(saved.address, saved.length, nowMs)?.restore(saved, gap)
      }
    }
  }

  #forget(target: Target): void {
    const [known, places] = target.isNetwork ? [this.networks, this.#networkPlaces] : [this, this.#places]
    if (target.isNetwork) this.networks.forget(target)
    else this.#targets.delete(target.address | 0)
    known.changed.delete(target)
    places.leave(target)
    this.#learners.remove(target)
    target.forget()
  }

  #hostsOf(network: number, length: number): Target[] {
    const hosts: Target[] = []
    const end = network + 2 ** (addressLength - length)
    for (let address = network; address < end; address++) {
      const host = this.find(address)
      if (host !== null) hosts.push(host)
    }
    return hosts
  }

  /** Raises the rates of an address by its rows. */
  #raise(
    target: Target,
    counters: CounterColumns,
    rows: RowRange,
    { nowMs, onTotal }: { nowMs: number; onTotal: OnTotal },
  ): void {
    const { trafficClass } = counters
    const nowSecond = Math.floor(nowMs / 1000)
    const hasOneClass = trafficClass[rows.from] === trafficClass[rows.to - 1]
    const total = hasOneClass ? { counters, rows } : this.#raiseClasses(target, counters, rows)
    if (hasOneClass && !target.raiseAlone(trafficClass[rows.from], counters, rows)) this.#counted.classesRefused++
    target.exporterDelay.note(total.counters, total.rows, nowSecond)
    onTotal(target, total.counters, total.rows)
    const isNear = target.nearLines.note(target.total, this.#farBelow)
    if (target.isToBeJudged) return
    if ((isNear && this.#hasEvidence(target)) || target.isAheadOf(nowSecond)) {
      target.isToBeJudged = true
      this.changed.add(target)
    } else target.judged()
  }

  /** Raises the rates of each class and of all together, by the sums that it gives. */
  #raiseClasses(
    target: Target,
    counters: CounterColumns,
    rows: RowRange,
  ): { counters: CounterColumns; rows: RowRange } {
    const { trafficClass } = counters
    for (let from = rows.from; from < rows.to; ) {
      let to = from + 1
      while (to < rows.to && trafficClass[to] === trafficClass[from]) to++
      if (!target.raise(trafficClass[from], counters, { from, to })) this.#counted.classesRefused++
      this.#ofTarget.add(counters, { from, to })
      from = to
    }
    const total = this.#ofTarget.take()
    target.raiseTotal(total.counters, total.rows)
    return total
  }

  /** `rate`: of what has come, packets a second. */
  #open(address: number, rate: number, nowMs: number): Target | null {
    const place = { address, length: addressLength, priorOf: this.#learners.priorOf(address) }
    const made = this.#create(place, this.#places, rate, nowMs)
    if (made !== null) this.#targets.set(address | 0, made)
    else if (rate >= lines.replaceRate) this.#counted.busyRefused++
    return made
  }

  /** Makes a target; null when there is no room, nor any that is made for that rate. */
  #create(place: Omit<TargetOrigin, 'memory'>, places: TargetPlaces, rate: number, nowMs: number): Target | null {
    places.makeRoom(place, rate, nowMs)
    if (places.isFull) {
      this.#counted.targetsRefused++
      return null
    }
    const target = new Target({ memory: this.memory, ...place }, Math.floor(nowMs / 1000))
    places.take(target, nowMs)
    this.#learners.add(target)
    return target
  }
}
