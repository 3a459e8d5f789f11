// An incident as one owner's event.
import { type IncidentReport, noStatistics } from '../detect/incident-report.ts'
import type { Match } from '../names/attribution.ts'
import type { EventPhase, EventUpdate, NewEvent, View } from '../store/store.ts'
import { hitNetwork } from '../targets/hit-network.ts'

/** Whether the attack has ended, as far as is known. */
export function isOver(report: IncidentReport): report is Extract<IncidentReport, { phase: 'ended' | 'closed' }> {
  return report.phase === 'ended' || report.phase === 'closed'
}

/** What a report says of the events that are already there. */
export function eventUpdate(report: IncidentReport): EventUpdate {
  return { ...stateOf(report), details: report.details }
}

function phaseOf({ phase, isQuiet }: IncidentReport): EventPhase {
  if (phase === 'closed') return 'closed'
  if (phase === 'ended') return 'over'
  return isQuiet ? 'quiet' : 'active'
}

function stateOf(report: IncidentReport): Omit<EventUpdate, 'details'> {
  return {
    incident: report.incident,
    label: report.label,
    activeSeconds: report.activeSeconds,
    bytesPerSecond: report.bytesPerSecond,
    packetsPerSecond: report.packetsPerSecond,
    flowsPerSecond: report.flowsPerSecond,
    deviation: report.deviation,
    normalPacketsPerSecond: report.normalPacketsPerSecond,
    startMs: report.startMs,
    lastMs: report.endMs,
    endMs: isOver(report) ? report.endMs : null,
    phase: phaseOf(report),
    peak: report.peak,
    worst: report.worst,
    episode: report.episode,
    why: report.why,
    vectors: report.vectors,
    victims: report.victims,
    networks: report.networks,
    // What is closed is not opened again after a restart, either.
    followed: report.phase === 'closed' ? null : report.followed,
  }
}

/** The event of an owner, one of whose addresses is the victim that `match` is of. `createdMs`: when the event becomes listable, a whole second. */
export function eventFrom(
  report: IncidentReport,
  match: Match & { address: number; view: View },
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
