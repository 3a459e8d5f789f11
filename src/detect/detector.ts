// The detector: sealed slots in, incident reports out. It has every second judged that changed. What is known of each target is targets/, what makes an
// attack is judge/ and vectors/, how an attack goes on is incidents/.
import { isDeepStrictEqual } from 'node:util'
import type { CounterColumns, SealedSlot } from '../aggregate/sealed-slot.ts'
import type { Crowding } from '../fair-table.ts'
import { type Sample, samplesOf } from '../metrics.ts'
import type { HeldRanges } from '../net/held-ranges.ts'
import { addressLength, type NetworkKey } from '../net/network.ts'
import { type Classes, compileVectors } from '../vectors/compile.ts'
import { vectors } from '../vectors/vectors.ts'
import { Absences } from './absences.ts'
import { Areas } from './incidents/areas.ts'
import type { IncidentReport, ResumedIncident } from './incidents/incident-report.ts'
import { Incidents } from './incidents/incidents.ts'
import { resumedLength } from './incidents/resumption.ts'
import {
  areFarBelow,
  type Candidate,
  candidatesOf,
  farthestSeconds,
  hasEvidence,
  type JudgedBy,
} from './judge/candidates.ts'
import { carpetCandidates, isPartOf } from './judge/carpet.ts'
import { leastLineOfAll } from './judge/judge.ts'
import { ofNetworksAttacked } from './judge/nested-networks.ts'
import { type DetectorCounters, detectMetrics } from './metrics.ts'
import type { SavedBaselines } from './normal/saved-baselines.ts'
import { isWithin, networkAt, wholeLength } from './rates/network-sums.ts'
import type { RateBounds } from './rates/rates.ts'
import { flowsMin, type RowRange } from './rates/series.ts'
import type { DetectSettings } from './settings.ts'
import { KnownTargets, type TargetCrowding } from './targets/known-targets.ts'
import type { Target } from './targets/target.ts'
import { SettingsTable, type SiteAddresses, type TargetSettings } from './targets/target-settings.ts'
import {
  type TargetQuery,
  type TargetRates,
  type TargetState,
  targetRates,
  targetState,
} from './targets/target-state.ts'
import type { SavedTrace } from './trace/trace-code.ts'
import { Tracer } from './trace/tracer.ts'

/** Keeps the traffic of targets by the minute; history/ has one. */
export interface History {
  add(address: number, from: number, to: number, rates: Amounts): void
}

type Amounts = Pick<RateBounds, 'packets' | 'bytes' | 'flows'>

export type DetectorCrowding = TargetCrowding & { incidents: Crowding }

export interface DetectorOptions {
  settings: DetectSettings
  history?: History
}

export class Detector {
  readonly #settings: DetectSettings
  #own: SettingsTable
  /** The strictest settings of all addresses. */
  #strictest: SettingsTable['strictest']
  readonly #classes: Classes = compileVectors(vectors)
  readonly #leastLine = leastLineOfAll(this.#classes.vectors)
  readonly #history: History | null
  readonly #known: KnownTargets
  readonly #incidents: Incidents
  readonly #areas: Areas
  readonly #absences = new Absences()
  readonly #tracer: Tracer
  #nowMs = 0

  constructor({ settings, history }: DetectorOptions) {
    this.#settings = settings
    this.#own = new SettingsTable(settings)
    this.#strictest = this.#own.strictest
    this.#known = new KnownTargets({
      settings,
      isJudged: this.#isJudged,
      farBelow: {
        holds: (bounds) => areFarBelow(bounds, { limits: this.#strictest, leastLine: this.#leastLine }),
        reachSeconds: farthestSeconds,
      },
      hasEvidence: (target) => hasEvidence(target, this.#classes),
    })
    this.#incidents = new Incidents({
      settings,
      classes: this.#classes,
      hostsOf: this.#hostsOf,
      relatedTo: (network) => [...this.#hostsOf(network), ...this.#known.networks.relatedTo(network)],
      isJudged: this.#isJudged,
      absences: this.#absences,
    })
    this.#areas = new Areas({
      memory: this.#known.memory,
      networks: this.#known.networks,
      classes: this.#classes,
      hostsOf: this.#hostsOf,
      limitsOf: (network) => {
        const { values, limits } = this.#own.ofNetwork(network)
        return values.enabled ? limits : null
      },
      attacked: () => [...this.#incidents.attacked].filter(({ inIncident }) => inIncident),
      onJoined: (area, whole, span) => this.#incidents.joined(area, whole, span),
    })
    this.#tracer = new Tracer({
      classes: this.#classes,
      settingsOf: (target) => this.#settingsOf(target),
      holding: (target) => this.#known.networks.holding(target),
    })
    this.#history = history ?? null
  }

  /** Replaces the addresses that the names of `detect.sites` lead to. */
  setSiteAddresses(addresses: SiteAddresses): void {
    this.#own = new SettingsTable(this.#settings, addresses)
    const { strictest } = this.#own
    if (isDeepStrictEqual(strictest, this.#strictest)) return
    this.#strictest = strictest
    this.#known.lowered()
  }

  /** Replaces the networks that are sites: those from /25 to /29 are judged as a whole, as every /24 is. */
  setNetworks(networks: readonly NetworkKey[]): void {
    this.#known.networks.watch(networks)
  }

  /** Replaces the users of the watched addresses: when there is no place for all, who holds most gives way. */
  setHolders(held: HeldRanges): void {
    this.#known.setHolders(held)
    this.#incidents.setHolders(held)
    this.#tracer.setHolders(held)
  }

  /** Who crowds the places of addresses, networks and attacks. */
  crowding(): DetectorCrowding {
    return { ...this.#known.crowding(), incidents: this.#incidents.crowding() }
  }

  /** Continues attacks from before a restart of the service. */
  resume(incidents: readonly ResumedIncident[], nowMs: number): void {
    for (const was of incidents) {
      const target = this.#targetOf(was, nowMs)
      this.#incidents.resume(target, was, nowMs)
    }
  }

  #targetOf(was: ResumedIncident, nowMs: number): Target | null {
    const resume = (address: number, length: number) => this.#known.resume(address, length, nowMs)
    const { wholes = [] } = was.followed
    if (wholes.length === 0) return resume(was.address, resumedLength(was))
    const known = wholes.flatMap((address) => resume(address, wholeLength) ?? [])
    return known.length === 0 ? null : this.#areas.resume(known, Math.floor(nowMs / 1000))
  }

  /** Takes in what a collector counted; the caller may drop the slot after it. */
  accept(slot: SealedSlot): void {
    const { counters, sealedMs, away } = slot
    if (away !== undefined) this.#incidents.wasAway(this.#absences.note(away))
    this.#known.accept(counters, sealedMs, (target, amounts, rows) => {
      if (this.#history !== null) addHistory(this.#history, target.address, amounts, rows)
    })
    this.#incidents.accept(slot)
  }

  /**
   * The busiest second that a minute has had so far at an address, each amount by itself: of seconds long past the mean of ten. Null when unknown. `minute`:
   * Unix time of its start, seconds. Valid until the detector is called again.
   */
  busiestOf(address: number, minute: number): Amounts | null {
    const ring = this.#known.find(address)?.total.ring
    if (!ring) return null
    // A minute is two pages of the ring, and each page keeps the most of its seconds.
    const [first, end] = [Math.max(minute, ring.first), Math.min(minute + 60, ring.last + 1)]
    return first < end ? ring.boundsWithin(first, end) : null
  }

  /** Judges what changed. The caller does this at least once a second. */
  pass(nowMs: number): IncidentReport[] {
    this.#nowMs = nowMs
    const nowSecond = Math.floor(nowMs / 1000)
    const known = this.#known
    this.#incidents.beginPass(nowMs)
    this.#absences.startOver(nowSecond)
    this.#incidents.startOver(nowSecond)
    known.startOver(nowSecond)
    const found = new Map<Target, Candidate[]>()
    const byWhole = new Map<number, Candidate[]>()
    for (const target of known.changed) {
      const by = this.#judgedBy(target)
      const candidates = by === null ? [] : candidatesOf(target, by)
      if (candidates.length === 0) continue
      found.set(target, candidates)
      const network = networkAt(target.address)
      byWhole.set(network, [...(byWhole.get(network) ?? []), ...candidates])
    }
    this.#takeCarpets(byWhole, found.keys())
    for (const [target, candidates] of found) this.#takeOwn(target, candidates)
    const reports = this.#incidents.endPass()
    known.judged()
    this.#areas.judged()
    known.learn(nowSecond, this.#absences, (target) => this.#tracer.look(target, nowSecond))
    this.#tracer.settle()
    this.#areas.settle(nowSecond)
    return reports
  }

  /** Judges networks. `byWhole` has what stands out at single addresses, the `hosts`, by the first address of their /24. */
  #takeCarpets(byWhole: ReadonlyMap<number, Candidate[]>, hosts: Iterable<Target>): void {
    const { networks } = this.#known
    const found = new Map<Target, Candidate[]>()
    for (const network of networks.changed) {
      const by = this.#judgedBy(network)
      if (by === null) continue
      const within = byWhole.get(networkAt(network.address)) ?? []
      const candidates = within.filter(({ address }) => isWithin({ address, length: addressLength }, network))
      found.set(network, carpetCandidates({ network, hostsOf: this.#hostsOf, candidates }, by))
    }
    const attacked = ofNetworksAttacked(found, networks)
    for (const [area, candidates] of this.#areas.find(attacked, hosts, Math.floor(this.#nowMs / 1000)))
      this.#incidents.take(area, candidates)
    for (const [network, candidates] of attacked) this.#takeOwn(network, candidates)
  }

  /** Hands candidates on, without those that are part of an attack on a network. */
  #takeOwn(target: Target, candidates: readonly Candidate[]): void {
    const networks = this.#known.networks.holding(target)
    const own = candidates.filter((candidate) => !networks.some((network) => isPartOf(network, target, candidate)))
    this.#incidents.take(target, own)
  }

  /** Ends all attacks: nothing more will come. */
  end(nowMs: number): IncidentReport[] {
    this.#incidents.beginPass(nowMs)
    this.#incidents.closeAll()
    return this.#incidents.endPass()
  }

  /** What is known of an address. `knownFromMs`: see `StateQuery`. */
  stateOf(address: number, knownFromMs: number): TargetState {
    const target = this.#known.find(address)
    return targetState({
      settings: this.#own.of(address),
      target,
      networks: target === null ? [] : this.#known.networks.holding(target),
      hostsOf: this.#hostsOf,
      classes: this.#classes,
      learnSeconds: this.#settings.learnSeconds,
      nowSecond: Math.floor(this.#nowMs / 1000),
      knownFromSecond: Math.floor(knownFromMs / 1000),
    })
  }

  /** Current rates in the order of the addresses; null for one without traffic so far. */
  ratesOf(queries: readonly TargetQuery[]): (TargetRates | null)[] {
    const nowSecond = Math.floor(this.#nowMs / 1000)
    const { learnSeconds } = this.#settings
    return queries.map(({ address, knownFromMs }) => {
      const target = this.#known.find(address)
      const knownFromSecond = Math.floor(knownFromMs / 1000)
      return target === null ? null : targetRates(target, { learnSeconds, nowSecond, knownFromSecond })
    })
  }

  /** The half minutes near a line since the last call; `all`: with those that are not due yet. */
  takeTraces({ all }: { all: boolean }): SavedTrace[] {
    if (all) this.#tracer.finish(this.#known.all(), Math.floor(this.#nowMs / 1000))
    return this.#tracer.take()
  }

  /** The last minutes of an address and its networks as traces, however far below every line. */
  latestTraces(address: number): SavedTrace[] {
    const target = this.#known.find(address)
    return target === null ? [] : this.#tracer.latest(target, Math.floor(this.#nowMs / 1000))
  }

  /** What is normal for the networks that are due to be saved, or for `all` of them. */
  takeBaselines({ all }: { all: boolean }): SavedBaselines[] {
    return this.#known.takeBaselines(this.#nowMs, { all })
  }

  /** Restores what was saved before the start, the latest traffic first. The caller does this before anything else. */
  restore(saved: readonly SavedBaselines[], nowMs: number): void {
    this.#nowMs = nowMs
    this.#known.restore(saved, nowMs)
  }

  /** Incidents that go on, or may be opened again. */
  get unclosedIncidents(): number {
    return this.#incidents.unclosed
  }

  /** Incidents that go on. */
  get openIncidents(): number {
    return this.#incidents.open
  }

  get counted(): DetectorCounters {
    return { ...this.#known.counted, ...this.#incidents.counted, ...this.#tracer.counted }
  }

  samples(): Sample[] {
    return samplesOf(detectMetrics, {
      counted: this.counted,
      now: {
        targets: this.#known.size,
        openIncidents: this.openIncidents,
        amountsRefused: this.#known.amountsRefused,
        ...this.#incidents.refused,
      },
    })
  }

  /** The targets of a network that are judged. */
  readonly #hostsOf = (network: Target): Target[] =>
    this.#known.within(network).filter(({ address }) => this.#isJudged(address))

  readonly #isJudged = (address: number): boolean => this.#own.of(address).values.enabled

  /** What a target is judged by; null when its settings say that it is not judged. */
  #judgedBy(target: Target): JudgedBy | null {
    const { values, limits } = this.#settingsOf(target)
    const { learnt } = target
    return values.enabled ? { classes: this.#classes, limits, learnt, leastLine: this.#leastLine } : null
  }

  #settingsOf({ address, length, isNetwork }: Target): TargetSettings {
    return isNetwork ? this.#own.ofNetwork({ network: address, length }) : this.#own.of(address)
  }
}

/** Hands on what rows add to the traffic of an address. */
function addHistory(
  history: History,
  address: number,
  { second, packets, bytes, flows }: CounterColumns,
  { from, to }: RowRange,
): void {
  const rates = { packets: 0, bytes: 0, flows: 0 }
  for (let row = from; row < to - 1; row++) {
    rates.packets += packets[row]
    rates.bytes += bytes[row]
    rates.flows += flows[row]
    if (rates.flows >= flowsMin) history.add(address, second[row], second[row + 1], rates)
  }
}
