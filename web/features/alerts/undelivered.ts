// What did not reach anybody: channels that fail, and messages that were given up lately. Pure.
import type { Channel, Delivery } from './queries.ts'

/** Older ones are in the list of messages; nobody can be told about such an attack in time. */
const lateMs = 24 * 3_600_000

export interface Undelivered {
  failing: readonly Pick<Channel, 'id' | 'name' | 'failingSince'>[]
  /** When there was something to tell that was given up, the latest. Null: that was not so for a day. */
  givenUpAt: string | null
}

/** `given`: deliveries, the latest first. Null: all is well. */
export function undelivered(
  channels: readonly Pick<Channel, 'id' | 'name' | 'state' | 'failingSince'>[],
  given: readonly Pick<Delivery, 'state' | 'at'>[],
  nowMs: number,
): Undelivered | null {
  // Turned off by its receiver, and not by its user, it fails as well.
  const failing = channels.filter(({ state, failingSince }) => state === 'failing' || failingSince !== null)
  const late = given.find(({ state, at }) => state === 'dead' && nowMs - Date.parse(at) < lateMs)
  return failing.length === 0 && late === undefined ? null : { failing, givenUpAt: late?.at ?? null }
}
