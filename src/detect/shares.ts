// What an attack consists of, by what the last minutes still hold: which vectors have which part of the traffic, and which addresses of a network are hit.
import type { Classes } from '../vectors/compile.ts'
import { bandOf, noNormal } from './baseline.ts'
import { hostsMin } from './carpet.ts'
import type { Incident } from './incident.ts'
import type { Course, Followed, VectorShare, Victim } from './incident-report.ts'
import type { RateRing } from './rates.ts'
import type { Target } from './target.ts'

/** Smaller parts are not told of. */
const shareMin = 0.01
/** An address is hit that gets such a part of what the last of the `hostsMin` hardest hit ones gets. */
const victimPart = 0.05

export function vectorsOf(incident: Incident, { series, total }: Target, classes: Classes): VectorShare[] {
  const all = lastMinutesOf(incident, total.ring)
  if (all.packets === 0) return []
  const packets = new Map<string, number>()
  for (const { trafficClass, ring } of series.values()) {
    const label = classes.vectors[trafficClass]?.label
    if (label === undefined) continue
    packets.set(label, (packets.get(label) ?? 0) + lastMinutesOf(incident, ring).packets)
  }
  return [...packets]
    .map(([label, sum]) => ({ label, share: sum / all.packets, packetsPerSecond: sum / all.seconds }))
    .filter(({ share }) => share >= shareMin)
    .sort((a, b) => b.share - a.share)
}

/** Who is hit, and who was: owners are to hear of the end, too. Those that have an incident of their own are left out. */
export function victimsOf(incident: Incident, network: Target, hosts: readonly Target[]): Victim[] {
  const { trafficClass, consistsOf } = incident
  const before = new Set(consistsOf.victims.map(({ address }) => address))
  const normalOf = normalAmong(hosts, network, trafficClass)
  const all = hosts.map((host) => {
    const { packets, bytes, seconds } = lastMinutesOf(incident, host.series.get(trafficClass)?.ring ?? null)
    // What it has anyway is no part of the attack.
    const more = packets === 0 ? 0 : Math.max(0, 1 - (normalOf(host) * seconds) / packets)
    return { host, packetsPerSecond: (packets * more) / seconds, bytesPerSecond: (bytes * more) / seconds }
  })
  all.sort((a, b) => b.packetsPerSecond - a.packetsPerSecond)
  const least = victimPart * (all[Math.min(hostsMin, all.length) - 1]?.packetsPerSecond ?? 0)
  const victims = all.filter(({ host, packetsPerSecond }) => {
    if (before.has(host.address)) return true
    return packetsPerSecond > 0 && packetsPerSecond >= least && !hasOwn(host, incident)
  })
  const known = new Set(hosts.map(({ address }) => address))
  return [
    ...victims.map(({ host: { address }, ...rates }) => ({ address, ...rates })),
    // After a restart nothing may have been heard of them yet.
    ...consistsOf.victims.filter(({ address }) => !known.has(address)),
  ]
}

function hasOwn(host: Target, attack: Incident): boolean {
  return host.incidents.some(
    ({ isOver, trafficClass, label }) => !isOver && attack.isOf({ trafficClass, label, besides: [] }),
  )
}

/**
 * What is normal for each of the hosts, packets a second. Those that have their peaks at different times have more, together, than their network has: what
 * each has above its average counts in part then.
 */
function normalAmong(hosts: readonly Target[], network: Target, trafficClass: number): (host: Target) => number {
  const baselineOf = ({ series }: Target) => series.get(trafficClass)?.baseline ?? noNormal
  const averageOf = (host: Target) => Math.min(baselineOf(host).mean, baselineOf(host).level)
  const aboveOf = (host: Target) => baselineOf(host).level - averageOf(host)
  const sumOf = (rateOf: (host: Target) => number) => hosts.reduce((sum, host) => sum + rateOf(host), 0)
  const above = sumOf(aboveOf)
  const ofNetwork = Math.max(0, baselineOf(network).level - sumOf(averageOf))
  const part = above > ofNetwork ? ofNetwork / above : 1
  return (host) => averageOf(host) + part * aboveOf(host)
}

/** As far back as the ring reaches. */
function lastMinutesOf({ startSecond, lastSecond }: Incident, ring: RateRing | null) {
  const from = Math.max(startSecond, ring?.first ?? startSecond)
  const seconds = Math.max(1, lastSecond + 1 - from)
  const { packets, bytes } = ring?.sum(from, lastSecond + 1) ?? { packets: 0, bytes: 0 }
  return { packets, bytes, seconds }
}

/** Null: it is not learnt. */
export function normalOf(target: Target, trafficClass: number): Course['normal'] {
  const series = target.series.get(trafficClass)
  if (series === undefined || !target.learnt) return null
  return { total: bandOf(target.total.baseline, 1), attack: bandOf(series.baseline, 1) }
}

/** Where an attack on several /24s is. */
export function areaOf({ length, wholes }: Target): Pick<Followed, 'networkLength' | 'wholes'> {
  return { networkLength: length, wholes: wholes.map(({ address }) => address) }
}
