// How far an attack has come, as a report says it and as an event keeps it.
import type { IncidentReport } from '../detect/incidents/incident-report.ts'

/** `active` and `quiet` (nothing was seen for some seconds): it goes on; `over`: its end is reported, and it may come back; `closed`: nothing of it changes any more. */
export const eventPhases = ['active', 'quiet', 'over', 'closed'] as const
export type EventPhase = (typeof eventPhases)[number]

/** Whether the attack has ended, as far as is known. */
export function isOver(report: IncidentReport): report is Extract<IncidentReport, { phase: 'ended' | 'closed' }> {
  return report.phase === 'ended' || report.phase === 'closed'
}

export function phaseOf({ phase, isQuiet }: IncidentReport): EventPhase {
  if (phase === 'closed') return 'closed'
  if (phase === 'ended') return 'over'
  return isQuiet ? 'quiet' : 'active'
}
