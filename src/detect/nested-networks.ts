// Which network is attacked when an attack stands out in several that hold each other: the longest that has nearly all of it.
import type { Candidate } from './candidates.ts'
import { excessOf, ofNetwork } from './carpet.ts'
import { isSameAttack } from './incident.ts'
import type { Networks } from './networks.ts'
import type { Target } from './target.ts'

/** A network that has such a part of an attack is what is attacked. */
const nearlyAll = 0.9
/** One that holds more than that stands out at so many times its normal: that it is an attack, the longer one has shown. */
const normalRatio = 3

type Found = ReadonlyMap<Target, readonly Candidate[]>

/** `found`: what stands out in networks, each before those in it. The same, where it belongs. */
export function ofNetworksAttacked(found: Found, networks: Networks): Map<Target, Candidate[]> {
  const attacked = new Map(Array.from(found.keys(), (network): [Target, Candidate[]] => [network, []]))
  for (const [network, candidates] of found) {
    const parts = networks.within(network)
    const shorter = networks.holding(network)
    for (const candidate of candidates) {
      if (parts.some((part) => isOf(part, network, candidate, found))) continue
      attacked.get(network)?.push(candidate)
      for (const whole of shorter) {
        const known = attacked.get(whole)
        const asWhole = known === undefined ? null : ofMore(whole, network, candidate)
        if (asWhole !== null && !hasClass(known, candidate)) known?.push(asWhole)
      }
    }
  }
  return attacked
}

/** Whether an attack on a network is one of the part of it where it stands out, too. What was one of the whole until now still is. */
function isOf(part: Target, network: Target, candidate: Candidate, found: Found): boolean {
  if (network.incidents.some((incident) => isSameAttack(incident, candidate))) return false
  const goesOn = part.incidents.some((incident) => !incident.isOver && isSameAttack(incident, candidate))
  return (goesOn || hasClass(found.get(part), candidate)) && hasNearlyAll(part, network, candidate)
}

/** What stands out in a part of a network, as an attack on more than that; null: it is none. */
function ofMore(network: Target, part: Target, candidate: Candidate): Candidate | null {
  const series = network.series.get(candidate.trafficClass)
  if (series?.ring == null || hasNearlyAll(part, network, candidate)) return null
  const { from, to } = candidate.alarm.window
  const alarm = ofNetwork(candidate.alarm, series.ring.sum(from, to), series.baseline)
  const line = Math.max(alarm.line, normalRatio * series.baseline.level)
  if (alarm.rate <= line) return null
  const source = line > alarm.line ? 'baseline' : alarm.why.source
  return { ...candidate, alarm: { ...alarm, line, why: { ...alarm.why, threshold: line, source } } }
}

function hasNearlyAll(part: Target, network: Target, { trafficClass, alarm }: Candidate): boolean {
  const excess = (target: Target) => excessOf(target, trafficClass, alarm.window)
  return excess(part) >= nearlyAll * excess(network)
}

function hasClass(candidates: readonly Candidate[] | undefined, { trafficClass }: Candidate): boolean {
  return candidates?.some((candidate) => candidate.trafficClass === trafficClass) ?? false
}
