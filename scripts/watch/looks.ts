// What a service showed of its events at one moment, by each way that there is to read them. Rules (rules.ts and its neighbours) compare looks.
import type { DdosEvent, DdosEventDetail, EventOverview, EventReport, EventSeries } from '../../client/index.ts'

/** How often each change of an event happened, or was named by the stream. */
export interface Turns {
  ended: number
  returned: number
  closed: number
}

/** An entry under `/open`; null: that way did not show it. */
export interface EntryLook {
  id: string
  listed: DdosEvent | null
  detail: DdosEventDetail | null
}

/** All that there is to read of one event. Report, series and entries are of the same `sequence`. */
export interface FullLook {
  atMs: number
  report: EventReport
  /** As the list has it; null: it has changed since the list was read. */
  overview: EventOverview | null
  series: EventSeries
  entries: EntryLook[]
  /** Numbers by other ways, such as the command line and the console: what they call the way, and the numbers that they have. */
  elsewhere: Elsewhere[]
}

export interface Elsewhere {
  way: string
  /** By the name that the report has for it: `total.packets`. */
  numbers: Record<string, number | string | null>
}

/** What the list and the stream say of one event. */
export interface EventLook {
  atMs: number
  overview: EventOverview
  /** The turns that the stream has named so far; null: it is not known which, as the watch began, or the stream broke off, since. */
  told: Turns | null
  /** How many messages of the stream named the event so far; null: as above. */
  named: number | null
}

export interface Look {
  /** By the clock of the service: when it was begun. Unix time, milliseconds. */
  atMs: number
  /** From when on the lists were asked for. */
  fromMs: number
  /** The highest sequence that was read before. */
  place: number
  /** `GET /api/v1/events`, by id. */
  listed: ReadonlyMap<string, EventOverview>
  /** `changedSince` that place. */
  changed: readonly EventOverview[]
  /** `GET /open/event/ddos`, by id. */
  entries: ReadonlyMap<string, DdosEvent>
  /** Ids that a client has seen that asks every five minutes for the last ten; it began to ask at `pollsFromMs`. */
  polled: ReadonlySet<string>
  pollsFromMs: number
  polledMs: number
  /** Ids of entries, of the events that were read so far. */
  episodeIds: ReadonlySet<string>
  retentionMs: number
}

/** What was sent to one address or by one attack, as the sender knows it. */
export interface Sent {
  victim: string
  startMs: number
  endMs: number
  packets: number
  bytes: number
}

/** What holds of the whole watch, when it is over. */
export interface Account {
  sent: readonly Sent[]
  reports: readonly EventReport[]
}

export function turnsOf({ returns, state, phase }: EventOverview): Turns {
  return { ended: returns + (state === 'ended' ? 1 : 0), returned: returns, closed: phase === 'closed' ? 1 : 0 }
}

export function msOf(time: string): number {
  return Date.parse(time)
}
