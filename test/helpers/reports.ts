// Reports of the detector, for tests: everything plausible, and what matters to the test given.
import { type IncidentDetails, type IncidentReport, noStatistics } from '../../src/detect/incidents/incident-report.ts'
import { courseOf, plainNumbers } from './events.ts'

export const reportStartMs = 1_800_000_000_000

/** As plain as can be; of an attack that has ended it has details. */
export function reportOf({
  phase = 'opened',
  details = null,
  ...change
}: Partial<IncidentReport> = {}): IncidentReport {
  const peak = { bytesPerSecond: 1000, packetsPerSecond: 10, flowsPerSecond: 5, atMs: reportStartMs }
  const amount = { activeSeconds: 5, bytesPerSecond: 1000, packetsPerSecond: 10, flowsPerSecond: 5, peak }
  const { startMs = reportStartMs, endMs = reportStartMs + 5_000 } = change
  const state = {
    incident: 'i1',
    address: 0x0a000001,
    label: 'tcp@attack@syn_flood_target',
    startMs,
    endMs,
    ...amount,
    episode: { number: 0, startMs, endMs, ...amount },
    worst: { packetsPerSecond: 10, bytesPerSecond: 1000 },
    isQuiet: false,
    ...plainNumbers,
    deviation: 12,
    normalPacketsPerSecond: 300,
    why: [],
    victims: [],
    networks: [],
    vectors: [],
    followed: { waitedSeconds: 0, isProvisional: false, parts: [] },
    ...change,
  }
  if (phase === 'ended' || phase === 'closed') return { ...state, phase, details: details ?? detailsOf(1) }
  return { ...state, phase, details }
}

/** That differ by the number. */
export function detailsOf(distinct: number): IncidentDetails {
  return { statistics: { ...noStatistics, sources: { distinct, error: 0 } }, course: courseOf(2), ofEpisode: null }
}
