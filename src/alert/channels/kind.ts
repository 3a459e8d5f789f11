// What a kind of channel is: whom it reaches, what its user has to say for it, and how a message is sent.
import type { TSchema } from 'typebox'
import type { EventReport } from '../../contract/events/event.ts'
import type { Attempt, Audience } from '../attempts.ts'
import type { OtherAttacks } from '../bundles/others.ts'
import type { HookRunner } from '../hooks/runner.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { NoticeFacts } from '../notice.ts'
import type { Reach } from '../outgoing/reach.ts'
import type { ReachOptions } from '../outgoing/request.ts'
import type { OwnNotice } from '../own/text.ts'

/** What is told, with the event as it is now. */
export interface Message {
  /** `event.started`, or another kind of notice; `alert.test`. */
  type: string
  /** The same in every attempt: a receiver knows a repetition by it. */
  id: string
  /** Within the event, from 1. */
  number: number
  /** When there was something to tell, Unix milliseconds. */
  atMs: number
  facts: NoticeFacts
  /** Under which name a receiver has what belongs together; left out: the event's id. */
  thread?: string
  /** What else it tells; left out: nothing. */
  others?: OtherAttacks
  /** The event as its owner reads it in a list. */
  event: unknown
  /** What it says about the installation itself, in place of an event; left out: it is about an event. */
  own?: OwnNotice
  /** The same with what it consists of, as far as its owner may know. */
  report: EventReport
  /** How long it could not be sent, where that is longer than a message is worth; left out: it is in time. */
  lateSeconds?: number
  /** Where whoever has got it takes note of the event; left out: nowhere. */
  acknowledgeUrl?: string
}

/** What the installation has for the channels of everybody. */
export interface Installation {
  /** Where people read it; empty: that is not known, and messages have no links. */
  publicUrl: string
  /** The name of this machine. */
  host: string
  /** Null: there is no mail server. */
  mailer: Mailer | null
  hooks: HookRunner
}

/** Whose channel it is. */
export interface ChannelOwner {
  email: string
  reach: Reach
  /** Addresses that were confirmed for them, in lower case; left out: none. */
  confirmed?: ReadonlySet<string>
}

/** What it is about goes on no more. */
export function isOver({ type, own }: Pick<Message, 'type' | 'own'>): boolean {
  return own === undefined ? type === 'event.ended' : own.isOver
}

export interface SendOptions extends ReachOptions {
  settings: Readonly<Record<string, unknown>>
  secrets: Readonly<Record<string, string>>
  /** Whose channel it is, with the address of the account. */
  userId: string
  email: string
  confirmed?: ReadonlySet<string>
  installation: Installation
  /** What is kept of its messages elsewhere has this name. */
  channelId: string
  /** Unix milliseconds. */
  nowMs: number
  signal: AbortSignal
}

/** Its user may be gone. */
export type CloseOptions = Omit<SendOptions, 'userId' | 'email' | 'confirmed'>

/**
 * Why an attempt sent nothing. `target`: messages may not go there; `settings`: they are not complete, or of another version; `rights`: its user may not;
 * `secrets`: they cannot be opened.
 */
export const unsentReasons = ['target', 'settings', 'rights', 'secrets'] as const
export type UnsentReason = (typeof unsentReasons)[number]

export interface SendResult extends Attempt {
  /** For the channel's user: what came of it, without secrets. */
  text: string
  /** Left out: something was sent. */
  unsent?: UnsentReason
}

/** Refused before anything was sent. */
export function unsent(reason: UnsentReason, text: string): SendResult {
  return { outcome: 'refused', pauseMs: null, text, unsent: reason }
}

/** How long an attempt takes at most, where nothing else limits it. */
const attemptMs = 20_000

/** Ends an attempt that nobody leases: with the service, or when it takes too long. Programs that act must not be killed in the middle of it. */
export function attemptSignal({ hasOwnLimits }: Pick<ChannelKind, 'hasOwnLimits'>, end: AbortSignal): AbortSignal {
  return hasOwnLimits === true ? end : AbortSignal.any([end, AbortSignal.timeout(attemptMs)])
}

/** What is wrong with a channel; `pointer`: where, within the request. */
export interface ChannelFault {
  pointer: string
  detail: string
}

export interface ChannelKind {
  kind: string
  /** Its proper name. */
  title: string
  /** What it was seen to work with, for the documentation. */
  proof: string
  audience: Audience
  /** It shows the latest state: where several messages of an event wait, the last one says it all. */
  latestOnly: boolean
  /** Its receiver has incidents alone, which begin and end, and wakes people: it gets no reports, and tests only where a rule says so. Left out: it gets both. */
  incidentsOnly?: boolean
  /** What its settings are, as an object without other members. */
  settings: TSchema
  /** What its secrets are, likewise. Each is a text. */
  secrets: TSchema
  /** The secrets with those that can be made and were not given; `made`: what its user is shown once. */
  complete(secrets: Readonly<Record<string, string>>): { secrets: Record<string, string>; made: string | null }
  /** Another secret in place of one that can be made; the one before it is kept beside it. Left out: none can be. */
  rotate?(secrets: Readonly<Record<string, string>>): { secrets: Record<string, string>; made: string }
  /** Where it sends to, each with its place in the request. */
  places(settings: unknown, secrets: Readonly<Record<string, string>>): [pointer: string, url: string][]
  /** What else is wrong with settings that fit the schema. */
  faults?(settings: unknown, owner: ChannelOwner, installation: Installation): ChannelFault[]
  /** Addresses among them that nobody has vouched for: nothing is sent there until somebody confirms it. Left out: there are none. */
  unconfirmed?(settings: unknown, owner: ChannelOwner): string[]
  /** Milliseconds between two messages at least. */
  paceMs: number
  /** The configuration says how long an attempt may take: see `attemptSignal`. Left out: 20 seconds are enough. */
  hasOwnLimits?: boolean
  /** Never rejects but for a bug. */
  send(message: Message, options: SendOptions): Promise<SendResult>
  /** Tells the receiver that what it has under the name is over, and no more. Left out: it keeps nothing open, or forgets it by itself. */
  close?(thread: string, options: CloseOptions): Promise<SendResult>
  /** Says again, once a minute, what goes on, to a receiver that forgets it else. */
  repeat?(messages: readonly Message[], options: SendOptions): Promise<SendResult>
}
