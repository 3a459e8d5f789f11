// What a store keeps of incidents that receivers have open though their channel is gone, or its user may hear no more of them: a pager rings until one is closed.
import type { Channel } from '../alert-store.ts'
import type { Reach } from '../outgoing/reach.ts'

/** Kinds of channels whose receivers keep an incident open until they are told that it is over: those that have `close`. */
export const closableKinds: readonly string[] = ['pagerduty', 'opsgenie', 'exec']

/** An incident to be closed, with its channel as that was. */
export interface Closing {
  id: number
  channel: Pick<Channel, 'id' | 'userId' | 'kind' | 'settings' | 'sealed' | 'oldSecretUntilMs'>
  /** That of the channel's user then. */
  reach: Reach
  /** Under which name the receiver has it. */
  thread: string
  createdMs: number
  /** It was tried, and not closed. */
  hasFailed: boolean
}

export interface ClosingStore {
  /** Those whose time has come, the earliest first: of one user as many, and of all. */
  dueClosings(given: { nowMs: number; perUser: number; limit: number }): Promise<Closing[]>
  /** It is tried again then; null: it is deleted. */
  settleClosing(id: number, dueMs: number | null): Promise<void>
}
