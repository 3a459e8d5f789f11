// What a kind of channel is: whom it reaches, what its user has to say for it, and how a message is sent.
import type { LookupAddress } from 'node:dns'
import type { TSchema } from 'typebox'
import type { Attempt, Audience } from '../attempts.ts'
import type { NoticeFacts } from '../notice.ts'
import type { Allowed, Reach } from '../outgoing/reach.ts'

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
  /** The event as its owner reads it. */
  event: unknown
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
  /** What its settings are, as an object without other members. */
  settings: TSchema
  /** What its secrets are, likewise. Each is a text. */
  secrets: TSchema
  /** The secrets with those that can be made and were not given; `made`: what its user is shown once. */
  complete(secrets: Readonly<Record<string, string>>): { secrets: Record<string, string>; made: string | null }
  /** Where it sends to, each with its place in the request. */
  places(settings: unknown, secrets: Readonly<Record<string, string>>): [pointer: string, url: string][]
  /** Milliseconds between two messages at least. */
  paceMs: number
  /** Never rejects but for a bug. */
  send(message: Message, options: SendOptions): Promise<SendResult>
}
