// Attacks that show in the sums of several /24s only: each gets too little to stand out. The sums of all aligned networks of a /16 are judged class by class;
// the network that stands out most shows where, and its /24s that get about as much of it are hit.
import type { Classes } from '../../vectors/compile.ts'
import { total } from '../../vectors/compile.ts'
import type { Vector } from '../../vectors/vectors.ts'
import { judgement } from '../lines/judgement.ts'
import { networks as lines } from '../lines/networks.ts'
import { addNormals, noNormal } from '../normal/baseline.ts'
import { blockLength, wholeLength } from '../rates/network-sums.ts'
import { createWindow, type Window } from '../rates/rates.ts'
import { mostOf, type RingPart, RingSum } from '../rates/ring-sum.ts'
import type { Target } from '../targets/target.ts'
import { busiestWindows, secondsAround } from './busy-windows.ts'
import { type Candidate, worstOf } from './candidates.ts'
import { excessOf } from './carpet.ts'
import { areAllCarried, areConversations, areUnopened, labelOfClass } from './conversations.ts'
import { type Alarm, isForged, judgeVector, leastLine, mayBePlain, mayBeWide, type VectorTest } from './judge.ts'

const { alikePart, floorFactor, hostsMin, wideHostsMin, areaHostsMin, gapMax, lateSeconds, unaskedPart } = lines

export interface AreaFound {
  wholes: Target[]
  candidate: Candidate
}

export interface AreaSumsBy {
  classes: Classes
  /** The sensitivity of a network: see `Limits`. */
  sensitivityOf: (wholes: readonly Target[]) => number
  hostsOf: (whole: Target) => Target[]
  /** Finds the addresses of a /24 that stand out by themselves. */
  standingOutIn: (whole: Target) => readonly Target[]
  /** Whether a class of a /24 is part of an attack that goes on already. */
  isFollowed: (whole: Target, trafficClass: number) => boolean
  /** Whether all addresses may be looked at for a class, the most expensive step. */
  mayLook: (trafficClass: number) => boolean
}

/** A /24 with traffic of a class. */
interface Leaf extends RingPart {
  whole: Target
  /** Upper bound of the packets in any second. */
  bound: number
  /** Its latest seconds, once they have been needed; most leaves are in no network with enough traffic. */
  late: Window | null
}

interface Span {
  from: number
  to: number
}

/** The class that is looked for, and how it is judged. */
interface Sought {
  trafficClass: number
  vector: Vector
  learnt: boolean
  span: Span
  by: AreaSumsBy
}

/** Attacks in the sums of a block: the /24s of a /16 that are judged, by address. */
export function areasInSums(block: readonly Target[], by: AreaSumsBy): AreaFound[] {
  return [...changedClasses(block)].flatMap(([trafficClass, span]) => {
    const vector = by.classes.vectors[trafficClass]
    if (vector === undefined || trafficClass === total) return []
    const leaves = leavesOf(block, trafficClass, { ...span, by })
    if (leaves.length < 2) return []
    // Learnt /24s are judged together, or all with the others: whichever have more of it.
    const weight = (learnt: boolean) =>
      leaves.reduce((sum, leaf) => sum + Number(leaf.whole.learnt === learnt) * leaf.bound, 0)
    const learnt = weight(true) >= weight(false)
    const judged = learnt ? leaves.filter(({ whole }) => whole.learnt) : leaves
    const sought = { trafficClass, vector, learnt, span, by }
    const worst = worstIn(judged, sought)
    return worst === null ? [] : (hitBy(worst, leaves, block, sought) ?? [])
  })
}

/** The classes that changed, and in which seconds. */
function changedClasses(block: readonly Target[]): Map<number, Span> {
  const classes = new Map<number, Span>()
  for (const { series } of block) {
    for (const { trafficClass, changedFrom, changedTo } of series.values()) {
      if (changedFrom >= changedTo) continue
      const known = classes.get(trafficClass)
      const from = Math.min(changedFrom, known?.from ?? changedFrom)
      classes.set(trafficClass, { from, to: Math.max(changedTo, known?.to ?? changedTo) })
    }
  }
  return classes
}

function leavesOf(block: readonly Target[], trafficClass: number, { from, to, by }: Span & { by: AreaSumsBy }): Leaf[] {
  return block.flatMap((whole) => {
    const ring = whole.series.get(trafficClass)?.ring
    if (ring == null || by.isFollowed(whole, trafficClass)) return []
    const earliest = whole.overThrough + 1
    const around = secondsAround({ ring, from, to, earliest })
    const bound = mostOf({ ring, earliest }, 'packets', around.from, around.to)
    if (bound <= 0) return []
    return [{ whole, ring, earliest, bound, late: null }]
  })
}

function testOf(leaves: readonly Leaf[], { trafficClass, vector, learnt, by }: Sought): VectorTest {
  const wholes = leaves.map(({ whole }) => whole)
  const least = mayBeWide(vector) ? 1 : floorFactor
  // While normal is not known each /24 may have some of it.
  const factor = learnt ? least : Math.max(least, leaves.length * (vector.unasked ? unaskedPart : 1))
  const baseline = leaves.reduce(
    (sum, { whole }) => addNormals(sum, whole.series.get(trafficClass)?.baseline ?? noNormal),
    noNormal,
  )
  const sensitivity = by.sensitivityOf(wholes)
  const learntBy = { classes: by.classes, learnt }
  const isConversation = (window: Window) => areConversations(wholes, trafficClass, window, learntBy)
  const isUnopened = (window: Window) => areUnopened(wholes, window, learntBy)
  return { vector, baseline, learnt, sensitivity, wide: true, floorFactor: factor, isConversation, isUnopened }
}

/** The alarm that stands out most in the aligned networks with two leaves or more; of equal ones that of the longest. */
function worstIn(leaves: readonly Leaf[], sought: Sought): Alarm | null {
  const { vector, learnt, span, by } = sought
  const leastFactor = mayBeWide(vector) && learnt ? 1 : learnt ? floorFactor : 2
  const all = leaves.map(({ whole }) => whole)
  const test = { vector, baseline: noNormal, learnt, sensitivity: by.sensitivityOf(all), wide: true }
  const leastOfAny = leastLine({ ...test, floorFactor: leastFactor })
  let worst: Alarm | null = null
  const visit = (own: readonly Leaf[], length: number): void => {
    const bound = own.reduce((sum, leaf) => sum + leaf.bound, 0)
    if (own.length < 2 || bound <= leastOfAny) return
    const middle = 2 ** (31 - length)
    const halves = [0, 1].map((half) => own.filter(({ whole }) => Math.floor(whole.address / middle) % 2 === half))
    const isSplit = halves.every((half) => half.length > 0)
    if (isSplit) {
      const test = testOf(own, sought)
      const least = leastLine(test, !mayBePlain(lateOf(own, span), vector))
      if (bound > least) {
        const windows = busiestWindows({ ring: new RingSum(own), ...span, earliest: 0 }, least)
        const alarm = worstOf(windows.flatMap((window) => judgeVector(window, test) ?? []))
        if (alarm !== null && (worst === null || ratioOf(alarm) >= lines.tieRatio * ratioOf(worst))) worst = alarm
      }
    }
    if (length + 1 < wholeLength) for (const half of halves) visit(half, length + 1)
  }
  visit(leaves, blockLength)
  return worst
}

/** Sums of the latest seconds of leaves; a second with impossible sources may count several times. */
function lateOf(leaves: readonly Leaf[], { from, to }: Span): Window {
  const all = createWindow(0, 0)
  for (const leaf of leaves) {
    leaf.late ??= leaf.ring.sum(Math.max(leaf.earliest, from - lateSeconds), to)
    const { late } = leaf
    all.flows += late.flows
    all.observed += late.observed
    all.forgedSeconds += late.forgedSeconds
  }
  return all
}

function ratioOf({ rate, line }: Alarm): number {
  return rate / line
}

/** The attack on the /24s that are hit, or null. */
function hitBy(
  { window }: Alarm,
  leaves: readonly Leaf[],
  block: readonly Target[],
  sought: Sought,
): AreaFound[] | null {
  const { trafficClass, vector, learnt, by } = sought
  const alike = alikeAmong(leaves, window, sought)
  const near = nearEachOther(alike, block)
  if (near.length < 2) return null
  const test = testOf(near, sought)
  const alarm = judgeVector(new RingSum(near).sum(window.from, window.to), test)
  if (alarm === null) return null
  const wholes = near.map(({ whole }) => whole)
  const { classes } = by
  if (vector.connection === 'opens' && areAllCarried(wholes, trafficClass, window, { classes, learnt })) return null
  if (!by.mayLook(trafficClass)) return null
  const address = mostHit(wholes, alarm, sought)
  if (address === null) return null
  const label = labelOfClass(wholes, trafficClass, alarm.window, { classes, learnt })
  const { besides = [] } = vector
  return [{ wholes, candidate: { address, trafficClass, label, besides, alarm, isNewVector: true } }]
}

/** Leaves that get about as much above their normal as the hardest hit of them. */
function alikeAmong(leaves: readonly Leaf[], window: Window, { trafficClass, by }: Sought): Leaf[] {
  const all = leaves
    .map((leaf) => {
      const alone = aloneIn(leaf.whole, by)
      const own = alone === null ? 0 : excessOf(alone, trafficClass, window)
      return { leaf, excess: excessOf(leaf.whole, trafficClass, window) - own }
    })
    .filter(({ excess }) => excess > 0)
    .sort((a, b) => b.excess - a.excess)
  for (const [i, { excess }] of all.entries()) {
    const alike = all.slice(i).filter((other) => other.excess >= alikePart * excess)
    if (alike.length >= 2) return alike.map(({ leaf }) => leaf)
  }
  return []
}

/** The only address of a /24 that stands out, which is attacked by itself, or null. */
function aloneIn(whole: Target, { standingOutIn }: AreaSumsBy): Target | null {
  const hosts = standingOutIn(whole)
  return hosts.length === 1 ? hosts[0] : null
}

/** The longest run of leaves near each other. */
function nearEachOther(leaves: readonly Leaf[], block: readonly Target[]): Leaf[] {
  const runs = runsOf(leaves, ({ whole }) => block.indexOf(whole))
  return runs.reduce<Leaf[]>((longest, run) => (run.length > longest.length ? run : longest), [])
}

/** Runs of elements in the order of their places, cut where two are more than `gapMax` apart. */
export function runsOf<Each>(all: readonly Each[], placeOf: (each: Each) => number): Each[][] {
  const runs: Each[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const each of all.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const place = placeOf(each)
    if (place - last > gapMax) runs.push([])
    runs[runs.length - 1].push(each)
    last = place
  }
  return runs
}

/** The hardest hit address, or one hit as hard; null when too few are hit. */
function mostHit(
  wholes: readonly Target[],
  { window, line, rate }: Alarm,
  { trafficClass, vector, by }: Sought,
): number | null {
  const { from, to } = window
  const alone = new Set(wholes.map((whole) => aloneIn(whole, by)))
  const hosts = wholes.flatMap(by.hostsOf).filter((host) => !alone.has(host))
  const hit = hosts.flatMap(({ address, series }) => {
    const own = series.get(trafficClass)?.ring?.sum(from, to)
    return own == null || own.packets === 0 ? [] : [{ address, packets: own.packets, observed: own.observed }]
  })
  if (hit.length < areaHostsMin) return null
  hit.sort((a, b) => b.packets - a.packets)
  const rest = hit.slice(hostsMin - 1)
  const packets = rest.reduce((sum, part) => sum + part.packets, 0)
  const observed = rest.reduce((sum, part) => sum + part.observed, 0)
  // It must be an attack without the few that get most of it, too: the part of the others is not their usual traffic.
  if (packets <= line * (to - from) || observed < judgement.observedMin) return null
  const isPlain = isForged(window)
  if (mayBeWide(vector) && !isPlain && hit.length < wideHostsMin && rate < line * floorFactor) return null
  const most = hit.find((each) => alikePart * each.packets <= rest[0].packets) ?? rest[0]
  return most.address
}
