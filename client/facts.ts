// An event in plain terms. The interface's names mislead (`curavg_bps` counts bytes a minute): this is where they are read.
import type { DdosEvent } from './types.ts'

export interface EventFacts {
  id: string
  /** As the service sent it: ISO 8601 with offset. */
  detectedAt: string
  victim: string
  site: string
  /** Empty when no name is known. */
  domain: string
  /** Null: a spike of traffic of unknown type. */
  attack: string | null
  bitsPerSecond: number
  packetsPerSecond: number
  flowsPerSecond: number
  /** Traffic during the attack by traffic in peace. */
  deviation: number
}

/** Takes an event of the list or the detail of one; a detail has no type of attack. */
export function factsOf(event: DdosEvent | Omit<DdosEvent, 'attack_type'>): EventFacts {
  return {
    id: event._id,
    detectedAt: event.cts,
    victim: event.ip,
    site: event.site,
    domain: event.domain,
    attack: 'attack_type' in event ? (event.attack_type ?? null) : null,
    bitsPerSecond: (event.curavg_bps * 8) / 60,
    packetsPerSecond: event.curavg_pps / 60,
    flowsPerSecond: event.curavg_flows / 60,
    deviation: event.deviate,
  }
}
