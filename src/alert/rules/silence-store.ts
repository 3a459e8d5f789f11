// What a store keeps of silences, and of what they and others hold back.
import type { TurnKind } from '../notice.ts'
import type { Hold, Holder, Silence } from './hold.ts'

export type NewSilence = Omit<Silence, 'userId' | 'createdMs'>

/** A silence with the attacks that it has held back so far. */
export interface KeptSilence extends Silence {
  attacks: number
  /** Those of them that go on. */
  openAttacks: number
}

/** A message that was held back until now. */
export interface HeldDelivery {
  by: Holder['by']
  id: number
  channelId: string
  channelUserId: string
  eventId: string
  kind: TurnKind
  dueMs: number
  /** Null: it is told alone. */
  bundle: string | null
}

export interface SilenceStore {
  /** Those that have not ended first, then those that have, the latest first. */
  silencesOf(userId: string): Promise<KeptSilence[]>
  /** Those of the users that hold back something now. */
  silencesAt(nowMs: number, userIds: readonly string[]): Promise<Silence[]>
  /** Throws AppError CONFLICT when the user has `max` silences that have not ended. */
  addSilence(userId: string, silence: NewSilence, max: number): Promise<KeptSilence>
  /** It ends now, and what it held back is looked at again; one that has not begun is deleted. False when the user has no such silence that goes on. */
  endSilence(userId: string, id: string): Promise<boolean>
  /** Whose hold is over, the earliest first. */
  heldDue(given: { nowMs: number; limit: number }): Promise<HeldDelivery[]>
  /** They are due now, or held back further; what is not as it was stays as it is. */
  release(released: readonly { held: HeldDelivery; hold: Hold | null }[]): Promise<void>
}
