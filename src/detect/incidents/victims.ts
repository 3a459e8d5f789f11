// The victims of an attack on a network: all addresses by /24, and the hardest hit ones with their rates.
import { addressBits, addressesIn } from '../../net/address-bits.ts'
import { networks as lines } from '../lines/networks.ts'
import { type Normal, noNormal } from '../normal/baseline.ts'
import { networkAt } from '../rates/network-sums.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import { lastMinutesOf } from '../targets/target-facts.ts'
import type { Incident } from './incident.ts'
import { noVictims, type Victim, type Victims } from './incident-report.ts'

const { hostsMin, victimPart, victimsListedMax, victimsListedMin } = lines

/** Addresses that are hit, and those that were: owners learn of the end, too. Those with an incident of their own are left out. */
export function victimsOf(
  incident: Incident,
  network: Target,
  hostsOf: (network: Target) => readonly Target[],
): Victims {
  if (!network.isNetwork) return noVictims
  const hosts = hostsOf(network)
  const { trafficClass, hit: hitUntilNow } = incident
  const before = hitBefore(hitUntilNow)
  const series = hosts.map((host) => host.series.get(trafficClass))
  const normals = normalsAmong(series, network.series.get(trafficClass)?.baseline ?? noNormal)
  const all = hosts.map((host, i) => {
    const { packets, bytes, seconds } = lastMinutesOf(incident, series[i]?.ring ?? null)
    // Its usual traffic is not part of the attack.
    const more = packets === 0 ? 0 : Math.max(0, 1 - (normals[i] * seconds) / packets)
    return { host, packetsPerSecond: (packets * more) / seconds, bytesPerSecond: (bytes * more) / seconds }
  })
  all.sort((a, b) => b.packetsPerSecond - a.packetsPerSecond)
  const least = victimPart * (all[Math.min(hostsMin, all.length) - 1]?.packetsPerSecond ?? 0)
  const hit = all.filter(({ host, packetsPerSecond }) => {
    if (before.has(host.address)) return true
    return packetsPerSecond > 0 && packetsPerSecond >= least && !hasOwn(host, incident)
  })
  const victims = hit.map(({ host: { address }, ...rates }) => ({ address, ...rates }))
  // After a restart they may have no traffic yet.
  const known = new Set(hosts.map(({ address }) => address))
  const listedBefore = new Map(hitUntilNow.victims.map((victim) => [victim.address, victim]))
  for (const address of before) {
    if (known.has(address)) continue
    victims.push(listedBefore.get(address) ?? { address, packetsPerSecond: 0, bytesPerSecond: 0 })
  }
  victims.sort((a, b) => b.packetsPerSecond - a.packetsPerSecond)
  return byNetwork(victims)
}

function hitBefore({ victims, networks }: Victims): Set<number> {
  const hit = new Set(victims.map(({ address }) => address))
  for (const { network, addresses } of networks) for (const address of addressesIn(network, addresses)) hit.add(address)
  return hit
}

/** Victims and their /24s, the hardest hit first. */
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
  if (all.length <= victimsListedMax) return { victims: [...all], networks }
  const ofEach = Math.max(victimsListedMin, Math.floor(victimsListedMax / grouped.size))
  const listed = new Set([...grouped.values()].flatMap((victims) => victims.slice(0, ofEach)))
  return { victims: all.filter((victim) => listed.has(victim)), networks }
}

function hasOwn(host: Target, attack: Incident): boolean {
  return host.incidents.some(
    ({ isOver, trafficClass, label }) => !isOver && attack.isOf({ trafficClass, label, besides: [] }),
  )
}

/**
 * Normal rates of hosts, packets a second. Hosts with peaks at different times have a higher sum than their network: what each has above its average then
 * counts in part.
 */
function normalsAmong(hosts: readonly (Series | undefined)[], ofNetwork: Normal): Float64Array {
  const averages = new Float64Array(hosts.length)
  const normals = new Float64Array(hosts.length)
  let average = 0
  let above = 0
  for (let i = 0; i < hosts.length; i++) {
    const { mean, level } = hosts[i]?.baseline ?? noNormal
    averages[i] = Math.min(mean, level)
    normals[i] = level
    average += averages[i]
    above += level - averages[i]
  }
  const left = Math.max(0, ofNetwork.level - average)
  const part = above > left ? left / above : 1
  for (let i = 0; i < hosts.length; i++) normals[i] = averages[i] + part * (normals[i] - averages[i])
  return normals
}
