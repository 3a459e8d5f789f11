// What a kind of channel is: whom it reaches, what its user has to say for it, and how a message is sent.
import type { LookupAddress } from 'node:dns'
import type { TSchema } from 'typebox'
import type { EventDetail } from '../../events/records.ts'
import type { Attempt, Audience } from '../attempts.ts'
import type { Notice } from '../notice.ts'
import type { Allowed, Reach } from '../outgoing/reach.ts'

/** What is told: the notice, and the event as it is now. */
export interface Message {
  notice: Notice
  /** The same in every attempt: a receiver knows a repetition by it. */
  id: string
  /** The event as its owner reads it. */
  event: unknown
  detail: EventDetail
}

export interface SendOptions {
  settings: Readonly<Record<string, unknown>>
  secrets: Readonly<Record<string, string>>
  reach: Reach
  allowed: Allowed
  resolve?: (name: string) => Promise<LookupAddress[]>
  /** Unix milliseconds. */
  nowMs: number
  signal: AbortSignal
}

export interface SendResult extends Attempt {
  /** For the channel's user: what came of it, without secrets. */
  text: string
}

export interface ChannelKind {
  kind: string
  audience: Audience
  /** Of its settings, as objects without other members. */
  settings: TSchema
  /** Of its secrets. Each is a text. */
  secrets: TSchema
  /** Milliseconds between two messages at least. */
  paceMs: number
  /** Never rejects but for a bug. */
  send(message: Message, options: SendOptions): Promise<SendResult>
}
