// What a store keeps of messages that wait to be told together.
import type { Severity } from '../../events/severity.ts'
import type { Delivery } from '../alert-store.ts'
import type { TurnKind } from '../notice.ts'
import type { Holder } from '../rules/hold.ts'
import type { HeldDelivery } from '../rules/silence-store.ts'

/** One that waits, and what the channel knows of its event. */
export interface WaitingDelivery extends HeldDelivery {
  bundle: string
  /** That of its notice within the event. */
  number: number
  /** The place of its notice among all: it rises. */
  sequence: number
  severity: Severity
  /** There still is an event of it. */
  isThere: boolean
  /** Bytes per second at worst. */
  weight: number
  /** The latest of the event that the channel was told, or will be; null: nothing. */
  lastTold: TurnKind | null
  /** Where that was told. */
  thread: string
}

/** The latest message of a bundle. */
export interface BundleThread {
  thread: string
  toldMs: number
  severity: Severity
}

/** A message: one that waits, with others that are told by it. */
export interface Gathered {
  carrier: WaitingDelivery
  others: readonly WaitingDelivery[]
  thread: string
  /** It is the thread that what comes later joins; else one from before. */
  isCurrent: boolean
}

/** What becomes of those that wait in a bundle. */
export interface BundlePlan {
  channelId: string
  bundle: string
  tell: readonly Gathered[]
  /** They wait on; `holder`: what holds them back from now on; null: the same as before. */
  wait: readonly { waiting: HeldDelivery; untilMs: number; holder: Holder | null }[]
  /** They are told in a digest. */
  toDigest: readonly HeldDelivery[]
}

export interface BundleStore {
  /** All that waits in it, also what is not due yet. */
  waitingIn(channelId: string, bundle: string): Promise<WaitingDelivery[]>
  /** Null: no message of it was sent yet. */
  threadOf(channelId: string, bundle: string): Promise<BundleThread | null>
  /** Events of a thread of which the channel knows, or will know, that they go on. */
  openIn(channelId: string, thread: string): Promise<string[]>
  /** The latest that is due of what the receiver has under one name. */
  latestDue(channelId: string, thread: string): Promise<Delivery | null>
  /** Messages to people that the channel was, or will be, sent of what was first due within that time. */
  messagesBetween(channelId: string, fromMs: number, untilMs: number): Promise<number>
  /** All or nothing; what is not as it was stays as it is. */
  carryOut(plan: BundlePlan, nowMs: number): Promise<void>
}
