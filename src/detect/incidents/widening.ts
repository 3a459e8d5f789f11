// An attack that turns out to be on more addresses. What came to the others before is in its sums; its lists have the records of the last moments only, and
// report how many are missing.

import { isWithin } from '../rates/network-sums.ts'
import type { Target } from '../targets/target.ts'
import type { Incident } from './incident.ts'

export interface Widening {
  incident: Incident
  /** Addresses that were not part of it. */
  others: readonly Target[]
  /** Records to them in its latest episode, as far back as is known. */
  flows: number
}

/** An attack on `part` of a network, as one on the network; `hosts` are its addresses that are judged. */
export function createWidening(part: Target, network: Target, incident: Incident, hosts: readonly Target[]): Widening {
  const known = part.wholes.length > 0 ? part.wholes : [part]
  const flowsTo = ({ total: { ring } }: Target) => ring?.sum(incident.episodeStart, ring.last + 1).flows ?? 0
  return {
    incident,
    others: hosts.filter((host) => !known.some((each) => isWithin(host, each))),
    flows: flowsTo(network) - flowsTo(part),
  }
}
