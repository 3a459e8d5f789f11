// The amounts of an attack: its active seconds, and what came in them. Pauses count neither as time nor as traffic, so that an attack in pulses is as heavy as
// its pulses. Seconds that late records may still change are read from the rings for each report; the others are added up once.
import { incidents } from '../lines/incidents.ts'
import { judgement } from '../lines/judgement.ts'
import { type RateRing, ringSeconds } from '../rates/rates.ts'
import type { Amount, Peak, VectorShare } from './incident-report.ts'

const { spanSeconds, settleEverySeconds, pauseSecondsMin, vectorShareMin } = incidents
/** Seconds older than this do not change any more. */
export const settledSeconds = ringSeconds - incidents.settledMarginSeconds

/** Sums over active seconds; packets and bytes are scaled by the sampling rate. */
export interface Sums {
  seconds: number
  packets: number
  bytes: number
  flows: number
  /** Packets by the label of their traffic class. */
  packetsByLabel: ReadonlyMap<string, number>
  peak: Peak
}

/** The recent traffic of the attack's target. A ring is null where there was none. */
export interface TallyTraffic {
  ofTotal: RateRing | null
  /** The classes of the attack's vectors, with the packets a second below which each is quiet. */
  ofVectors: readonly { ring: RateRing | null; quietBelow: number }[]
  /** All classes that have a label. */
  labelled: readonly { label: string; ring: RateRing | null }[]
}

/** Seconds `from` to `to` (exclusive). */
interface Stretch {
  from: number
  to: number
}

const noPeak: Peak = { packetsPerSecond: 0, bytesPerSecond: 0, flowsPerSecond: 0, atMs: 0 }

export const noSums: Sums = { seconds: 0, packets: 0, bytes: 0, flows: 0, packetsByLabel: new Map(), peak: noPeak }

export class Tally {
  /** Every second before this one is settled; the second before it was active, unless it is the first. Unix time, seconds. */
  #through: number
  #settled: Sums
  /** The largest sums that were reported. */
  #reported: Sums
  /** Whether a gap after `#through` may be a short one in the attack. It may not after a restart, when traffic is unknown. */
  #isSeamless: boolean
  /** Stretches from `#through` on: their seconds stay active, although the attack may be followed by a higher line later. */
  #found: readonly Stretch[] = []
  /** Seconds that were reported before the service was started again, as far as late records may still add to them. */
  readonly #before: Stretch
  /** When it was started again. Unix time, seconds. */
  readonly #upSecond: number

  /** `before`: what was reported before the service was started again at `upSecond`, up to that second. */
  constructor(startSecond: number, before: { sums: Sums; second: number; upSecond: number } | null = null) {
    this.#through = before?.second ?? startSecond
    this.#before = { from: startSecond, to: this.#through }
    this.#upSecond = before?.upSecond ?? startSecond
    this.#settled = before?.sums ?? noSums
    this.#reported = this.#settled
    this.#isSeamless = before === null
  }

  get reported(): Sums {
    return this.#reported
  }

  /** Whether nothing that comes later can change the sums up to the last active second. */
  isSettled(lastSecond: number): boolean {
    return this.#through > lastSecond && this.#before.from >= this.#before.to
  }

  /** Adds up what late records don't change any more; to be called at least every `settleEverySeconds`, before the rings forget it. */
  settle(traffic: TallyTraffic, lastSecond: number, nowSecond: number): void {
    this.#settleBefore(traffic, nowSecond - settledSeconds)
    const upTo = Math.min(nowSecond - settledSeconds, lastSecond + 1)
    const isLast = upTo > lastSecond
    if (upTo <= this.#through || (!isLast && upTo - this.#through < settleEverySeconds)) return
    const stretches = this.#stretches(traffic, upTo)
    // The last active second ends the attack: whatever its neighbours look like, it was there.
    const end = isLast ? upTo : stretches.at(-1)?.to
    if (end === undefined) return
    this.#settled = sumsWith(this.#settled, traffic, stretches)
    this.#before.to = this.#lateTo(stretches)
    this.#through = end
    this.#isSeamless = true
  }

  /** The sums up to the last active second. They never shrink: what a full or coarser memory has lost was reported before. */
  sums(traffic: TallyTraffic, lastSecond: number): Sums {
    this.#found = this.#stretches(traffic, lastSecond + 1)
    const late = { from: this.#before.from, to: this.#lateTo(this.#found) }
    const sums = withLate(sumsWith(this.#settled, traffic, this.#found), traffic, late)
    if (sums.packets >= this.#reported.packets && sums.seconds >= this.#reported.seconds) this.#reported = sums
    return this.#reported
  }

  /** The stretches of active seconds since `#through`, with the short gaps between them. The first begins there, if no pause comes before it. */
  #stretches({ ofTotal, ofVectors }: TallyTraffic, to: number): Stretch[] {
    const from = this.#through
    if (ofTotal === null || to <= from) return []
    const isActive = activityOf(ofVectors, from, to)
    for (const found of this.#found)
      if (found.to > from) isActive.fill(1, Math.max(0, found.from - from), found.to - from)
    const pauseSeconds = pauseSecondsOf(ofVectors, isActive, from, to)
    const stretches: Stretch[] = []
    let stretch: Stretch = { from, to: from }
    for (let second = from; second < to; second++) {
      if (isActive[second - from] === 0) continue
      const isFirst = stretch.to === stretch.from
      if (second - stretch.to >= pauseSeconds || (isFirst && !this.#isSeamless)) {
        if (!isFirst) stretches.push(stretch)
        stretch = { from: second, to: second }
      }
      stretch.to = second + 1
    }
    if (stretch.to > stretch.from) stretches.push(stretch)
    return stretches
  }

  /** Where the attack goes on after a restart. Late records of the time in which the service was down count although they are too few to be active. */
  #lateTo([first]: readonly Stretch[]): number {
    const { to } = this.#before
    if (this.#isSeamless || first === undefined || first.from > this.#upSecond + pauseSecondsMin) return to
    return Math.max(to, Math.min(this.#upSecond, first.from))
  }

  #settleBefore(traffic: TallyTraffic, settledTo: number): void {
    const { from, to } = this.#before
    const upTo = Math.min(settledTo, to)
    if (upTo <= from || (upTo < to && upTo - from < settleEverySeconds)) return
    this.#settled = withLate(this.#settled, traffic, { from, to: upTo })
    this.#before.from = upTo
  }
}

/** Adds what the rings have of seconds that were reported before a restart: new traffic, in time that was reported. */
function withLate(before: Sums, { ofTotal, labelled }: TallyTraffic, { from, to }: Stretch): Sums {
  if (ofTotal === null || to <= from) return before
  const { packets, bytes, flows } = ofTotal.sum(from, to)
  if (packets === 0) return before
  const packetsByLabel = packetsOf(labelled, from, to)
  const sums = addSums(before, { seconds: 0, packets, bytes, flows, packetsByLabel, peak: noPeak })
  const average = averagesOf(sums)
  if (before.peak.packetsPerSecond >= average.packetsPerSecond) return sums
  // The busiest of these seconds is not known.
  const { packetsPerSecond, bytesPerSecond, flowsPerSecond } = average
  return { ...sums, peak: { packetsPerSecond, bytesPerSecond, flowsPerSecond, atMs: before.peak.atMs } }
}

function packetsOf(labelled: TallyTraffic['labelled'], from: number, to: number): Map<string, number> {
  const byLabel = new Map<string, number>()
  for (const { label, ring } of labelled) {
    const packets = ring?.packetsIn(from, to) ?? 0
    if (packets > 0) byLabel.set(label, (byLabel.get(label) ?? 0) + packets)
  }
  return byLabel
}

/** Both together. */
export function addSums(a: Sums, b: Sums): Sums {
  const packetsByLabel = new Map(a.packetsByLabel)
  for (const [label, packets] of b.packetsByLabel) packetsByLabel.set(label, (packetsByLabel.get(label) ?? 0) + packets)
  return {
    seconds: a.seconds + b.seconds,
    packets: a.packets + b.packets,
    bytes: a.bytes + b.bytes,
    flows: a.flows + b.flows,
    packetsByLabel,
    peak: b.peak.packetsPerSecond > a.peak.packetsPerSecond ? b.peak : a.peak,
  }
}

/** Averages over active time, per second. */
export function averagesOf({ seconds, packets, bytes, flows }: Sums): Omit<Amount, 'peak'> {
  const over = Math.max(1, seconds)
  return {
    activeSeconds: seconds,
    packetsPerSecond: packets / over,
    bytesPerSecond: bytes / over,
    flowsPerSecond: flows / over,
  }
}

/** The parts of the vectors, the largest first; they add up to one at most. */
export function vectorsOf({ seconds, packets, packetsByLabel }: Sums): VectorShare[] {
  const ofLabels = packetsByLabel.values().reduce((sum, each) => sum + each, 0)
  const all = Math.max(packets, ofLabels)
  if (all === 0) return []
  return Array.from(packetsByLabel, ([label, each]) => ({
    label,
    share: each / all,
    packetsPerSecond: each / Math.max(1, seconds),
  }))
    .filter(({ share }) => share >= vectorShareMin)
    .sort((a, b) => b.share - a.share)
}

/** 1 for each second from `from` on that is not quiet itself, and lies in a span whose average is not quiet. */
function activityOf(ofVectors: TallyTraffic['ofVectors'], from: number, to: number): Uint8Array {
  const isActive = new Uint8Array(to - from)
  for (const { ring, quietBelow } of ofVectors) {
    if (ring === null) continue
    const first = Math.max(ring.first, from - spanSeconds + 1)
    const last = Math.min(ring.last + 1, to + spanSeconds - 1)
    if (last - first < 1) continue
    const sums = ring.packetSums(first, last)
    for (let second = first; second < last; second++) {
      const end = Math.min(second + spanSeconds, last)
      const packets = sums[end - first] - sums[second - first]
      if (packets < quietBelow * spanSeconds) continue
      for (let each = Math.max(second, from); each < Math.min(end, to); each++) {
        if (sums[each + 1 - first] - sums[each - first] >= quietBelow) isActive[each - from] = 1
      }
    }
  }
  return isActive
}

/** Shortest gap that is a pause. Behind coarse sampling few packets of an attack are seen: a gap is a pause when some would have been. */
function pauseSecondsOf(ofVectors: TallyTraffic['ofVectors'], isActive: Uint8Array, from: number, to: number): number {
  const seconds = isActive.reduce((sum, each) => sum + each, 0)
  const observed = ofVectors.reduce((most, { ring }) => Math.max(most, ring?.sum(from, to).observed ?? 0), 0)
  if (seconds === 0 || observed === 0) return pauseSecondsMin
  return Math.max(pauseSecondsMin, Math.ceil((judgement.observedMin * seconds) / observed))
}

function sumsWith(before: Sums, { ofTotal, labelled }: TallyTraffic, stretches: readonly Stretch[]): Sums {
  if (ofTotal === null || stretches.length === 0) return before
  const packetsByLabel = new Map<string, number>()
  let [seconds, packets, bytes, flows] = [0, 0, 0, 0]
  let peak = noPeak
  for (const { from, to } of stretches) {
    const window = ofTotal.sum(from, to)
    seconds += to - from
    packets += window.packets
    bytes += window.bytes
    flows += window.flows
    for (const [label, ofLabel] of packetsOf(labelled, from, to))
      packetsByLabel.set(label, (packetsByLabel.get(label) ?? 0) + ofLabel)
    const ofStretch = peakOf(ofTotal, from, to)
    if (ofStretch.packetsPerSecond > peak.packetsPerSecond) peak = ofStretch
  }
  return addSums(before, { seconds, packets, bytes, flows, packetsByLabel, peak })
}

/** The span with most packets. A stretch shorter than a span is one, as is a short stretch whose average is higher than that of any span in it. */
function peakOf(ring: RateRing, from: number, to: number): Peak {
  const first = Math.max(from, ring.first)
  const last = Math.min(to, ring.last + 1)
  if (last <= first) return noPeak
  const sums = ring.packetSums(first, last)
  const seconds = Math.min(spanSeconds, last - first)
  let most = 0
  let mostAt = first
  let length = seconds
  for (let second = first; second <= last - seconds; second++) {
    const packets = sums[second + seconds - first] - sums[second - first]
    if (packets <= most) continue
    most = packets
    mostAt = second
  }
  if (sums[last - first] / (to - from) > most / seconds) {
    mostAt = from
    length = to - from
  }
  const { packets, bytes, flows } = ring.sum(mostAt, mostAt + length)
  return {
    packetsPerSecond: packets / length,
    bytesPerSecond: bytes / length,
    flowsPerSecond: flows / length,
    atMs: mostAt * 1000,
  }
}
