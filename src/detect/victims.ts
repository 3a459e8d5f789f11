// Who is hit by an attack on a network: every address, by /24, and the hardest hit ones by themselves.
import { addressBits, addressesIn } from '../net/address-bits.ts'
import { noNormal } from './baseline.ts'
import { hostsMin } from './carpet.ts'
import type { Incident } from './incident.ts'
import { noVictims, type Victim, type Victims } from './incident-report.ts'
import { networkAt } from './networks.ts'
import type { Target } from './target.ts'
import { lastMinutesOf } from './target-facts.ts'

/** An address is hit that gets such a part of what the last of the `hostsMin` hardest hit ones gets. */
const victimPart = 0.05
/** Of more victims than these, the hardest hit of each /24 are listed: as many of each, and no fewer than `listedMin`. */
const listedMax = 1_024
const listedMin = 4

/** Who is hit, and who was: owners are to hear of the end, too. Those that have an incident of their own are left out. */
export function victimsOf(
  incident: Incident,
  network: Target,
  hostsOf: (network: Target) => readonly Target[],
): Victims {
  if (!network.isNetwork) return noVictims
  const hosts = hostsOf(network)
  const { trafficClass, hit: hitUntilNow } = incident
  const before = hitBefore(hitUntilNow)
  const normalOf = normalAmong(hosts, network, trafficClass)
  const all = hosts.map((host) => {
    const { packets, bytes, seconds } = lastMinutesOf(incident, host.series.get(trafficClass)?.ring ?? null)
    // What it has anyway is no part of the attack.
    const more = packets === 0 ? 0 : Math.max(0, 1 - (normalOf(host) * seconds) / packets)
    return { host, packetsPerSecond: (packets * more) / seconds, bytesPerSecond: (bytes * more) / seconds }
  })
  all.sort((a, b) => b.packetsPerSecond - a.packetsPerSecond)
  const least = victimPart * (all[Math.min(hostsMin, all.length) - 1]?.packetsPerSecond ?? 0)
  const hit = all.filter(({ host, packetsPerSecond }) => {
    if (before.has(host.address)) return true
    return packetsPerSecond > 0 && packetsPerSecond >= least && !hasOwn(host, incident)
  })
  const victims = hit.map(({ host: { address }, ...rates }) => ({ address, ...rates }))
  // After a restart nothing may have been heard of them yet.
  const known = new Set(hosts.map(({ address }) => address))
  const listedBefore = new Map(hitUntilNow.victims.map((victim) => [victim.address, victim]))
  for (const address of before) {
    if (known.has(address)) continue
    victims.push(listedBefore.get(address) ?? { address, packetsPerSecond: 0, bytesPerSecond: 0 })
  }
  return byNetwork(victims)
}

function hitBefore({ victims, networks }: Victims): Set<number> {
  const hit = new Set(victims.map(({ address }) => address))
  for (const { network, addresses } of networks) for (const address of addressesIn(network, addresses)) hit.add(address)
  return hit
}

/** All of them, the hardest hit first. */
function byNetwork(all: readonly Victim[]): Victims {
  const grouped = new Map<number, Victim[]>()
  for (const victim of all) {
    const whole = networkAt(victim.address)
    const known = grouped.get(whole)
    if (known === undefined) grouped.set(whole, [victim])
    else known.push(victim)
  }
  const networks = Array.from(grouped, ([network, victims]) => ({
    network,
    addresses: addressBits(victims.map(({ address }) => address)),
    packetsPerSecond: victims.reduce((sum, victim) => sum + victim.packetsPerSecond, 0),
    bytesPerSecond: victims.reduce((sum, victim) => sum + victim.bytesPerSecond, 0),
  }))
  networks.sort((a, b) => b.packetsPerSecond - a.packetsPerSecond)
  if (all.length <= listedMax) return { victims: [...all], networks }
  const ofEach = Math.max(listedMin, Math.floor(listedMax / grouped.size))
  const listed = new Set([...grouped.values()].flatMap((victims) => victims.slice(0, ofEach)))
  return { victims: all.filter((victim) => listed.has(victim)), networks }
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
