// What goes on after a restart: attacks that were seen shortly before the service stopped are followed on, under the events that they have.
import type { Clock } from '../clock.ts'
import type { ResumedIncident } from '../detect/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { Logger } from '../log.ts'
import type { EventDetail, Store } from '../store/store.ts'

interface ResumptionOptions {
  store: Store
  clock: Clock
  log: Logger
  settings: Pick<DetectSettings, 'reopenSeconds'>
}

/** Ends the events that can't go on any more. Of the others: their incidents, and the events themselves. */
export async function resumeEvents({ store, clock, log, settings }: ResumptionOptions) {
  const seenAfterMs = clock.now() - settings.reopenSeconds * 1000
  const ended = await store.endOpenEvents(seenAfterMs)
  if (ended > 0) log.warn({ events: ended }, 'events of attacks that nothing was heard of for long are ended')
  const events = await store.eventsSeenAfter(seenAfterMs)
  const incidents = new Map(
    events.filter(({ why }) => why.length > 0).map((event) => [event.incident, resumedFrom(event)]),
  )
  if (incidents.size > 0) log.info({ attacks: incidents.size }, 'attacks from before the start are followed on')
  return { events, incidents: [...incidents.values()] }
}

/** All events of an incident say the same of it, but for whose they are and which of the victims is theirs. */
function resumedFrom(event: EventDetail): ResumedIncident {
  const { incident, victims, vectors, label, startMs, lastMs, endMs, peak, deviation, why, statistics, course } = event
  const { bytesPerSecond, packetsPerSecond, flowsPerSecond } = event
  return {
    incident,
    address: victims[0]?.address ?? event.address,
    victims,
    vectors,
    label,
    startMs,
    endMs: lastMs,
    bytesPerSecond,
    packetsPerSecond,
    flowsPerSecond,
    peak,
    deviation,
    why,
    endedMs: endMs,
    statistics,
    course,
  }
}
