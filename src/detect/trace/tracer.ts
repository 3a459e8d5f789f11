// Decides what is traced: the half minutes in which a target came near a line, or was attacked. Far below every line there is nothing to repeat, and what
// is kept must not grow with the traffic.
import { distinctSources } from '../../aggregate/marks.ts'
import { type HeldRanges, heldByNobody, holderWithin } from '../../net/held-ranges.ts'
import { lastKey } from '../../net/network.ts'
import { ClassKeys } from '../../vectors/class-keys.ts'
import { type Classes, total } from '../../vectors/compile.ts'
import { vectors } from '../../vectors/vectors.ts'
import { hasSignature, isForged, leastLine, linesOf } from '../judge/judge.ts'
import { judgement } from '../lines/judgement.ts'
import { traces as lines } from '../lines/traces.ts'
import { wholeLength } from '../rates/network-sums.ts'
import { ringSeconds, type Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { TargetSettings } from '../targets/target-settings.ts'
import { traceOf, traceSeconds } from './trace.ts'
import { encodeTrace, type SavedTrace } from './trace-code.ts'

const { nearPart, octetsMax, holderPart, lastTracesMax } = lines
const { observedMin, limitRatio, sampledRatio, unconnectedRatio, unconnectedPacketsPerSecond } = judgement

type LineOfVector = Parameters<typeof linesOf>[0]

interface TracerOptions {
  classes: Classes
  settingsOf: (target: Target) => TargetSettings
  /** Finds the networks that hold a target. */
  holding: (target: Target) => Target[]
}

/** A target that came near a line. */
interface Near {
  target: Target
  second: number
  /** How near: the rate as a part of the line. */
  part: number
}

export class Tracer {
  readonly counted = { traces: 0, tracesRefused: 0 }
  readonly #options: TracerOptions
  readonly #keys = new ClassKeys(vectors)
  #held: HeldRanges = heldByNobody
  #near: Near[] = []
  #made: SavedTrace[] = []
  /** The octets that were made of the current half minute, by the second that it begins. */
  #second = 0
  #ofHolders = new Map<string, number>()
  #ofAll = 0

  constructor(options: TracerOptions) {
    this.#options = options
  }

  /** Replaces the users of the watched addresses, who share the traces. */
  setHolders(held: HeldRanges): void {
    this.#held = held
  }

  /** Looks at a target in its turn of learning: at the latest half minute that late records change no more. */
  look(target: Target, nowSecond: number): void {
    const oldest = nowSecond - ringSeconds + 4
    this.#lookAt(target, Math.ceil(oldest / traceSeconds) * traceSeconds)
  }

  /** Ends a pass: the nearest of its targets are traced, with the networks that hold them. */
  settle(): void {
    if (this.#near.length === 0) return
    const traced = new Set<Target>()
    for (const { target, second } of this.#near.sort((a, b) => b.part - a.part)) {
      if (traced.has(target)) continue
      const holder = this.#holderOf(target)
      if (!this.#mayTrace(holder, second)) {
        this.counted.tracesRefused++
        continue
      }
      for (const each of [target, ...(target.isNetwork ? [] : this.#networksOf(target))]) {
        if (traced.has(each) || !this.#mayTrace(holder, second)) continue
        traced.add(each)
        this.#count(holder, this.#trace(each, second))
      }
    }
    this.#near = []
  }

  /** What was traced since the last call. */
  take(): SavedTrace[] {
    const made = this.#made
    this.#made = []
    return made
  }

  /** Traces what is not due yet: the service ends. */
  finish(targets: Iterable<Target>, nowSecond: number): void {
    for (const target of targets) {
      for (const second of this.#dueOf(nowSecond)) this.#lookAt(target, second)
    }
    for (const { target, second } of this.#near.sort((a, b) => b.part - a.part).slice(0, lastTracesMax))
      this.#trace(target, second)
    this.counted.tracesRefused += Math.max(0, this.#near.length - lastTracesMax)
    this.#near = []
  }

  /** The traces of a target, and of the networks that hold it, that may not have been made yet, however far below every line. */
  latest(target: Target, nowSecond: number): SavedTrace[] {
    return [target, ...this.#networksOf(target)].flatMap((each) =>
      this.#dueOf(nowSecond).flatMap((second) => this.#encoded(each, second) ?? []),
    )
  }

  /** The half minutes that rings hold and that may not have been looked at. */
  #dueOf(nowSecond: number): number[] {
    const first = Math.ceil((nowSecond - ringSeconds + 4) / traceSeconds) * traceSeconds
    const count = Math.max(0, Math.ceil((nowSecond + 1 - first) / traceSeconds))
    return Array.from({ length: count }, (_, i) => first + i * traceSeconds)
  }

  #networksOf(target: Target): Target[] {
    return this.#options.holding(target).filter(({ length }) => length >= wholeLength)
  }

  #lookAt(target: Target, second: number): void {
    if (target.total.ring === null) return
    const part = this.#partOf(target, second)
    if (part >= nearPart) this.#near.push({ target, second, part })
  }

  /** How near the half minute came to a line, as a part of it; infinite: it was attacked. */
  #partOf(target: Target, second: number): number {
    const { ring, baseline } = target.total
    if (ring === null || target.wholes.length > 0) return 0
    const [from, to] = [Math.max(second, ring.first), Math.min(second + traceSeconds, ring.last + 1)]
    if (from >= to) return 0
    if (target.incidents.some(({ startSecond, lastSecond }) => startSecond < to && lastSecond >= from))
      return Number.POSITIVE_INFINITY
    const { limits, values } = this.#options.settingsOf(target)
    if (!values.enabled || ring.observedWithin(from, to) < nearPart * observedMin) return 0
    const ofLimit = (metric: 'packets' | 'bytes' | 'flows') =>
      limits[metric] === Number.POSITIVE_INFINITY ? 0 : ring.mostWithin(metric, from, to) / limits[metric]
    // An absolute limit rises to twice normal at a busy address.
    const isBusy = limitRatio * baseline.level > limits.packets
    let part = isBusy
      ? ring.mostWithin('packets', from, to) / (limitRatio * baseline.level)
      : Math.max(ofLimit('packets'), ofLimit('bytes'), ofLimit('flows'))
    for (const series of target.series.values()) {
      if (series.trafficClass !== total)
        part = Math.max(part, this.#partOfClass(target, series, limits.sensitivity, second))
    }
    return part
  }

  #partOfClass(target: Target, series: Series, sensitivity: number, second: number): number {
    const { trafficClass, ring, baseline } = series
    const vector = this.#options.classes.vectors[trafficClass]
    if (ring === null || vector === undefined) return 0
    const [from, to] = [Math.max(second, ring.first), Math.min(second + traceSeconds, ring.last + 1)]
    if (from >= to) return 0
    const test = { vector, baseline, learnt: target.learnt, sensitivity, wide: false, floorFactor: 1 }
    const most = ring.mostWithin('packets', from, to)
    // Most classes are far below the lowest line that there may be, which is cheap to know.
    if (most < nearPart * leastLine(test)) return 0
    const window = ring.sum(from, to)
    if (window.observed < nearPart * observedMin) return 0
    return most / lineOf(window, test)
  }

  #mayTrace(holder: string, second: number): boolean {
    if (second !== this.#second) {
      this.#second = second
      this.#ofAll = 0
      this.#ofHolders.clear()
    }
    const own = this.#ofHolders.get(holder) ?? 0
    const isCrowded = this.#ofAll >= octetsMax / 2
    return this.#ofAll < octetsMax && !(isCrowded && own >= holderPart * octetsMax)
  }

  #count(holder: string, octets: number): void {
    this.#ofAll += octets
    this.#ofHolders.set(holder, (this.#ofHolders.get(holder) ?? 0) + octets)
  }

  #holderOf({ address, length }: Target): string {
    return holderWithin(this.#held, [[address, lastKey({ network: address, length })]])
  }

  /** Returns the octets of the trace. */
  #trace(target: Target, second: number): number {
    const made = this.#encoded(target, second)
    if (made === null) return 0
    this.#made.push(made)
    this.counted.traces++
    return made.octets.length
  }

  #encoded(target: Target, second: number): SavedTrace | null {
    const trace = traceOf(target, this.#options.settingsOf(target), second)
    return trace === null ? null : encodeTrace(trace, this.#keys)
  }
}

/** The line of a vector for traffic like that of a window. */
function lineOf(window: Window, test: LineOfVector): number {
  const { vector, baseline, sensitivity } = test
  const { whole, partial } = linesOf(test)
  if (!hasSignature(window, vector.signature)) return partial
  if (isForged(window)) return Math.min(whole, leastLine({ ...test, wide: false, floorFactor: 1 }))
  // Packets that each come from another source, and are known to be no samples of conversations.
  const { packets, observed, flows, sources } = window
  const isUnconnected = packets <= observed * sampledRatio && observed <= unconnectedRatio * flows
  if (vector.ordinary !== true || !isUnconnected || Number.isFinite(distinctSources(sources))) return whole
  return Math.min(whole, Math.max(unconnectedPacketsPerSecond / sensitivity, baseline.level * vector.raise.ratio))
}
