// Whether packets belong to conversations: to connections that somebody opened, or accepted, and that carry something. What does not is a flood, however
// ordinary each of its packets is.
import { distinctSources, sourcePortSpread } from '../../aggregate/marks.ts'
import type { Classes } from '../../vectors/compile.ts'
import { acceptingFlags, type ConnectionPart, connectionLabels, type Vector } from '../../vectors/vectors.ts'
import { connections as lines } from '../lines/connections.ts'
import { judgement } from '../lines/judgement.ts'
import { normal } from '../lines/normal.ts'
import { noNormal } from '../normal/baseline.ts'
import type { RateRing, Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { JudgedBy } from './candidates.ts'
import { isForged } from './judge.ts'
import { areBareAcknowledgements, areLongConnections } from './kinds.ts'

/** What a record or a packet of each part shows: a connection was opened, was closed, carried something. */
export const shows: Readonly<Record<ConnectionPart, { opened: boolean; closed: boolean; carried: boolean }>> = {
  opens: { opened: true, closed: false, carried: false },
  empty: { opened: true, closed: true, carried: false },
  idle: { opened: true, closed: false, carried: true },
  whole: { opened: true, closed: true, carried: true },
  acknowledges: { opened: false, closed: false, carried: false },
  carries: { opened: false, closed: false, carried: true },
  closes: { opened: false, closed: true, carried: false },
}

/** Whether packets that open connections come with what such connections carry: then they are no SYN flood. */
export function areCarried(target: Target, opening: Series, window: Window, by: JudgedBy): boolean {
  return areAllCarried([target], opening.trafficClass, window, by)
}

/** The same for several targets together. */
export function areAllCarried(
  targets: readonly Target[],
  trafficClass: number,
  window: Window,
  { classes, learnt }: Pick<JudgedBy, 'classes' | 'learnt'>,
): boolean {
  const from = learnt ? 'level' : 'none'
  let opened = 0
  let carried = 0
  for (const target of targets) {
    const opening = target.series.get(trafficClass)
    if (opening === undefined) continue
    opened += packetsAbove(from, [opening], window)
    carried += packetsAbove(from, otherParts(target, opening, classes), window)
  }
  return carried > lines.carriedRatio * opened
}

/**
 * Whether acknowledgements come with packets that open connections and packets that carry something, as those of page loads do. False for every other class,
 * from made-up sources, which have no conversations, and while normal is not known: then all that is usual would come beside them.
 */
export function areConversations(
  targets: readonly Target[],
  trafficClass: number,
  window: Window,
  { classes, learnt }: Pick<JudgedBy, 'classes' | 'learnt'>,
): boolean {
  if (!learnt || isForged(window) || classes.vectors[trafficClass]?.connection !== 'acknowledges') return false
  const sums = { acknowledged: 0, beside: 0, opened: 0, carried: 0 }
  for (const target of targets) {
    for (const series of target.series.values()) {
      const part = classes.vectors[series.trafficClass]?.connection
      if (part === undefined) continue
      const packets = packetsAbove('level', [series], window)
      if (part === 'acknowledges') sums.acknowledged += packets
      else sums.beside += packets
      if (shows[part].opened) sums.opened += packets
      if (shows[part].carried) sums.carried += packets
    }
  }
  const { acknowledged, beside, opened, carried } = sums
  const least = lines.conversationPart * acknowledged
  return beside >= least && opened >= lines.openedPart * beside && carried >= lines.emptyPart * opened
}

/** Whether connections were opened, or not; `unknown` while too few packets were seen to expect any that opens one. */
export type Opening = 'opened' | 'unopened' | 'unknown'

/** Whether packets of connections come without those that open them. */
export function areUnopened(
  targets: readonly Target[],
  window: Window,
  by: Pick<JudgedBy, 'classes' | 'learnt'>,
): boolean {
  return openingOf(targets, window, by) === 'unopened'
}

/**
 * Whether packets of connections come with those that open them. Where records have one packet, or the exporter samples, packets that open are counted
 * beside them; else the connections that were opened in the last minutes beside those that are reported at a time.
 */
export function openingOf(
  targets: readonly Target[],
  window: Window,
  { classes, learnt }: Pick<JudgedBy, 'classes' | 'learnt'>,
): Opening {
  const sums = { all: 0, packets: 0, observed: 0, flows: 0, opened: 0, openings: 0, openingsSeen: 0, openingsUsual: 0 }
  const means = { packets: 0, opened: 0 }
  const { from, to } = window
  for (const target of targets) {
    for (const { trafficClass, ring, baseline } of target.series.values()) {
      const { connection: part, match } = classes.vectors[trafficClass] ?? {}
      const isOpening = part === undefined ? match?.flagsSet === acceptingFlags : shows[part].opened
      if (part === undefined && !isOpening) continue
      const { mean, level } = learnt ? baseline : noNormal
      means.packets += isOpening ? 0 : mean
      const own = ring?.sum(from, to)
      // One packet of a record opens its connection, however many it has.
      const openingPart = own !== undefined && own.observed > 0 ? own.flows / own.observed : 1
      means.opened += isOpening ? mean * openingPart : 0
      if (ring === null || own === undefined) continue
      if (isOpening) {
        sums.opened += Math.max(0, own.packets - level * (to - from)) * openingPart
        sums.openingsSeen += own.observed
        sums.openingsUsual += Math.min(own.observed, own.observed * ((mean * (to - from)) / Math.max(own.packets, 1)))
        sums.openings += moreRecords(ring, Math.max(ring.first, from - lines.openedSeconds), to, level)
        continue
      }
      sums.packets += Math.max(0, own.packets - mean * (to - from))
      sums.all += own.packets
      sums.observed += own.observed
      sums.flows += own.flows
    }
  }
  // Connections of some hosts last long: there fewer packets that open are usual.
  const expectedPart = means.packets < normal.levelMin ? lines.openingPart : means.opened / means.packets
  const isSampled = sums.all > judgement.sampledRatio * sums.observed
  // A record of several sampled packets is of a long connection, whose opening is hardly ever among them.
  const shortPart = isSampled ? Math.min(1, sums.flows / sums.observed) : 1
  const expected = expectedPart * shortPart * sums.observed
  const opened = expectedPart * shortPart * sums.packets
  if (expected < lines.openingsMin) return sums.opened > 0 && sums.opened >= opened ? 'opened' : 'unknown'
  if (sums.opened >= lines.unopenedPart * opened) return 'opened'
  if (isSampled) return areTooFew(sums, expected * (sums.packets / sums.all)) ? 'unopened' : 'unknown'
  const isEachOne = sums.observed <= judgement.unconnectedRatio * sums.flows
  const isUnopened = isEachOne || sums.openings < lines.unopenedRecords * (sums.flows / (to - from))
  return isUnopened ? 'unopened' : 'opened'
}

/** Whether so few sampled packets beyond the usual that open connections are no chance, even where visitors open fewer than is usual. */
function areTooFew(seen: { openingsSeen: number; openingsUsual: number }, expected: number): boolean {
  const { openingsSeen, openingsUsual } = seen
  const least = lines.openingsLeast * expected
  return openingsSeen - openingsUsual < least - lines.openingsSigmas * Math.sqrt(least + openingsUsual)
}

/** Records in the seconds `from` to `to` (exclusive) beyond those of the usual packets. */
function moreRecords(ring: RateRing, from: number, to: number, usual: number): number {
  const { packets, flows } = ring.sum(from, to)
  return packets === 0 ? 0 : flows * Math.max(0, 1 - (usual * (to - from)) / packets)
}

/** Whether packets are answers to connections that the target opened. */
const isAnswer = ({ match }: Vector) => match.srcPort !== undefined

/** Whether packets that accept connections come with answers over them: then the target opened these connections. */
export function areAnswered(target: Target, accepting: Series, window: Window, { classes }: JudgedBy): boolean {
  if (classes.vectors[accepting.trafficClass]?.match.flagsSet !== acceptingFlags) return false
  const answers = [...target.series.values()].filter(({ trafficClass }) => {
    const vector = classes.vectors[trafficClass]
    return vector?.connection !== undefined && isAnswer(vector)
  })
  return packetsAbove('level', answers, window) > lines.carriedRatio * packetsAbove('level', [accepting], window)
}

/** The label of packets that belong to no connection. */
export function unopenedLabel(vector: Vector): string {
  return isAnswer(vector) ? vector.label : connectionLabels.unopened
}

/**
 * Whether packets of open connections may be requests of real hosts, whose connections were opened unseen: behind sampling, or long before. Their source ports
 * are from the part of the range that systems give to connections; a program that makes packets up takes them from all of it, or one.
 */
export function isOfOpen(window: Window): boolean {
  const { packets, observed, flows, ports } = window
  if (packets <= observed && observed <= flows * judgement.unconnectedRatio) return false
  if (observed < judgement.spreadObserved) return isFromFew(window)
  const spread = sourcePortSpread(ports)
  return spread < judgement.sprayedSpread && (spread >= judgement.systemSpread || isFromFew(window))
}

/** Whether packets that come without those that open connections may belong to ones that last for hours. */
export function mayBeOfHours(window: Window, vector: Vector): boolean {
  return areLongConnections(window, vector) || areBareAcknowledgements(window, vector)
}

/** The label of an attack by a traffic class: acknowledgements of conversations are what a flood of connections consists of. */
export function labelOfClass(
  targets: readonly Target[],
  trafficClass: number,
  window: Window,
  by: Pick<JudgedBy, 'classes' | 'learnt'>,
): string | null {
  const vector = by.classes.vectors[trafficClass]
  if (areConversations(targets, trafficClass, window, by)) return connectionLabels.flood
  if (vector?.ordinary && vector.connection !== undefined) {
    const forged = isForged(window)
    const opening = openingOf(targets, window, by)
    const isOutside = forged || opening === 'unopened'
    if (isAnswer(vector)) return isOutside ? vector.label : null
    // A few packets that open connections beside acknowledgements are anybody's.
    const mayLast = !forged && mayBeOfHours(window, vector)
    if (mayLast && (isOutside || vector.connection === 'acknowledges')) return null
    if (isOutside) return !forged && isOfOpen(window) ? connectionLabels.flood : connectionLabels.unopened
    if (vector.connection !== 'acknowledges' && opening === 'unknown') return null
  }
  return by.classes.vectors[trafficClass]?.label ?? null
}

/** Whether acknowledgements have become more, and what visitors send beside them has not. */
export function areAlone(target: Target, acknowledging: Series, window: Window, { classes }: JudgedBy): boolean {
  const others = otherParts(target, acknowledging, classes)
  const usual = others.reduce((sum, { baseline }) => sum + baseline.mean, 0)
  const { mean } = acknowledging.baseline
  const expected = packetsAbove('mean', [acknowledging], window) * (usual / mean)
  // Too little is expected to be seen at all.
  if (!(expected * (window.observed / window.packets) >= judgement.observedMin)) return false
  return packetsAbove('mean', others, window) < lines.besidePart * expected
}

function otherParts(target: Target, own: Series, { vectors }: Classes): Series[] {
  return [...target.series.values()].filter((series) => {
    const part = vectors[series.trafficClass]?.connection
    return part !== undefined && part !== vectors[own.trafficClass]?.connection
  })
}

/** Packets in a window above what is normal for each series. */
function packetsAbove(normal: 'mean' | 'level' | 'none', parts: readonly Series[], { from, to }: Window): number {
  return parts.reduce((sum, { ring, baseline }) => {
    const usual = normal === 'none' ? 0 : baseline[normal] * (to - from)
    return sum + Math.max(0, (ring?.packetsIn(from, to) ?? 0) - usual)
  }, 0)
}

/** Whether the sources of a window are few. */
export function isFromFew({ sources }: Window): boolean {
  return distinctSources(sources) < lines.fewSources
}
