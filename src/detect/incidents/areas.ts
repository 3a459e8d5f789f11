// Finds the /24s that are attacked together, as areas: those near each other that stand out alike, those that stand out in their sums only, and those that
// an attack on an area reaches later.

import { type NetworkKey, networkOf } from '../../net/network.ts'
import type { Classes } from '../../vectors/compile.ts'
import { beginOf } from '../judge/activity.ts'
import { type AreaFound, areasInSums, runsOf } from '../judge/area-sums.ts'
import { alarmsOf, type Candidate, worstOf } from '../judge/candidates.ts'
import { excessOf, ofNetwork, type Span } from '../judge/carpet.ts'
import { areConversations, areUnopened } from '../judge/conversations.ts'
import { mayBeWide } from '../judge/judge.ts'
import type { CandidatesByTarget } from '../judge/nested-networks.ts'
import { judgement } from '../lines/judgement.ts'
import { networks as lines } from '../lines/networks.ts'
import { addNormals, noNormal } from '../normal/baseline.ts'
import { blockLength, type Networks, networkAt, wholeLength } from '../rates/network-sums.ts'
import type { Window } from '../rates/rates.ts'
import { RingSum } from '../rates/ring-sum.ts'
import type { Target } from '../targets/target.ts'
import type { TargetMemory } from '../targets/target-origin.ts'
import type { Limits } from '../targets/target-settings.ts'
import { Area, commonPrefix } from './area.ts'
import { type Incident, isSameAttack } from './incident.ts'

const { alikePart, floorFactor, gapMax, recentSeconds, stepSeconds } = lines

/** What stands out in each /24, or in networks in it, by its first address. */
type CandidatesByNetwork = ReadonlyMap<number, readonly Candidate[]>

interface AreasOptions {
  memory: TargetMemory
  networks: Networks
  classes: Classes
  /** Finds the addresses of a network that are judged. */
  hostsOf: (network: Target) => Target[]
  /** The limits of a network; null when it is not judged. */
  limitsOf: (network: NetworkKey) => Limits | null
  /** Addresses and networks that attacks go on at. */
  attacked: () => Iterable<Target>
  /** Called when a /24 becomes part of the attacks on an area. */
  onJoined: (area: Target, whole: Target, span: Span) => void
}

/** A /24 that stands out, or did so lately. */
interface Standing {
  whole: Target
  /** Null when an attack that was found there before goes on. */
  candidate: Candidate | null
  /** Packets a second. */
  rate: number
}

export class Areas {
  readonly #options: AreasOptions
  readonly #all = new Set<Area>()
  /** When the addresses of a block were last looked at for a class. Unix time, seconds. */
  #lookedAt = new Map<string, number>()
  #nowSecond = 0

  constructor(options: AreasOptions) {
    this.#options = options
  }

  get all(): ReadonlySet<Target> {
    return this.#all
  }

  /** Finds what stands out in areas. `attacked` has what stands out in single networks (nested-networks.ts), `hosts` the addresses that stand out. */
  find(attacked: CandidatesByTarget, hosts: Iterable<Target>, nowSecond: number): Map<Target, Candidate[]> {
    const found = foundByWhole(attacked)
    const standingOut = this.#byWhole(hosts)
    if (nowSecond !== this.#nowSecond) this.#lookedAt = new Map()
    this.#nowSecond = nowSecond
    const { changed } = this.#options.networks
    const inAreas = new Map<Target, Candidate[]>()
    const note = (area: Area, candidate: Candidate) => inAreas.set(area, [...(inAreas.get(area) ?? []), candidate])
    for (const block of new Set(Array.from(changed, ({ address }) => networkOf(address, blockLength)))) {
      const judged = this.#judgedIn(block)
      if (judged.length < 2) continue
      for (const area of this.#all) {
        if (networkOf(area.address, blockLength) !== block) continue
        this.#spread(area, judged, found)
        for (const candidate of this.#goingOn(area)) note(area, candidate)
      }
      for (const each of this.#standingOut(judged, found)) note(this.#areaOf(each), each.candidate)
      for (const each of this.#inSums(block, judged, standingOut)) note(this.#areaOf(each), each.candidate)
    }
    return inAreas
  }

  /** Continues the area of an attack from before a restart. */
  resume(wholes: readonly Target[], nowSecond: number): Area {
    const area = this.#create(wholes[0].address, nowSecond)
    for (const whole of wholes) area.join(whole, nowSecond)
    return area
  }

  /** Ends a pass: areas without attacks are dissolved. */
  judged(): void {
    for (const area of this.#all) {
      area.judged()
      if (area.incidents.length > 0) continue
      area.dissolve()
      this.#all.delete(area)
    }
  }

  /** Gives memory back and sums up what is normal again. The caller does this now and then. */
  settle(nowSecond: number): void {
    for (const area of this.#all) {
      area.release(nowSecond)
      area.sumUpNormal()
    }
  }

  /** Addresses that stand out, or are attacked, by the first address of their /24. */
  #byWhole(hosts: Iterable<Target>): Map<number, Target[]> {
    const byWhole = new Map<number, Target[]>()
    for (const host of new Set([...hosts, ...this.#options.attacked()])) {
      if (host.isNetwork) continue
      const whole = networkAt(host.address)
      byWhole.set(whole, [...(byWhole.get(whole) ?? []), host])
    }
    return byWhole
  }

  #create(address: number, second: number): Area {
    const area = new Area(this.#options.memory, address, second)
    this.#all.add(area)
    return area
  }

  #judgedIn(block: number): Target[] {
    const { networks, limitsOf } = this.#options
    return networks.inBlock(block).filter(({ address }) => limitsOf({ network: address, length: wholeLength }) !== null)
  }

  /** Adds the /24s that the attacks on an area reach: those that stand out by them, and those that get as much as the others. */
  #spread(area: Area, judged: readonly Target[], found: CandidatesByNetwork): void {
    const nowSecond = this.#nowSecond
    for (const incident of area.incidents) {
      if (incident.isOver) continue
      const { trafficClass } = incident
      // Exporters that hold records back have not reported the last seconds yet.
      const until = Math.min(nowSecond, incident.lastSecond)
      const lately = { from: until - stepSeconds, to: until + 1 }
      const parts = area.wholes.map((whole) => excessOf(whole, trafficClass, lately))
      const most = Math.max(...parts)
      const hit = parts.filter((part) => part >= alikePart * most)
      const usual = hit.reduce((sum, part) => sum + part, 0) / hit.length
      const ofBest = Math.max(...area.wholes.map((whole) => recentRate(whole, trafficClass, nowSecond)))
      const places = [...judged.keys()].filter((place) => area.has(judged[place]))
      for (const [place, whole] of judged.entries()) {
        if (area.has(whole) || !places.some((other) => Math.abs(other - place) <= gapMax)) continue
        const candidate = (found.get(whole.address) ?? []).find((each) => isSameAttack(incident, each))
        const stands = candidate !== undefined && candidate.alarm.rate >= alikePart * ofBest
        if (stands || (usual > 0 && isAlike(whole, trafficClass, lately, usual))) {
          this.#join(area, whole, trafficClass, candidate?.alarm.window.from ?? lately.from)
        }
      }
    }
  }

  #join(area: Area, whole: Target, trafficClass: number, from: number): void {
    const ring = whole.series.get(trafficClass)?.ring ?? null
    const rate = recentRate(whole, trafficClass, this.#nowSecond)
    area.join(whole, beginOf(ring, from, 0, alikePart * rate))
    this.#options.onJoined(area, whole, { from, to: this.#nowSecond + 1 })
  }

  /** Candidates that show that the attacks on an area go on. */
  #goingOn(area: Area): Candidate[] {
    const { classes, limitsOf } = this.#options
    const limits = limitsOf({ network: area.address, length: area.length })
    return area.incidents.flatMap((incident) => {
      const { trafficClass, label, isOver } = incident
      const series = area.series.get(trafficClass)
      const vector = classes.vectors[trafficClass]
      if (isOver || limits === null || series === undefined || vector === undefined) return []
      const { learnt } = area
      const { sensitivity } = limits
      const alarm = worstOf(
        alarmsOf(area, series, {
          ...{ vector, baseline: series.baseline, learnt, sensitivity, wide: true },
          floorFactor: mayBeWide(vector) ? 1 : floorFactor,
          isConversation: (window: Window) => areConversations([area], trafficClass, window, { classes, learnt }),
          isUnopened: (window: Window) => areUnopened([area], window, { classes, learnt }),
        }),
      )
      const { besides = [] } = vector
      return alarm === null
        ? []
        : [{ address: incident.address, trafficClass, label, besides, alarm, isNewVector: false }]
    })
  }

  /** The groups of /24s near each other that stand out alike by one vector. */
  #standingOut(judged: readonly Target[], found: CandidatesByNetwork): AreaFound[] {
    const candidates = judged.flatMap((whole) =>
      (found.get(whole.address) ?? []).filter((each) => !isPartAlready(whole, each)),
    )
    const labels = new Set(candidates.flatMap(({ label }) => label ?? []))
    return [...labels].flatMap((label) => {
      const standing = judged.flatMap((whole) => this.#standingAt(whole, label, found) ?? [])
      return alikeGroups(standing).flatMap((group) =>
        runsOf(group, ({ whole }) => judged.indexOf(whole)).flatMap((run) => this.#together(run) ?? []),
      )
    })
  }

  /** A /24 that stands out by a label, or null. */
  #standingAt(whole: Target, label: string, found: CandidatesByNetwork): Standing | null {
    const [candidate] = (found.get(whole.address) ?? [])
      .filter((each) => each.label === label && !isPartAlready(whole, each))
      .sort((a, b) => b.alarm.rate - a.alarm.rate)
    if (candidate !== undefined) return { whole, candidate, rate: candidate.alarm.rate }
    const goesOn = [whole, ...this.#options.networks.within(whole)]
      .flatMap(({ incidents }) => incidents)
      .find((incident) => !incident.isOver && incident.label === label)
    if (goesOn === undefined) return null
    return { whole, candidate: null, rate: recentRate(whole, goesOn.trafficClass, this.#nowSecond) }
  }

  /** A group as an attack; null when it has one /24, or nothing new. */
  #together(run: readonly Standing[]): AreaFound | null {
    const [strongest] = run.flatMap(({ candidate }) => candidate ?? []).sort((a, b) => b.alarm.rate - a.alarm.rate)
    if (run.length < 2 || strongest === undefined) return null
    const { trafficClass, alarm } = strongest
    const wholes = run.map(({ whole }) => whole)
    const series = wholes.flatMap((whole) => whole.series.get(trafficClass) ?? [])
    const parts = series.flatMap(({ ring }) => (ring === null ? [] : [{ ring, earliest: 0 }]))
    const window = new RingSum(parts).sum(alarm.window.from, alarm.window.to)
    const normal = series.reduce((sum, { baseline }) => addNormals(sum, baseline), noNormal)
    return { wholes, candidate: { ...strongest, alarm: ofNetwork(alarm, window, normal), isNewVector: true } }
  }

  #inSums(block: number, judged: readonly Target[], standingOut: ReadonlyMap<number, Target[]>): AreaFound[] {
    const { classes, hostsOf, limitsOf } = this.#options
    return areasInSums(judged, {
      classes,
      hostsOf,
      standingOutIn: (whole) => standingOut.get(whole.address) ?? [],
      sensitivityOf: (wholes) => limitsOf(commonPrefix(wholes))?.sensitivity ?? 1,
      isFollowed: (whole, trafficClass) =>
        whole.areas.some(({ incidents }) => incidents.some((each) => !each.isOver && each.follows(trafficClass))),
      mayLook: (trafficClass) => {
        const key = `${block} ${trafficClass}`
        if (this.#lookedAt.has(key)) return false
        this.#lookedAt.set(key, this.#nowSecond)
        return true
      },
    })
  }

  /** The area of an attack: one with these /24s that has the same attack, or about the same /24s, else a new one. */
  #areaOf({ wholes, candidate }: AreaFound): Area {
    const sharedWith = (area: Area) => wholes.filter((whole) => area.has(whole)).length
    const others = [...this.#all].filter((area) => sharedWith(area) > 0)
    const area =
      others.find(({ incidents }) => incidents.some((incident) => isSameAttack(incident, candidate))) ??
      others.find((each) => 2 * sharedWith(each) >= Math.max(wholes.length, each.wholes.length))
    if (area !== undefined) {
      const { trafficClass, alarm } = candidate
      for (const whole of wholes) if (!area.has(whole)) this.#join(area, whole, trafficClass, alarm.window.from)
      return area
    }
    const created = this.#create(wholes[0].address, this.#nowSecond)
    for (const whole of wholes) created.join(whole, 0)
    created.overThrough = Math.min(...wholes.map(({ overThrough }) => overThrough))
    return created
  }
}

function foundByWhole(attacked: CandidatesByTarget): CandidatesByNetwork {
  const found = new Map<number, readonly Candidate[]>()
  for (const [network, candidates] of attacked) {
    if (candidates.length === 0) continue
    const whole = networkAt(network.address)
    found.set(whole, [...(found.get(whole) ?? []), ...candidates])
  }
  return found
}

/** Whether a candidate is part of an attack on an area that goes on. */
function isPartAlready(whole: Target, candidate: Candidate): boolean {
  const goesOn = (incident: Incident) => !incident.isOver && isSameAttack(incident, candidate)
  return whole.areas.some(({ incidents }) => incidents.some(goesOn))
}

function isAlike(whole: Target, trafficClass: number, span: Span, usual: number): boolean {
  const series = whole.series.get(trafficClass)
  if (series?.ring == null || series.changedFrom >= series.changedTo) return false
  const window = series.ring.sum(span.from, span.to)
  return window.observed >= judgement.observedMin && excessOf(whole, trafficClass, window) >= alikePart * usual
}

/** Groups of /24s that are hit about as hard as the hardest hit of each group; single ones are left out. */
function alikeGroups(standing: readonly Standing[]): Standing[][] {
  const groups: Standing[][] = []
  let left = standing.toSorted((a, b) => b.rate - a.rate)
  while (left.length > 1) {
    const [{ rate }] = left
    const group = left.filter((each) => each.rate >= alikePart * rate)
    left = left.filter((each) => each.rate < alikePart * rate)
    if (group.length > 1) groups.push(group)
  }
  return groups
}

/** Highest recent rate of a class at a /24, averaged over steps. Packets a second. */
function recentRate({ series }: Target, trafficClass: number, nowSecond: number): number {
  const ring = series.get(trafficClass)?.ring
  if (ring == null) return 0
  let most = 0
  for (let to = nowSecond + 1; to > nowSecond - recentSeconds; to -= stepSeconds) {
    most = Math.max(most, ring.packetsIn(to - stepSeconds, to))
  }
  return most / stepSeconds
}
