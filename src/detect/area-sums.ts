// Attacks that show in the sums of several /24s only: each gets so little that it does not stand out. The sums of all aligned networks of a /16 are judged,
// class by class; what stands out most says where, and the /24s that get much alike of it are hit.
import type { Classes } from '../vectors/compile.ts'
import { total } from '../vectors/compile.ts'
import type { Vector } from '../vectors/vectors.ts'
import { addNormals, noNormal } from './baseline.ts'
import { type Candidate, worstOf } from './candidates.ts'
import { alikePart, excessOf, floorFactor, hostsMin, wideHostsMin } from './carpet.ts'
import { areAllCarried } from './connections.ts'
import { type Alarm, judgeVector, leastLine, mayBePlain, observedMin, type VectorTest } from './judge.ts'
import { blockLength, wholeLength } from './networks.ts'
import { createWindow, type Window } from './rates.ts'
import { mostOf, type RingPart, RingSum } from './ring-sum.ts'
import type { Target } from './target.ts'
import { busiestWindows, secondsAround } from './windows.ts'

/** Between two /24s that are hit lie no more than so many others that had traffic. */
export const gapMax = 4
/** So many addresses are hit at least; the `hostsMin` that get most of it do not count. */
const areaHostsMin = 16
/** Before what changed: made-up sources show in so many seconds. */
const lateSeconds = 10
/** Of what ordinary /24s may have of a class, those have so much that hosts do not have in everyday life. */
const unaskedPart = 0.25

export interface AreaFound {
  wholes: Target[]
  candidate: Candidate
}

export interface AreaSumsBy {
  classes: Classes
  /** See `Limits`. */
  sensitivityOf: (wholes: readonly Target[]) => number
  hostsOf: (whole: Target) => Target[]
  /** Those of its addresses that stand out by themselves. */
  standingOutIn: (whole: Target) => readonly Target[]
  /** Whether a class of a /24 is part of an attack that is followed already. */
  isFollowed: (whole: Target, trafficClass: number) => boolean
  /** Whether all addresses may be looked at for a class, which costs most. */
  mayLook: (trafficClass: number) => boolean
}

/** A /24 with traffic of a class. */
interface Leaf extends RingPart {
  whole: Target
  /** No second has more, packets. */
  bound: number
  /** What it got of late. */
  late: Window
}

interface Span {
  from: number
  to: number
}

/** What is said of the class that is looked for. */
interface Sought {
  trafficClass: number
  vector: Vector
  learnt: boolean
  span: Span
  by: AreaSumsBy
}

/** `block`: the /24s of a /16 that are judged, by address. */
export function areasInSums(block: readonly Target[], by: AreaSumsBy): AreaFound[] {
  return [...changedClasses(block)].flatMap(([trafficClass, span]) => {
    const vector = by.classes.vectors[trafficClass]
    if (vector === undefined || trafficClass === total) return []
    const leaves = leavesOf(block, trafficClass, { ...span, by })
    if (leaves.length < 2) return []
    // Of /24s that are learnt and of others, those are judged that have more of it.
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
    return [{ whole, ring, earliest, bound, late: ring.sum(Math.max(earliest, from - lateSeconds), to) }]
  })
}

function testOf(leaves: readonly Leaf[], { trafficClass, vector, learnt, by }: Sought): VectorTest {
  const least = vector.ordinary ? 1 : floorFactor
  // While nobody knows what is normal each /24 may have some of it.
  const factor = learnt ? least : Math.max(least, leaves.length * (vector.unasked ? unaskedPart : 1))
  const baseline = leaves.reduce(
    (sum, { whole }) => addNormals(sum, whole.series.get(trafficClass)?.baseline ?? noNormal),
    noNormal,
  )
  const sensitivity = by.sensitivityOf(leaves.map(({ whole }) => whole)) / factor
  return { vector, baseline, learnt, sensitivity, wide: true }
}

/** What stands out most in any of the aligned networks that hold two of the leaves or more; of those alike the longest. */
function worstIn(leaves: readonly Leaf[], sought: Sought): Alarm | null {
  const { vector, learnt, span, by } = sought
  const leastFactor = vector.ordinary && learnt ? 1 : learnt ? floorFactor : 2
  const all = leaves.map(({ whole }) => whole)
  const sensitivity = by.sensitivityOf(all) / leastFactor
  const leastOfAny = leastLine({ vector, baseline: noNormal, learnt, sensitivity, wide: true })
  let worst: Alarm | null = null
  const visit = (own: readonly Leaf[], length: number): void => {
    const bound = own.reduce((sum, leaf) => sum + leaf.bound, 0)
    if (own.length < 2 || bound <= leastOfAny) return
    const middle = 2 ** (31 - length)
    const halves = [0, 1].map((half) => own.filter(({ whole }) => Math.floor(whole.address / middle) % 2 === half))
    const isSplit = halves.every((half) => half.length > 0)
    if (isSplit) {
      const test = testOf(own, sought)
      const least = leastLine(test, !mayBePlain(lateOf(own), vector))
      if (bound > least) {
        const windows = busiestWindows({ ring: new RingSum(own), ...span, earliest: 0 }, least)
        const alarm = worstOf(windows.flatMap((window) => judgeVector(window, test) ?? []))
        if (alarm !== null && (worst === null || ratioOf(alarm) >= 0.99 * ratioOf(worst))) worst = alarm
      }
    }
    if (length + 1 < wholeLength) for (const half of halves) visit(half, length + 1)
  }
  visit(leaves, blockLength)
  return worst
}

/** What leaves got of late, together; a second may count for several. */
function lateOf(leaves: readonly Leaf[]): Window {
  const all = createWindow(0, 0)
  for (const { late } of leaves) {
    all.flows += late.flows
    all.observed += late.observed
    all.forgedSeconds += late.forgedSeconds
  }
  return all
}

function ratioOf({ rate, line }: Alarm): number {
  return rate / line
}

/** The /24s that are hit, as an attack on them; null: it is none. */
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
  const { label, besides = [] } = vector
  return [{ wholes, candidate: { address, trafficClass, label, besides, alarm, isNewVector: true } }]
}

/** Those that get about as much of it, above what is normal for each, as the one that gets most of them. */
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

/** The only address of a /24 that stands out: it is attacked by itself. */
function aloneIn(whole: Target, { standingOutIn }: AreaSumsBy): Target | null {
  const hosts = standingOutIn(whole)
  return hosts.length === 1 ? hosts[0] : null
}

/** The most of them that lie near each other, by address. */
function nearEachOther(leaves: readonly Leaf[], block: readonly Target[]): Leaf[] {
  const runs = runsOf(leaves, ({ whole }) => block.indexOf(whole))
  return runs.reduce<Leaf[]>((longest, run) => (run.length > longest.length ? run : longest), [])
}

/** Cut where more than `gapMax` places are between two. */
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

/** An address that gets as much as any; null: too few are hit. */
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
  // Without the few that get most of it, too, it is an attack: the others' part is not just what they get anyway.
  if (packets <= line * (to - from) || observed < observedMin) return null
  if (vector.ordinary && hit.length < wideHostsMin && rate < line * floorFactor) return null
  const most = hit.find((each) => alikePart * each.packets <= rest[0].packets) ?? rest[0]
  return most.address
}
