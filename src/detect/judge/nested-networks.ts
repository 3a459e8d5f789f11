// Finds the network that is attacked when an attack stands out in several that hold each other: the longest with nearly all of it.

import { isSameAttack } from '../incidents/incident.ts'
import { networks as lines } from '../lines/networks.ts'
import type { Networks } from '../rates/network-sums.ts'
import type { Target } from '../targets/target.ts'
import type { Candidate } from './candidates.ts'
import { excessOf, ofNetwork } from './carpet.ts'

/** What stands out in networks. */
export type CandidatesByTarget = ReadonlyMap<Target, readonly Candidate[]>

/** Moves candidates to the networks that are attacked. `found` has them by network, each before those within it. */
export function ofNetworksAttacked(found: CandidatesByTarget, networks: Networks): Map<Target, Candidate[]> {
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

/** Whether an attack on a network is one on a part of it where it stands out, too. An attack on the whole stays one. */
function isOf(part: Target, network: Target, candidate: Candidate, found: CandidatesByTarget): boolean {
  if (network.incidents.some((incident) => isSameAttack(incident, candidate))) return false
  const goesOn = part.incidents.some((incident) => !incident.isOver && isSameAttack(incident, candidate))
  return (goesOn || hasClass(found.get(part), candidate)) && hasNearlyAll(part, network, candidate)
}

/** A candidate of a part of a network as an attack on the network; null when nearly all of it is in the part. */
function ofMore(network: Target, part: Target, candidate: Candidate): Candidate | null {
  const series = network.series.get(candidate.trafficClass)
  if (series?.ring == null || hasNearlyAll(part, network, candidate)) return null
  const { from, to } = candidate.alarm.window
  const alarm = ofNetwork(candidate.alarm, series.ring.sum(from, to), series.baseline)
  const line = Math.max(alarm.line, lines.shorterRatio * series.baseline.level)
  if (alarm.rate <= line) return null
  const source = line > alarm.line ? 'baseline' : alarm.why.source
  return { ...candidate, alarm: { ...alarm, line, why: { ...alarm.why, threshold: line, source } } }
}

function hasNearlyAll(part: Target, network: Target, { trafficClass, alarm }: Candidate): boolean {
  const excess = (target: Target) => excessOf(target, trafficClass, alarm.window)
  return excess(part) >= lines.nearlyAll * excess(network)
}

function hasClass(candidates: readonly Candidate[] | undefined, { trafficClass }: Candidate): boolean {
  return candidates?.some((candidate) => candidate.trafficClass === trafficClass) ?? false
}
