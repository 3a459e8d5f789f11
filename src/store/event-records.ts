// Events as the store keeps them: what is in a list, in all, and what changes.
import type {
  Amount,
  Course,
  Episode,
  Followed,
  IncidentDetails,
  IncidentState,
  Statistics,
  Why,
  Worst,
} from '../detect/incident-report.ts'
import type { DnsSnapshot } from '../names/attribution.ts'
import type { View } from '../names/authority.ts'
import type { HitNetwork } from '../targets/hit-network.ts'
import type { Classification } from './event-notes.ts'

/** `active` and `quiet` (nothing was seen for some seconds): it goes on; `over`: its end is reported, and it may come back; `closed`: nothing of it changes any more. */
export const eventPhases = ['active', 'quiet', 'over', 'closed'] as const
export type EventPhase = (typeof eventPhases)[number]

export interface EventSummary extends Amount {
  /** 24 lower-case hex characters, roughly time-ordered. */
  id: string
  userId: string
  incident: string
  /** When it became listable: Unix milliseconds, a whole second, never before the commit (see `appendEvents`). */
  createdMs: number
  /** IPv4 address of the victim. */
  address: number
  site: string
  domain: string
  /** `totals`: statistics are not its owner's to see, and not kept with it. */
  view: View
  label: string | null
  worst: Worst
  deviation: number
  /** What was normal for all traffic of the victim; null: it was not learnt. */
  normalPacketsPerSecond: number | null
  startMs: number
  /** When the attack was last seen so far. */
  lastMs: number
  /** Null while the attack goes on. */
  endMs: number | null
  phase: EventPhase
  /** How often it came back after its end was reported. */
  returns: number
  /** Of a simulated attack: it counts nowhere. */
  isTest: boolean
  /** What a carpet bombing hits of the site; null: `address` alone is hit. */
  network: HitNetwork | null
  /** When the store changed it last, and the place of that change among all changes of the user's events: it rises, with gaps. */
  updatedMs: number
  sequence: number
}

/** An event that the store does not have yet: what it keeps account of itself is left out. */
export type NewEvent = Omit<EventDetail, 'returns' | 'updatedMs' | 'sequence'>

/** An episode of an event that came back, as an entry of the list of the interface; `endMs`: when it was last seen. */
export interface EventEpisode extends Episode {
  /** That of the event for the first. */
  id: string
  createdMs: number
}

/** An event came back after its end was recorded. */
export interface EventReturn {
  incident: string
  eventId: string
  userId: string
  /** Of the entry that it gets in the list of the interface. */
  id: string
  /** When that becomes listable; see `appendEvents`. */
  createdMs: number
}

export interface EventDetail extends EventSummary {
  /** Every site of the owner that the attack touches, also those that are deleted since: `site` first, the others by name. */
  sites: string[]
  /** The latest. */
  episode: Episode
  /** Its lists; null: they are those of the event. */
  ofEpisode: Statistics | null
  why: Why[]
  vectors: IncidentState['vectors']
  /** Of all owners; empty: `address` alone is hit. */
  victims: IncidentState['victims']
  /** Likewise, by /24; empty in events of older versions. */
  networks: IncidentState['networks']
  /** Null: it is not known, and the attack can't be followed on after a restart. */
  followed: Followed | null
  statistics: Statistics
  /** Null: it is not known. */
  course: Course | null
  dns: DnsSnapshot[]
}

/** Position in an event list: the (createdMs, id) of the last event that was read. */
export interface EventKey {
  createdMs: number
  id: string
}

/** What events must be like; what is left out does not matter. */
export interface EventFilter {
  /** Events that touch it, whichever site they are named after. */
  site?: string
  address?: number
  isOpen?: boolean
  /** Null: of unknown kind. */
  label?: string | null
  deviationMin?: number
  /** Null: it was not said. */
  classification?: Classification | null
  isAcknowledged?: boolean
  isTest?: boolean
  /** The victim, or one of the sources in the event's lists. */
  victimOrSource?: number
  /** Parts of site, name or label, in lower case, of which one will do; the label of an attack of unknown kind is `unknown`. */
  texts?: readonly string[]
}

export interface EventWindow {
  /** createdMs >= fromMs; null: no bound. */
  fromMs: number | null
  /** createdMs < toMs; null: no bound. */
  toMs: number | null
  filter?: EventFilter
  /** Without it ascending. */
  isDescending?: boolean
  /** Only events after this key, in this order. */
  after: EventKey | null
  limit: number
}

/** What changes in the events of an incident while its attack goes on. */
export type EventUpdate = Pick<
  EventDetail,
  | 'incident'
  | 'label'
  | 'bytesPerSecond'
  | 'packetsPerSecond'
  | 'flowsPerSecond'
  | 'deviation'
  | 'normalPacketsPerSecond'
  | 'startMs'
  | 'lastMs'
  | 'endMs'
  | 'phase'
  | 'activeSeconds'
  | 'peak'
  | 'worst'
  | 'episode'
  | 'why'
  | 'vectors'
  | 'victims'
  | 'networks'
  | 'followed'
> & {
  /** Null: they stay as they are. */
  details: IncidentDetails | null
}

/** What changes in an incident's event of one user. */
export interface OwnerUpdate {
  incident: string
  userId: string
  /** Left out: it stays as it is. */
  dns?: DnsSnapshot[]
  /** Sites that the attack touches, too; those that it touched before stay. */
  sites?: string[]
  /** Only the totals are the owner's to see from now on: what is there of the rest is deleted. */
  view?: 'totals'
}
