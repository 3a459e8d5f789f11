// Everything that outlives the process, as verbs of the domain. Adapters: sqlite/. All verbs are async and deal in plain records;
// every verb that takes a user sees that user's rows only. `test/store-contract.ts` is the suite that an adapter must pass.

import type { View } from '../access/authority.ts'
import type { HostRecord } from '../access/host-record.ts'
import type { Policy } from '../access/policy.ts'
import type { SavedProof } from '../access/proof.ts'
import type { StreamName, StreamReport } from '../collect/health/report.ts'
import type { SavedStream, SavedTemplate, StreamChange, StreamKey } from '../decode/saved-streams.ts'
import type { Course } from '../detect/incidents/incident-report.ts'
import type { SavedBaselines } from '../detect/normal/saved-baselines.ts'
import type { EventStore } from '../events/event-store.ts'
import type { EventNotes } from '../events/notes.ts'
import type { EventDetail, EventEpisode, EventFilter, EventSummary, EventWindow } from '../events/records.ts'
import type { MinutePoint, SecondRates } from '../history/minute-series.ts'
import type { DnsSnapshot } from '../names/bindings/attribution.ts'
import type { NameOrAddress, SavedBinding, SavedObservation } from '../names/bindings/bindings.ts'
import type { Accounts } from './accounts.ts'
import type { Groups } from './groups.ts'
import type { Idempotency } from './idempotency.ts'

export type {
  EventDetail,
  EventEpisode,
  EventFilter,
  EventKey,
  EventReturn,
  EventSummary,
  EventUpdate,
  EventWindow,
  NewEvent,
  OwnerUpdate,
} from '../events/records.ts'
export { type Credential, type NewUser, type Scope, type Session, scopes, type Token, type User } from './accounts.ts'

/** What the store keeps as those who make it have it. */
export type {
  Course,
  DnsSnapshot,
  MinutePoint,
  NameOrAddress,
  Policy,
  SavedBaselines,
  SavedBinding,
  SavedObservation,
  SavedProof,
  SavedStream,
  SavedTemplate,
  StreamChange,
  StreamKey,
  StreamName,
  StreamReport,
  View,
}

export interface Site {
  userId: string
  /** The canonical text of the record. */
  host: string
  /** Null: a host that an earlier version took and this one refuses. Such a site is listed and not watched. */
  record: HostRecord | null
  enabled: boolean
  createdMs: number
  groupId: string | null
  groupName: string
}

export type AddOutcome = 'added' | 'exists' | 'over-quota'

/** Which sites of a user are looked for; what is left out does not matter. */
export interface SiteFilter {
  /** Part of the host or of the group's name, in lower case. */
  text?: string
  /** Null: in no group. */
  groupId?: string | null
  enabled?: boolean
}

/** A target whose minutes are asked for, from a minute on (Unix seconds). */
export interface WantedTarget {
  address: number
  fromMinute: number
}

/** Traffic of several targets in a step; `minute` is where it begins, in Unix seconds. */
export interface StepSum extends SecondRates {
  minute: number
  /** Minutes of the step in which there was any. */
  minutes: number
  /** What the least and the most of these minutes had, of all targets together. */
  least: SecondRates
  most: SecondRates
  /**
   * In the busiest second of a minute. Of one target as it is kept; of several the means of the minute, and beyond them what the one target has that
   * exceeds its mean most: seconds of different targets are not kept side by side, so all of them together may have had more.
   */
  busiest: SecondRates
}

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

/** fromMinute <= minute < toMinute, in Unix seconds. Steps are whole minutes, counted back from the end. */
export interface SeriesWindow {
  fromMinute: number
  toMinute: number
  stepSeconds: number
}

/** The events that touch a site, in short; without tests. */
export interface SiteEvents {
  /** How many attacks go on. */
  open: number
  last: EventSummary | null
}

export interface Store extends Accounts, Groups, EventStore, EventNotes, Idempotency {
  // Sites. Batches answer one outcome a host, in order, and are atomic.
  addSites(userId: string, hosts: string[], atMs: number): Promise<AddOutcome[]>
  /** In the order in which they were added, then by host. */
  listSites(userId: string): Promise<Site[]>
  /** By host, those after `after`; `total`: how many there are in all. */
  findSites(
    userId: string,
    wanted: { filter: SiteFilter; after: string; limit: number },
  ): Promise<{ sites: Site[]; total: number }>
  /**
   * Sites with the text, in lower case, in the host or in the group's name, those that fit best first: the host is the text, begins with
   * it, has a label that does, has it anywhere; then those of groups.
   */
  bestSites(userId: string, text: string, limit: number): Promise<Site[]>
  /** How many sites each user has; who has none is left out. */
  countSites(): Promise<Map<string, number>>
  /** Those of the hosts that are sites of the user, in any order. */
  sitesAmong(userId: string, hosts: string[]): Promise<Site[]>
  /** True where the user has such a site. */
  setEnabled(userId: string, hosts: string[], enabled: boolean): Promise<boolean[]>
  /** True where the user had such a site. Its events stay. */
  deleteSites(userId: string, hosts: string[]): Promise<boolean[]>
  /** Enabled sites of everyone: what the pipeline watches. */
  enabledSites(): Promise<Site[]>
  /** Rises with every change of sites and of what users are allowed, by whichever process: a cheap way to see that the watch list is stale. */
  sitesVersion(): Promise<number>

  // Proofs.
  /** By user, kind and subject. */
  loadProofs(): Promise<SavedProof[]>
  /** The latest of each user and subject stays; those of users who are gone are passed over. */
  saveProofs(proofs: readonly SavedProof[]): Promise<void>
  deleteProofs(proofs: readonly Pick<SavedProof, 'userId' | 'subject'>[]): Promise<void>

  // Events.
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
  entriesBetween(userId: string, window: Omit<EventWindow, 'filter' | 'isDescending'>): Promise<EventSummary[]>
  /** Such an entry of an event that came back, with its lists; null: it does not exist, though an event of this id may. */
  entryById(userId: string, id: string): Promise<(EventSummary & Pick<EventDetail, 'statistics'>) | null>
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

  // Traffic series.
  /** Adds to what is known of the minute, and keeps the busiest of its seconds: a minute may come in parts. Up to 1,000 points are added all or none. */
  appendSeries(points: MinutePoint[]): Promise<void>
  /** fromMinute <= minute < toMinute, in Unix seconds; ascending. */
  seriesOf(address: number, fromMinute: number, toMinute: number): Promise<MinutePoint[]>
  /** Sums of all the targets together, steps in any order. Once `isWanted` says no, what was summed so far. */
  sumSeries(targets: readonly WantedTarget[], window: SeriesWindow, isWanted?: () => boolean): Promise<StepSum[]>
  /** The latest minute from then on with traffic to each address, in Unix seconds; an address without any is left out. */
  lastTraffic(addresses: readonly number[], fromMinute: number): Promise<Map<number, number>>

  // Names: the last known bindings, so that a restart knows them before the first answer.
  /** The latest confirmation of each (name, address) stays. */
  saveBindings(bindings: SavedBinding[]): Promise<void>
  loadBindings(): Promise<SavedBinding[]>
  /** At most `max` bindings of a name or an address, those confirmed last first. */
  bindingsOf(asked: NameOrAddress, max: number): Promise<SavedBinding[]>

  // Names that resolvers elsewhere were asked for.
  /** The latest confirmation of each (name, address) stays, with the earliest `firstMs` and the highest `count`, in whichever order they come. */
  saveObservations(observations: SavedObservation[]): Promise<void>
  /** The `max` confirmed last, of those confirmed since then; the one confirmed longest ago first. */
  loadObservations(since: { confirmedSinceMs: number; max: number }): Promise<SavedObservation[]>
  /** At most `max` bindings of a name or an address, those confirmed last first. */
  observationsOf(asked: NameOrAddress, max: number): Promise<SavedObservation[]>
  /** Deletes what was not confirmed since then, and of more than `max` those confirmed longest ago; gives how many. */
  pruneObservations(limits: { confirmedBeforeMs: number; max: number }): Promise<number>

  // Exporters: the last known state of each of their streams.
  saveStreamReports(reports: StreamReport[]): Promise<void>
  /** Those of today's form, by address. */
  loadStreamReports(): Promise<StreamReport[]>
  deleteStreamReports(names: StreamName[]): Promise<void>

  // Streams of exporters: what they told once and is needed to read what they send.
  saveStreamStates(changes: StreamChange[]): Promise<void>
  /** The streams with the latest data first; `unreadable`: rows that are not as they were written, and are left out. */
  loadStreamStates(): Promise<{ streams: SavedStream[]; unreadable: number }>
  /** Deletes streams without data since then, and those silent longest while there are more rows than `rowsMax`; gives how many streams. */
  pruneStreamStates(limits: { seenBeforeMs: number; rowsMax: number }): Promise<number>

  // Baselines: what is normal for the targets of each /24.
  /** The latest of each network stays. */
  saveBaselines(baselines: SavedBaselines[]): Promise<void>
  /** Baselines of networks with traffic since then, the latest first; `unreadable`: rows that are not as they were written, and are left out. */
  loadBaselines(since: { heardSinceMs: number }): Promise<{ baselines: SavedBaselines[]; unreadable: number }>
  /** Deletes networks without traffic since then, and those silent longest while there are more than `networksMax`; gives how many. */
  pruneBaselines(limits: { heardBeforeMs: number; networksMax: number }): Promise<number>

  // Operations.
  /** Deletes older rows in short transactions, until the signal ends it; returns how many events, minutes and bindings were deleted. */
  prune(before: { eventsMs: number; seriesMs: number; bindingsMs: number }, signal?: AbortSignal): Promise<number>
  /** Throws AppError STORE_UNAVAILABLE when a write would fail. */
  checkWritable(): Promise<void>
  /** How much room it takes, in bytes. */
  sizeBytes(): Promise<number>
  /** A consistent copy, made while others read and write. Throws AppError CONFLICT when the file exists. */
  backup(toFile: string): Promise<void>
  close(): Promise<void>
}
