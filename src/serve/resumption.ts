// What goes on after a restart: attacks that were seen shortly before the service stopped are followed on, under the events that they have.
import type { Clock } from '../clock.ts'
import { type IncidentDetails, noStatistics, type ResumedIncident } from '../detect/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { Logger } from '../log.ts'
import type { EventDetail, EventUpdate, Store } from '../store/store.ts'

interface ResumptionOptions {
  store: Store
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
  const incidents = new Map<string, ResumedIncident>()
  const over: EventUpdate[] = []
  for (const event of await store.eventsSeenAfter(seenAfterMs)) {
    const incident = event.isTest || event.lastMs > nowMs + aheadMs ? null : resumedFrom(event)
    if (incident !== null) {
      events.push(event)
      incidents.set(event.incident, incident)
    } else if (event.phase !== 'closed')
      over.push({ ...event, endMs: event.endMs ?? event.lastMs, phase: 'closed', details: null })
  }
  await store.updateEvents(over)
  const ended = (await store.closeEvents(seenAfterMs)) + over.length
  if (ended > 0) log.warn({ events: ended }, 'events of attacks that can not be followed on are ended')
  if (incidents.size > 0) log.info({ attacks: incidents.size }, 'attacks from before the start are followed on')
  return { events, incidents: [...incidents.values()] }
}

/** All events of an incident say the same of it, but for whose they are and which of the victims is theirs. Null: too little is known. */
function resumedFrom(event: EventDetail): ResumedIncident | null {
  const { incident, victims, networks, vectors, label, startMs, lastMs, endMs, peak, deviation, why, followed } = event
  if (followed === null || why.length === 0) return null
  const { activeSeconds, bytesPerSecond, packetsPerSecond, flowsPerSecond, normalPacketsPerSecond } = event
  return {
    incident,
    address: victims[0]?.address ?? event.address,
    victims,
    networks,
    vectors,
    label,
    startMs,
    endMs: lastMs,
    activeSeconds,
    bytesPerSecond,
    packetsPerSecond,
    flowsPerSecond,
    peak,
    worst: event.worst,
    episode: event.episode,
    isQuiet: true,
    deviation,
    normalPacketsPerSecond,
    why,
    followed,
    endedMs: endMs,
    details: detailsOf(event),
  }
}

/** Of an attack that was not told of in full yet nothing is known: lists may miss all of its flows. */
function detailsOf(event: EventDetail): IncidentDetails {
  const { statistics, course, ofEpisode, startMs, activeSeconds, flowsPerSecond } = event
  // Of totals alone the lists are not known either.
  if (course !== null && statistics.proto.length > 0) return { statistics, course, ofEpisode }
  const missed = Math.round(flowsPerSecond * activeSeconds)
  const flowsMissedMax = {
    dstport: missed,
    srcport: missed,
    srcip: missed,
    proto: missed,
    flags: missed,
    length: missed,
    sourceAs: missed,
    exporter: missed,
    ingress: missed,
    egress: missed,
  }
  const none = { packetsPerSecond: [], bytesPerSecond: [], flowsPerSecond: [] }
  return {
    statistics: { ...noStatistics, flowsMissedMax },
    ofEpisode,
    course: course ?? { fromMs: startMs, stepSeconds: 1, total: none, attack: none, normal: null },
  }
}
