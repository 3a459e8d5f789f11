// Events as they are read. How they are written is in events/event-store.ts.
import type { Course } from '../detect/incidents/incident-report.ts'
import type {
  EventDetail,
  EventEntry,
  EventEpisode,
  EventFilter,
  EventSummary,
  EventWindow,
} from '../events/records.ts'

/** Which attacks are looked for: of a site or of all, with some of their time within that from `fromMs` to `toMs`. */
export interface AttackWindow {
  site: string | null
  fromMs: number
  toMs: number
  stepMs: number
  /** How many of them are given. */
  latest: number
}

export interface AttacksWithin {
  /** Those that began last, the last first. */
  latest: EventSummary[]
  /** How many attacks went on from the first of these steps to the last, all of them counted once. */
  spans: { first: number; last: number; attacks: number }[]
}

/** The events that touch a site, in short; without tests. */
export interface SiteEvents {
  /** How many attacks go on. */
  open: number
  last: EventSummary | null
}

export interface EventReader {
  /** By (createdMs, id). */
  eventsBetween(userId: string, window: EventWindow): Promise<EventSummary[]>
  /** `id`: of the event, or of an episode of it. */
  eventById(userId: string, id: string): Promise<EventDetail | null>
  /** Those that changed after that place in the sequence, in the order of their latest change. */
  eventsChangedSince(
    userId: string,
    since: { sequence: number; filter: EventFilter; limit: number },
  ): Promise<EventSummary[]>
  /** The list of the interface: an event that came back is there once for each episode, with the numbers of that. Without tests; ascending. */
  entriesBetween(userId: string, window: Omit<EventWindow, 'filter' | 'isDescending'>): Promise<EventEntry[]>
  /** Such an entry of an event that came back, with its lists; null: it does not exist, though an event of this id may. */
  entryById(userId: string, id: string): Promise<(EventEntry & Pick<EventDetail, 'statistics'>) | null>
  /** The latest `max` episodes of an event that came back, the first of them first; of others none. */
  episodesOf(userId: string, eventId: string, max: number): Promise<EventEpisode[]>
  /** By id: the courses of those of the user's events whose course is known. */
  coursesOf(userId: string, eventIds: readonly string[]): Promise<Map<string, Course>>
  countEvents(userId: string, window: Pick<EventWindow, 'fromMs' | 'toMs' | 'filter'>): Promise<number>
  /** The ten sites that most events since then hit, and the ten labels that most of them have, the most first; without tests. An event counts for each of its sites. */
  mostAttacked(
    userId: string,
    fromMs: number,
  ): Promise<{ sites: { site: string; events: number }[]; labels: { label: string | null; events: number }[] }>
  /** The events of each of the sites, in order. */
  eventsOfSites(userId: string, sites: readonly string[]): Promise<SiteEvents[]>
  /** However many there are, without tests. */
  attacksWithin(userId: string, window: AttackWindow): Promise<AttacksWithin>
}
