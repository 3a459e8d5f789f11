// An attack spread over a network so thinly that no address of it stands out: the same judgement on the sums of a /24, if many of its
// addresses have their part. It becomes the incident of an address that gets as much as any.
import { networkOf } from '../net/prefix.ts'
import { total } from '../vectors/compile.ts'
import { alarmsOf, type Candidate, type JudgedBy, worstOf } from './candidates.ts'
import type { Target } from './target.ts'

/** A network adds up what comes to all its addresses: floors are so many times higher... */
const floorFactor = 4
/** ...but not for ordinary traffic that so many of its addresses get alike: visitors go to few. */
const wideHostsMin = 32
const hostsMin = 8
/** The greatest part that one address may have. */
const shareMax = 0.5

export function networkAt(address: number): number {
  return networkOf(address, 24)
}

/** `hostsOf`: finds the targets in the network. */
export function carpetCandidates(network: Target, hostsOf: () => Target[], by: JudgedBy): Candidate[] {
  return [...network.series.values()].flatMap((series) => {
    const { trafficClass, baseline } = series
    const vector = by.classes.vectors[trafficClass]
    if (trafficClass === total || vector === undefined) return []
    const test = { vector, baseline, learnt: by.learnt }
    const { sensitivity } = by.limits
    // The lower line first: whether many addresses are hit costs more to find out.
    const alarm = worstOf(
      alarmsOf(network, series, {
        ...test,
        sensitivity: vector.ordinary ? sensitivity : sensitivity / floorFactor,
        wide: true,
      }),
    )
    if (alarm === null) return []
    const { from, to, packets } = alarm.window
    const hosts = hostsOf()
    // Those whose addresses stand out have incidents of their own.
    if (hosts.some(({ inIncident }) => inIncident)) return []
    const parts = hosts.map((host) => host.series.get(trafficClass)?.ring?.packetsIn(from, to) ?? 0)
    const most = Math.max(...parts)
    const hit = parts.filter((part) => part > 0).length
    if (hit < hostsMin || most > shareMax * packets) return []
    if (vector.ordinary && hit < wideHostsMin && alarm.rate < alarm.line * floorFactor) return []
    return [
      {
        address: hosts[parts.indexOf(most)].address,
        trafficClass,
        label: vector.label,
        besides: [],
        alarm,
        isNewVector: false,
      },
    ]
  })
}
