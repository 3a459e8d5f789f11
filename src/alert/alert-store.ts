// What a store keeps of alerts: notices in the order in which they were found, channels of users, and one delivery for each notice and channel. What there is
// to tell comes from the log of changes (see events/changes.ts), which is written with the events themselves: a notice is found after it, in a transaction
// of its own, that also moves the place up to which the log was read. Killed before or after, the same notices are found once.
import type { HeldBy } from '../contract/alerts/deliveries.ts'
import type { EventDetail, EventSummary } from '../events/records.ts'
import type { ChannelHealth } from './attempts.ts'
import type { BundleStore } from './bundles/bundle-store.ts'
import type { OtherAttacks } from './bundles/others.ts'
import type { ClosingStore } from './closing/closing-store.ts'
import type { Delay } from './delays.ts'
import type { EscalationChanges, EscalationStore } from './escalation/escalation-store.ts'
import type { AddressStore } from './mail/address-store.ts'
import type { MailStore } from './mail/mail-store.ts'
import type { NewNotice, Notice, Told } from './notice.ts'
import type { ConditionStore } from './own/condition-store.ts'
import type { ReportStore } from './reports/report-store.ts'
import type { Destination, KnownTogether } from './rules/address.ts'
import type { Course } from './rules/course.ts'
import type { NewRule, ReminderChange, RuleChange, RuleStore } from './rules/rule-store.ts'
import type { SilenceStore } from './rules/silence-store.ts'
import type { TimeWindow } from './rules/time-window.ts'

export interface Channel {
  id: string
  userId: string
  /** One of the kinds of channels. A kind that this version does not know sends nothing. */
  kind: string
  /** As its user calls it. */
  name: string
  /** By the schema of its kind, without secrets. */
  settings: Readonly<Record<string, unknown>>
  /** Its secrets, as the secret box has sealed them. */
  sealed: Uint8Array
  /** Until when the secret before it counts as well, Unix milliseconds; null: there is none. */
  oldSecretUntilMs: number | null
  createdMs: number
  /** When it is told what is critical alone; null: never. */
  quiet: TimeWindow | null
  health: ChannelHealth
  /** Rises when it is made to send elsewhere, or turned on or off: what came of an attempt before that says nothing about it. */
  version: number
  /** The latest attempt; null: there was none. */
  last: AttemptResult | null
}

/** Its id is given, since its secrets are sealed for it. */
export type NewChannel = Pick<Channel, 'id' | 'kind' | 'name' | 'settings' | 'sealed'> & Partial<Pick<Channel, 'quiet'>>
export type ChannelChange = Partial<Pick<Channel, 'name' | 'settings' | 'sealed' | 'oldSecretUntilMs' | 'quiet'>> & {
  isDisabled?: boolean
  /** The version that the change was made from. */
  fromVersion?: number
}

export interface AttemptResult {
  atMs: number
  /** How long it took, milliseconds. */
  tookMs: number
  isDone: boolean
  /** In our own words, without secrets; empty: nothing is to be said. */
  text: string
}

/**
 * `held`: waits for the end of what holds it back; `due`: waits for its time; `sending`: an attempt goes on; `joined`: another one carries it, and gives it its
 * own state when that is settled; `dead`: given up; `superseded`: nobody wants it any more.
 */
export const deliveryStates = ['held', 'due', 'sending', 'joined', 'done', 'dead', 'superseded'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** A notice on its way to one channel. */
export interface Delivery {
  id: number
  channelId: string
  /** By which it is told; null: it follows what the channel was told before. The rule may be gone. */
  ruleId: string | null
  notice: Notice
  state: DeliveryState
  /** Attempts that failed and count. */
  attempts: number
  createdMs: number
  /** When the next attempt is made, or the last was. */
  dueMs: number
  /** What holds it back; null: nothing. */
  heldBy: HeldBy | null
  /** The name under which the receiver has it: the id of an event, or one made of it. While it is held it is that of its own event. */
  thread: string
  /** The message that carries it; null: it is a message of its own. */
  toldWith: Pick<Notice, 'eventId' | 'number'> | null
}

/** As its user looks at it. */
export interface ListedDelivery extends Delivery {
  /** The site that its event is named after; null: the event is deleted, or somebody else's and the user is no admin. */
  site: string | null
}

/** What an attempt is made for. */
export interface TakenDelivery extends Delivery {
  /** Nothing of the event was told on the channel before. */
  isFirst: boolean
  /** It is an end, of its own attack or of one that is told with it, and the channel has been told the beginning. */
  isAwaited: boolean
  /** What else is told with it; null: nothing. */
  others: OtherAttacks | null
}

/** What decides whether there is something new to tell of an event. */
export interface EventToTell {
  event: EventSummary
  /** Null: its owner was never told about it. */
  told: Told | null
  /** The channels that have, or will have, something of it, and what each knows. */
  known: ReadonlyMap<string, KnownTogether>
  /** Every site of its owner that the attack touches, and the groups that they are in now. */
  sites: readonly string[]
  groups: readonly string[]
  /** The same of every owner; null: an earlier event of the same attack stands for it. */
  incident: { sites: readonly string[]; groups: readonly string[] } | null
  /** Before its beginning is told: the other events of its attack, which are told with it by rules of the installation; none where another one stands for it. */
  toldWith: readonly string[]
  /** Before its beginning is told: the event that stands for its attack and was told when there was none of this owner yet; null: there is none. */
  joins: string | null
}

/** The next message of a channel, whose time has come. */
export interface Turn {
  deliveryId: number
  channelId: string
  userId: string
  dueMs: number
  /** The latest attempts of its channel failed. */
  isFailing: boolean
}

/** A channel that is told, and how: whatever was held back for it of the event is replaced. */
export type Addressed = Destination & {
  course: Exclude<Course, { what: 'keep' }>
  /** With what it is told; left out, or null: alone. */
  bundle?: string | null
}

/** What one look at the log of changes leads to. */
export interface Routing {
  /** The place up to which the log had been read. Somebody else may have read on meanwhile: then nothing is written. */
  from: number
  to: number
  notices: readonly { notice: NewNotice; to: readonly Addressed[] }[]
  /** What owners have been told now, by event. */
  told: ReadonlyMap<string, Told>
  /** Events whose attack rules of the installation were told with another one of it; left out: none. */
  toldWith?: readonly string[]
  /** Those of an event that is over are deleted. Where one is not as it was, somebody else has told it: then nothing is written. */
  reminders: readonly ReminderChange[]
  /** Those of an event that is over rest until it comes back. */
  escalations: EscalationChanges
  /** Messages that may wait for a channel. Over it the oldest are given up, those first that are about neither a beginning nor an end. */
  waitingMax: number
}

/** What came of an attempt. */
export interface Settlement {
  id: number
  channelId: string
  state: 'done' | 'due' | 'dead' | 'superseded'
  attempts: number
  dueMs: number
  /** That of the channel when the attempt began. If it has changed meanwhile, a failure does not count, and the message is due now. */
  version: number
  health: ChannelHealth
  /** All that waits for the channel is due now. */
  isBack: boolean
  /** The id of a later message that says it, too; left out: there is none. */
  into?: number
  /** Null: no attempt was made. */
  result: AttemptResult | null
}

/** What nobody is to be told any more. */
interface OldDeliveries {
  id: number
  channelId: string
  beforeMs: number
  awaitedBeforeMs: number
  limit: number
  /** Why, for their user. */
  text: string
}

/** What is left out, or null, does not matter. */
export interface DeliveryFilter {
  id?: number | null
  eventId?: string | null
  /** The number of the notice within its event. */
  number?: number | null
  channelId?: string | null
  state?: DeliveryState | null
  /** Those before this one, the latest first. */
  before?: number | null
  limit: number
}

/** Channels that keep people from being told. */
export interface Overdue {
  /**
   * Whose messages should have been sent by then: those that work, unless something was sent to their user since, who is no admin; and those of admins that have
   * failed since before.
   */
  waiting: number
  /** Those of admins whose receiver wanted no more by then, and that nobody has looked at since. */
  gone: number
}

/** What a file of channels and rules comes to. */
export interface WantedAlerts {
  channels: readonly (
    | { isNew: true; channel: NewChannel; isDisabled: boolean }
    | { isNew: false; id: string; change: ChannelChange }
  )[]
  /** In order: they come before others that there are. */
  rules: readonly ({ isNew: true; rule: NewRule } | { isNew: false; id: string; change: RuleChange })[]
}

export interface AlertStore
  extends RuleStore,
    SilenceStore,
    BundleStore,
    EscalationStore,
    ReportStore,
    ConditionStore,
    ClosingStore,
    AddressStore,
    MailStore {
  /** By name. */
  channelsOf(userId: string): Promise<Channel[]>
  channelById(id: string): Promise<Channel | null>
  /** Everybody's secrets, as they are sealed. */
  sealedChannels(): Promise<Uint8Array[]>
  /**
   * A user who has neither channels nor rules gets a first rule with it. Throws AppError CONFLICT when the user has a channel of that name, or `max`
   * channels.
   */
  addChannel(userId: string, channel: NewChannel, max: number): Promise<Channel>
  /** Null when the user has no such channel. One that is changed is tried again at once. Throws AppError CONFLICT when another has that name, or when it is of another version by now. */
  changeChannel(userId: string, id: string, change: ChannelChange): Promise<Channel | null>
  /** With all that waits for it; what its receiver has open is closed. False when the user had no such channel. */
  deleteChannel(userId: string, id: string): Promise<boolean>

  /** All or nothing. Throws AppError CONFLICT when a name is taken, something is gone, or it would be too many. */
  importAlerts(userId: string, wanted: WantedAlerts, limits: { channelsMax: number; rulesMax: number }): Promise<void>

  /** The place in the log of changes up to which everything is told; null: nothing was ever told here, and nothing old is to be. */
  toldUpTo(): Promise<number | null>
  /** Those of the events that there still are, in the order given. */
  eventsToTell(eventIds: readonly string[]): Promise<EventToTell[]>
  /** Events whose owner believes that the attack goes on. */
  toldOpen(): Promise<string[]>
  /** Those of which a channel of one of the kinds has, or will have, something. */
  toldOpenBy(kinds: readonly string[]): Promise<string[]>
  /** Those, and all events that go on. */
  openOrToldOpen(): Promise<string[]>
  /** All or nothing. Null: another process has read on. Else how many messages were given up since too many waited. */
  route(routing: Routing): Promise<number | null>

  /** For the start of the only process that sends: what is `sending` was broken off, and is due before all that waits behind it. */
  takeBack(nowMs: number): Promise<void>
  /**
   * What an attempt can be made for now, at most one a channel. Of one event messages come in the order of its notices, one after the other. What has been
   * `sending` for longer than `leaseMs` counts as well: what came of it could not be written.
   */
  turns(given: { nowMs: number; leaseMs: number; exceptChannels: readonly string[] }): Promise<Turn[]>
  /** They are `sending` from now on; those that there are no more are left out. */
  take(deliveryIds: readonly number[], nowMs: number): Promise<TakenDelivery[]>
  /** An event that was deleted with its owner while somebody else waits to hear of its end, as it was then. */
  deletedEvent(eventId: string): Promise<EventDetail | null>
  /** When the next one is `due`, Unix milliseconds; null: nothing waits. */
  nextDue(exceptChannels: readonly string[]): Promise<number | null>
  /**
   * Gives up `id`, which is `sending`, and what is due for the channel and was first due before: `awaitedBeforeMs` for ends of what it has been told. At most
   * `limit`; gives how many.
   */
  giveUpOld(given: OldDeliveries): Promise<number>
  /** With what was told with it. */
  settle(settlement: Settlement): Promise<void>

  /**
   * The clock was set by `stepMs`, and says `nowMs`: what waits for a time moves with it, but for wall times. What lies further ahead than its longest delay then
   * is due now; gives how many of each.
   */
  followClock(given: { nowMs: number; stepMs: number }): Promise<Partial<Record<Delay, number>>>

  /** The latest first. */
  deliveriesOf(userId: string, filter: DeliveryFilter): Promise<ListedDelivery[]>
  attemptsOf(userId: string, deliveryId: number): Promise<AttemptResult[]>
  /**
   * Makes dead and done ones due again, under the same number; gives how many. Left out is what would open an incident that its receiver has closed since, or the other
   * way round.
   */
  replay(
    userId: string,
    filter: Omit<DeliveryFilter, 'limit' | 'before'>,
  ): Promise<{ replayed: number; leftOut: number }>
  /** How much waits, by kind of channel, and since when. */
  waiting(): Promise<{ byKind: Readonly<Record<string, number>>; oldestMs: number | null }>
  overdue(beforeMs: number): Promise<Overdue>
  /** Deletes what is settled and older, and of more than `max` notices the earliest settled; gives how many. */
  pruneAlerts(limits: { beforeMs: number; max: number }): Promise<number>
}
