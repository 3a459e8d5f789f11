// What goes on after a restart: attacks that were seen shortly before the service stopped are followed on, under the events that they have.
import type { Clock } from '../clock.ts'
import {
  type Amount,
  type IncidentDetails,
  noStatistics,
  type ResumedIncident,
  type Statistics,
} from '../detect/incidents/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { Logger } from '../log.ts'
import type { EventStore } from './event-store.ts'
import { sameFields } from './fields.ts'
import { readPartId } from './known-part.ts'
import type { EventDetail, EventUpdate } from './records.ts'

interface ResumptionOptions {
  store: Pick<EventStore, 'record' | 'eventsSeenAfter'>
  clock: Clock
  log: Logger
  settings: Pick<DetectSettings, 'reopenSeconds'>
}

/** Clocks differ by less. What was seen later than this was seen before the clock was set back. */
const aheadMs = 5_000

/** Ends the events that can't go on any more; a simulated attack ended with the service. Of the others: their incidents, and the events themselves. */
export async function resumeEvents({ store, clock, log, settings }: ResumptionOptions) {
  const nowMs = clock.now()
  const seenAfterMs = nowMs - settings.reopenSeconds * 1000
  const events: EventDetail[] = []
  const incidents: ResumedIncident[] = []
  const over: EventUpdate[] = []
  const seen = await store.eventsSeenAfter(seenAfterMs)
  const byIncident = Map.groupBy(seen, ({ incident }) => readPartId(incident).incident)
  for (const ofOwners of byIncident.values()) {
    const fullest = fullestOf(ofOwners)
    const incident = fullest.isTest || fullest.lastMs > nowMs + aheadMs ? null : resumedFrom(fullest)
    if (incident !== null) {
      events.push(...ofOwners)
      incidents.push(incident)
      continue
    }
    // What is known of it differs from part to part.
    for (const [event] of Map.groupBy(ofOwners, ({ incident }) => incident).values())
      if (event.phase !== 'closed')
        over.push({ ...event, endMs: event.endMs ?? event.lastMs, phase: 'closed', details: null })
  }
  const { changes } = await store.record({ updates: over, closeSeenBeforeMs: seenAfterMs })
  const ended = changes.filter(({ change }) => change === 'ended').length
  if (ended > 0) log.warn({ events: ended }, 'events of attacks that can not be followed on are ended')
  if (incidents.length > 0) log.info({ attacks: incidents.length }, 'attacks from before the start are followed on')
  return { events, incidents }
}

/**
 * The event that has most episodes, of those that know all of the incident if any does, else of whoever knows it longest. Such events say the same, but one
 * that was made after a return has no episodes of before; among those with as many, one that is shown all has the lists of the latest.
 */
function fullestOf(ofOwners: readonly EventDetail[]): EventDetail {
  const isShownAll = ({ view }: EventDetail) => Number(view === 'all')
  const sinceMs = ({ incident }: EventDetail) => readPartId(incident).sinceMs ?? 0
  return ofOwners.toSorted(
    (a, b) => sinceMs(a) - sinceMs(b) || b.returns - a.returns || isShownAll(b) - isShownAll(a),
  )[0]
}

/** Null: too little is known. */
function resumedFrom(event: EventDetail): ResumedIncident | null {
  const { followed, why, victims } = event
  if (followed === null || why.length === 0) return null
  return {
    ...sameFields(event),
    incident: readPartId(event.incident).incident,
    address: victims[0]?.address ?? event.address,
    endMs: event.lastMs,
    episode: event.episode,
    isQuiet: true,
    followed,
    endedMs: event.endMs,
    details: detailsOf(event),
  }
}

function detailsOf({ statistics, course, episode, ofEpisode, ...whole }: EventDetail): IncidentDetails {
  const none = { packetsPerSecond: [], bytesPerSecond: [], flowsPerSecond: [] }
  return {
    statistics: listsOf(statistics, whole),
    ofEpisode: ofEpisode === null ? null : listsOf(ofEpisode, episode),
    course: course ?? { fromMs: whole.startMs, stepSeconds: 1, total: none, attack: none, normal: null },
  }
}

/** The store has no lists of an episode that was never reported in full, or that is shown as totals: they may miss all of its flows. */
function listsOf(statistics: Statistics, { flowsPerSecond, activeSeconds }: Amount): Statistics {
  if (statistics.protocol.length > 0) return statistics
  const missed = Math.round(flowsPerSecond * activeSeconds)
  const flowsMissedMax = {
    destinationPort: missed,
    sourcePort: missed,
    sourceAddress: missed,
    protocol: missed,
    flags: missed,
    length: missed,
    sourceAs: missed,
    exporter: missed,
    ingress: missed,
    egress: missed,
  }
  return { ...noStatistics, flowsMissedMax }
}
