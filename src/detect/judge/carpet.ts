// Attacks on a network as a whole: on many of its addresses alike, whether each of them stands out or only the sums of the network do. Such an attack is one
// incident, of the hardest hit address or one hit as hard, with the others as victims.
import { total } from '../../vectors/compile.ts'
import { type Incident, isSameAttack } from '../incidents/incident.ts'
import { judgement } from '../lines/judgement.ts'
import { networks as lines } from '../lines/networks.ts'
import { bandOf, deviationOf, type Normal } from '../normal/baseline.ts'
import { isWithin } from '../rates/network-sums.ts'
import type { Window } from '../rates/rates.ts'
import type { Target } from '../targets/target.ts'
import { alarmsOf, type Candidate, type JudgedBy, worstOf } from './candidates.ts'
import { areConversations, areUnopened, labelOfClass } from './conversations.ts'
import { type Alarm, isForged, mayBeWide, samplingError } from './judge.ts'

const { hostsMin, floorFactor, wideHostsMin, shareMax, alikePart } = lines

export interface NetworkTraffic {
  network: Target
  /** Finds the targets of a network that are judged. */
  hostsOf: (network: Target) => Target[]
  /** What stands out at its addresses. */
  candidates: readonly Candidate[]
}

export type Span = Pick<Window, 'from' | 'to'>

export function carpetCandidates(traffic: NetworkTraffic, by: JudgedBy): Candidate[] {
  return [...wideCandidates(traffic), ...thinCandidates(traffic, by)]
}

/** Whether what stands out at an address, or a network with a longer prefix, is part of an attack on a network that holds it. */
export function isPartOf(network: Target, part: Target, candidate: Candidate): boolean {
  if (!network.incidents.some((incident) => !incident.isOver && isSameAttack(incident, candidate))) return false
  return part.isNetwork || !exceedsPart(part, network, candidate.trafficClass, candidate.alarm.window)
}

/** Whether the same attack goes on at an address, and is too much to be part of what stands out at its network. */
export function isAttackedAlone(host: Target, network: Target, candidate: Candidate): boolean {
  const { window } = candidate.alarm
  return host.incidents.some((own) => !own.isOver && own.isOf(candidate) && isAlone(own, host, network, window))
}

/** The reported attacks on an address, or a network with a longer prefix, that are part of an attack on a network that holds it. */
export function attackPartsOf(attack: Incident, network: Target, part: Target, span: Span): Incident[] {
  return part.incidents.filter((own) => {
    const { trafficClass, label, isOver, lastReportMs } = own
    if (isOver || lastReportMs === 0 || !attack.isOf({ trafficClass, label, besides: [] })) return false
    return part.isNetwork || !isAlone(own, part, network, span)
  })
}

/** Whether an attack is on the address alone, by what came since both go on. */
function isAlone(own: Incident, host: Target, network: Target, span: Span): boolean {
  const from = Math.max(span.from, own.startSecond)
  const to = Math.max(span.to, own.lastSecond + 1)
  return exceedsPart(host, network, own.trafficClass, { from, to })
}

/** Whether an address gets too much of a class at its network to be hit by an attack on all. */
function exceedsPart(host: Target, network: Target, trafficClass: number, { from, to }: Span): boolean {
  const packetsTo = ({ series }: Target) => series.get(trafficClass)?.ring?.packetsIn(from, to) ?? 0
  const packets = packetsTo(host)
  if (packets > shareMax * packetsTo(network)) return true
  // In an area it may be little of the sum, and yet most of what its own /24 gets more than the others.
  const own = network.wholes.find((whole) => isWithin(host, whole))
  if (own === undefined || packets <= shareMax * packetsTo(own)) return false
  const others = network.wholes.filter((whole) => whole !== own)
  const mean = others.reduce((sum, whole) => sum + packetsTo(whole), 0) / others.length
  return alikePart * packetsTo(own) > mean
}

/** Candidates of single addresses whose traffic comes to others of the network alike. */
function wideCandidates({ network, hostsOf, candidates }: NetworkTraffic): Candidate[] {
  if (candidates.length === 0) return []
  const hosts = hostsOf(network)
  // Addresses that are hit alike stand out in the same windows: the sums of a window are made once for all.
  const spreads = new Map<string, Spread>()
  return candidates.flatMap((candidate) => {
    const { address, trafficClass, alarm } = candidate
    const series = network.series.get(trafficClass)
    if (trafficClass === total || series?.ring == null) return []
    const { from, to } = alarm.window
    const key = `${trafficClass} ${from} ${to}`
    const spread = spreads.get(key) ?? spreadOf(hosts, trafficClass, series.ring.sum(from, to))
    spreads.set(key, spread)
    // The address that is hit `hostsMin`-th hardest must get `alikePart` of what this one gets.
    const last = spread.heaviest[hostsMin - 1] ?? 0
    if (!spread.isWide || last <= 0 || last < alikePart * (spread.parts.get(address) ?? 0)) return []
    return [{ ...candidate, alarm: ofNetwork(alarm, spread.window, series.baseline) }]
  })
}

/** How a class in a window is spread over the addresses of a network, above their normal. */
interface Spread {
  /** Sums of all addresses, normal traffic included. */
  window: Window
  /** Packets above normal by address. */
  parts: Map<number, number>
  /** The largest `hostsMin` of these, descending. */
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

/** The alarm of an address, or a network with a longer prefix, as one of the network that holds it, whose window is given. */
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
    why: {
      ...{ ...why, metric: 'packets', value: all, threshold: networkLine, error: samplingError(window), ...known },
      unlearnt:
        why.unlearnt === null
          ? null
          : {
              threshold: why.unlearnt.threshold * (all / rate),
              deviation: deviationOf(all, 0, least),
              measurable: least,
            },
    },
  }
}

/** Packets of a class above normal in a span. */
export function excessOf(target: Target, trafficClass: number, { from, to }: Span): number {
  const series = target.series.get(trafficClass)
  if (series?.ring == null) return 0
  return Math.max(0, series.ring.packetsIn(from, to) - series.baseline.level * (to - from))
}

/** Candidates that stand out in the sums only. */
function thinCandidates({ network, hostsOf }: NetworkTraffic, by: JudgedBy): Candidate[] {
  let rest: Target[] | null = null
  return [...network.series.values()].flatMap((series) => {
    const { trafficClass, baseline } = series
    const vector = by.classes.vectors[trafficClass]
    if (trafficClass === total || vector === undefined) return []
    const { sensitivity } = by.limits
    const alarm = worstOf(
      alarmsOf(network, series, {
        vector,
        baseline,
        learnt: by.learnt,
        sensitivity,
        wide: true,
        // The lowest line comes first: it is expensive to find out how many addresses are hit.
        floorFactor: mayBeWide(vector) ? 1 : floorFactor,
        isConversation: (window) => areConversations([network], trafficClass, window, by),
        isUnopened: (window) => areUnopened([network], window, by),
      }),
    )
    if (alarm === null) return []
    const { from, to } = alarm.window
    // Those that stand out have incidents of their own.
    rest ??= hostsOf(network).filter(({ inIncident }) => !inIncident)
    const { hit, hardest, mostPackets, otherPackets, otherObserved } = sharesOf(rest, trafficClass, alarm.window)
    if (hardest === null || hit < hostsMin) return []
    // It must be an attack without the hardest hit address, too: the part of the others is not their usual traffic.
    if (otherPackets <= alarm.line * (to - from) || otherObserved < judgement.observedMin) return []
    if (mostPackets > shareMax * (mostPackets + otherPackets)) return []
    const isAlike = hit >= wideHostsMin || isForged(alarm.window)
    if (mayBeWide(vector) && !isAlike && alarm.rate < alarm.line * floorFactor) return []
    const { address } = hardest
    const label = labelOfClass([network], trafficClass, alarm.window, by)
    return [{ address, trafficClass, label, besides: vector.besides ?? [], alarm, isNewVector: true }]
  })
}

/** How a class in a span is shared by addresses: what the hardest hit one gets, and all others together. */
interface Shares {
  /** Addresses that get some of it. */
  hit: number
  hardest: Target | null
  mostPackets: number
  otherPackets: number
  otherObserved: number
}

/** An attack on a network makes this run for each of its addresses in every second: it adds up without a list of them. */
function sharesOf(hosts: readonly Target[], trafficClass: number, { from, to }: Span): Shares {
  let [hit, packets, observed, mostPackets, mostObserved] = [0, 0, 0, 0, 0]
  let hardest: Target | null = null
  for (const host of hosts) {
    const window = host.series.get(trafficClass)?.ring?.sum(from, to)
    if (window === undefined || window.packets === 0) continue
    hit++
    packets += window.packets
    observed += window.observed
    if (window.packets <= mostPackets) continue
    hardest = host
    mostPackets = window.packets
    mostObserved = window.observed
  }
  return { hit, hardest, mostPackets, otherPackets: packets - mostPackets, otherObserved: observed - mostObserved }
}
