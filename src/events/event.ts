// An incident as one owner's event.
import type { View } from '../access/authority.ts'
import { type IncidentReport, noStatistics } from '../detect/incidents/incident-report.ts'
import type { Match } from '../names/bindings/attribution.ts'
import { reportedFields, sameFields } from './fields.ts'
import { hitNetwork } from './hit-network.ts'
import type { EventUpdate, NewEvent } from './records.ts'

/** The changes that a report makes to the events that are already there. */
export function eventUpdate(report: IncidentReport): EventUpdate {
  return { ...stateOf(report), details: report.details }
}

/** The update that would make the event what it is, but for its details. */
export function updateOf(event: NewEvent): EventUpdate {
  const { lastMs, endMs, phase, followed, incident, episode } = event
  return { ...sameFields(event), lastMs, endMs, phase, followed, incident, episode, details: null }
}

/** Only that the attack is over: whatever else the event says stays as it was reported last. */
export function endUpdate(reported: EventUpdate, report: IncidentReport): EventUpdate {
  const { endMs, phase, followed } = reportedFields(report)
  const lastMs = Math.max(reported.lastMs, report.endMs)
  const episode = { ...reported.episode, endMs: lastMs }
  return { ...reported, lastMs, endMs: endMs === null ? null : lastMs, phase, followed, episode, details: null }
}

function stateOf(report: IncidentReport) {
  return { ...reportedFields(report), incident: report.incident, episode: report.episode }
}

/** The event of an owner, one of whose addresses is the victim that `match` is of. `createdMs`: when the event becomes listable, a whole second. */
export function eventFrom(
  report: IncidentReport,
  match: Omit<Match, 'sinceMs'> & { address: number; view: View },
  identity: { id: string; createdMs: number },
  { isTest }: { isTest: boolean },
): NewEvent {
  return {
    ...identity,
    userId: match.userId,
    address: match.address,
    site: match.site,
    sites: match.sites,
    domain: match.domain,
    view: match.view,
    ...stateOf(report),
    isTest,
    network: hitNetwork(match, report),
    statistics: report.details?.statistics ?? noStatistics,
    course: report.details?.course ?? null,
    ofEpisode: null,
    dns: match.dns,
  }
}

/** The next whole second: an event is never dated before the moment at which it can be listed. */
export function listableAt(nowMs: number): number {
  return Math.ceil(nowMs / 1000) * 1000
}

/** 24 hex characters: eight of the second, so that ids sort roughly by time, and sixteen of `entropy` (8 octets). */
export function eventId(createdMs: number, entropy: Uint8Array): string {
  const seconds = Math.floor(createdMs / 1000) >>> 0
  return seconds.toString(16).padStart(8, '0') + Buffer.from(entropy.subarray(0, 8)).toString('hex')
}
