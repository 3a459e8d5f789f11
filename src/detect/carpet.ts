// An attack on a network as a whole: on many of its addresses alike, be it so thinly that none of them stands out (the same judgement on the sums of the
// network), or so that each does. It becomes one incident, of an address that gets as much as any, with the others as victims.
import { total } from '../vectors/compile.ts'
import { bandOf, deviationOf, type Normal } from './baseline.ts'
import { alarmsOf, type Candidate, type JudgedBy, worstOf } from './candidates.ts'
import { type Incident, isSameAttack } from './incident.ts'
import { type Alarm, observedMin, samplingError } from './judge.ts'
import { isWithin } from './networks.ts'
import type { Window } from './rates.ts'
import type { Target } from './target.ts'

/** A network adds up what comes to all its addresses: floors are so many times higher... */
export const floorFactor = 4
/** ...but not for ordinary traffic that so many of its addresses get alike: visitors go to few. */
export const wideHostsMin = 32
export const hostsMin = 8
/** The greatest part that one address may have. */
const shareMax = 0.5
/** Addresses are hit alike that get such a part of what the one that stands out gets. */
export const alikePart = 0.25

export interface NetworkTraffic {
  network: Target
  /** Finds its targets. */
  hostsOf: (network: Target) => Target[]
  /** What stands out at one of them. */
  candidates: readonly Candidate[]
}

export type Span = Pick<Window, 'from' | 'to'>

export function carpetCandidates(traffic: NetworkTraffic, by: JudgedBy): Candidate[] {
  return [...wideCandidates(traffic), ...thinCandidates(traffic, by)]
}

/** Whether what stands out at an address, or a longer network, is but its part of an attack on a network that it is in. */
export function isPartOf(network: Target, part: Target, candidate: Candidate): boolean {
  if (!network.incidents.some((incident) => !incident.isOver && isSameAttack(incident, candidate))) return false
  return part.isNetwork || !exceedsPart(part, network, candidate.trafficClass, candidate.alarm.window)
}

/** Whether the same goes on at an address, and is too much for a part of what stands out at its network. */
export function isAttackedAlone(host: Target, network: Target, candidate: Candidate): boolean {
  const { window } = candidate.alarm
  return host.incidents.some((own) => !own.isOver && own.isOf(candidate) && isAlone(own, host, network, window))
}

/** What was told of as going on at an address, or a longer network, and is but its part of an attack on a network that it is in. */
export function attackPartsOf(attack: Incident, network: Target, part: Target, span: Span): Incident[] {
  return part.incidents.filter((own) => {
    const { trafficClass, label, isOver, lastReportMs } = own
    if (isOver || lastReportMs === 0 || !attack.isOf({ trafficClass, label, besides: [] })) return false
    return part.isNetwork || !isAlone(own, part, network, span)
  })
}

/** Judged by what shows the attack on the network since both go on. */
function isAlone(own: Incident, host: Target, network: Target, span: Span): boolean {
  const from = Math.max(span.from, own.startSecond)
  const to = Math.max(span.to, own.lastSecond + 1)
  return exceedsPart(host, network, own.trafficClass, { from, to })
}

/** Whether an address gets too much of what comes of a class to its network for it to be a part of an attack on all. */
function exceedsPart(host: Target, network: Target, trafficClass: number, { from, to }: Span): boolean {
  const packetsTo = ({ series }: Target) => series.get(trafficClass)?.ring?.packetsIn(from, to) ?? 0
  const packets = packetsTo(host)
  if (packets > shareMax * packetsTo(network)) return true
  // It may be little of what comes to all /24s of an area, and most of what makes one of them stick out.
  const own = network.wholes.find((whole) => isWithin(host, whole))
  if (own === undefined || packets <= shareMax * packetsTo(own)) return false
  const others = network.wholes.filter((whole) => whole !== own)
  const mean = others.reduce((sum, whole) => sum + packetsTo(whole), 0) / others.length
  return alikePart * packetsTo(own) > mean
}

/** What stands out at one address, and comes to others alike. */
function wideCandidates({ network, hostsOf, candidates }: NetworkTraffic): Candidate[] {
  if (candidates.length === 0) return []
  const hosts = hostsOf(network)
  // Addresses that are hit alike stand out in the same windows: what comes in one is added up once for all.
  const spreads = new Map<string, Spread>()
  return candidates.flatMap((candidate) => {
    const { address, trafficClass, alarm } = candidate
    const series = network.series.get(trafficClass)
    if (trafficClass === total || series?.ring == null) return []
    const { from, to } = alarm.window
    const key = `${trafficClass} ${from} ${to}`
    const spread = spreads.get(key) ?? spreadOf(hosts, trafficClass, series.ring.sum(from, to))
    spreads.set(key, spread)
    // As many as are hit alike get as much as the last of them does.
    const last = spread.heaviest[hostsMin - 1] ?? 0
    if (!spread.isWide || last <= 0 || last < alikePart * (spread.parts.get(address) ?? 0)) return []
    return [{ ...candidate, alarm: ofNetwork(alarm, spread.window, series.baseline) }]
  })
}

/** What comes of a class in a window, above normal, to the addresses of a network. */
interface Spread {
  /** What comes to all together, normal or not. */
  window: Window
  /** By address, packets. */
  parts: Map<number, number>
  /** The parts of the `hostsMin` that get most, packets, descending. */
  heaviest: number[]
  /** Whether no address gets too much of it. */
  isWide: boolean
}

function spreadOf(hosts: readonly Target[], trafficClass: number, window: Window): Spread {
  const parts = new Map(hosts.map((host) => [host.address, excessOf(host, trafficClass, window)]))
  const descending = Float64Array.from(parts.values()).sort().reverse()
  const sum = descending.reduce((all, part) => all + part, 0)
  return { window, parts, heaviest: [...descending.subarray(0, hostsMin)], isWide: descending[0] <= shareMax * sum }
}

/** The alarm of an address, or a longer network, as one of the network that it is in: the window is that of the network. */
export function ofNetwork({ line, rate, whole, moreOfTheSame, why }: Alarm, window: Window, normal: Normal): Alarm {
  const seconds = window.to - window.from
  const all = window.packets / seconds
  const networkLine = all * (line / rate)
  const least = window.packets / window.observed / seconds
  const known = why.normal === null ? {} : { normal: normal.level, band: bandOf(normal, 1) }
  return {
    window,
    rate: all,
    line: networkLine,
    normal: normal.level,
    deviation: deviationOf(all, normal.level, least),
    whole,
    moreOfTheSame,
    why: { ...why, metric: 'packets', value: all, threshold: networkLine, error: samplingError(window), ...known },
  }
}

/** Packets above normal. */
export function excessOf(target: Target, trafficClass: number, { from, to }: Span): number {
  const series = target.series.get(trafficClass)
  if (series?.ring == null) return 0
  return Math.max(0, series.ring.packetsIn(from, to) - series.baseline.level * (to - from))
}

/** What stands out in the sums only. */
function thinCandidates({ network, hostsOf }: NetworkTraffic, by: JudgedBy): Candidate[] {
  return [...network.series.values()].flatMap((series) => {
    const { trafficClass, baseline } = series
    const vector = by.classes.vectors[trafficClass]
    if (trafficClass === total || vector === undefined) return []
    const { sensitivity } = by.limits
    // The lower line first: whether many addresses are hit costs more to find out.
    const alarm = worstOf(
      alarmsOf(network, series, {
        vector,
        baseline,
        learnt: by.learnt,
        sensitivity: vector.ordinary ? sensitivity : sensitivity / floorFactor,
        wide: true,
      }),
    )
    if (alarm === null) return []
    const { from, to } = alarm.window
    // Those that stand out have incidents of their own.
    const rest = hostsOf(network).filter(({ inIncident }) => !inIncident)
    const hit = rest.flatMap((host) => {
      const window = host.series.get(trafficClass)?.ring?.sum(from, to)
      return window === undefined || window.packets === 0 ? [] : [{ address: host.address, ...window }]
    })
    if (hit.length < hostsMin) return []
    const most = hit.reduce((heaviest, part) => (part.packets > heaviest.packets ? part : heaviest))
    const packets = hit.reduce((all, part) => all + part.packets, -most.packets)
    const observed = hit.reduce((all, part) => all + part.observed, -most.observed)
    // Without the address that gets most of it, too, it is an attack: the others' part is not just what they get anyway.
    if (packets <= alarm.line * (to - from) || observed < observedMin || most.packets > packets) return []
    if (vector.ordinary && hit.length < wideHostsMin && alarm.rate < alarm.line * floorFactor) return []
    const { address } = most
    return [{ address, trafficClass, label: vector.label, besides: vector.besides ?? [], alarm, isNewVector: true }]
  })
}
