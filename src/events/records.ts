// Events as the store keeps them: what is in a list, in all, and what changes. Their fields are the rows of fields.ts.
import type { Episode, IncidentDetails, Statistics } from '../detect/incidents/incident-report.ts'
import type { DnsSnapshot } from '../names/bindings/attribution.ts'
import type {
  detailFields,
  entryFields,
  evidenceFields,
  NamesOf,
  ReportedFields,
  summaryFields,
  ValuesOf,
} from './fields.ts'
import type { Classification } from './notes.ts'

/** What lists show of an event. */
export type EventSummary = ValuesOf<typeof summaryFields>

/** What the list under `/open` shows of an event, or of an episode of it. */
export type EventEntry = ValuesOf<typeof entryFields>

/** An event that the store does not have yet: what it keeps account of itself is left out. */
export type NewEvent = Omit<EventDetail, NamesOf<typeof summaryFields, 'store'>>

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
  /** The id of its entry in the list under `/open`. */
  id: string
  /** When that becomes listable; see `EventStore.record`. */
  createdMs: number
}

export type EventDetail = EventSummary &
  ValuesOf<typeof detailFields> &
  ValuesOf<typeof evidenceFields> & {
    /** Every site of the owner that the attack touches, also those that are deleted since: `site` first, the others by name. */
    sites: string[]
    /** The latest. */
    episode: Episode
    /** Its lists; null: they are those of the event. */
    ofEpisode: Statistics | null
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
export type EventUpdate = ReportedFields & {
  incident: string
  episode: Episode
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
