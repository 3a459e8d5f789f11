// What becomes of messages whose hold is over. Asked again, since silences may have been made, and hours changed, meanwhile.
import type { AlertStore } from '../alert-store.ts'
import { occasionsOf } from './address.ts'
import { type Hold, heldByEnd } from './hold.ts'
import { openRulebook, type RulebookStore } from './rulebook.ts'
import type { HeldDelivery } from './silence-store.ts'

/** Null: it is due. So is an end that was held back in case the attack comes back, and what there is no event of any more: the sender sees to that. */
export async function releaseOf(
  held: readonly HeldDelivery[],
  { store, nowMs }: { store: Pick<AlertStore, 'eventsToTell'> & RulebookStore; nowMs: number },
): Promise<{ held: HeldDelivery; hold: Hold | null }[]> {
  const found = await store.eventsToTell([...new Set(held.map(({ eventId }) => eventId))])
  const events = new Map(found.map((each) => [each.event.id, each]))
  const rules = await openRulebook(store, new Set(held.map(({ channelUserId }) => channelUserId)), nowMs)
  return held.map((each) => {
    const event = events.get(each.eventId)
    const channel = rules.of(each.channelUserId).channels.find(({ id }) => id === each.channelId)
    if (each.heldBy === heldByEnd || event === undefined || event.told === null || channel === undefined)
      return { held: each, hold: null }
    const { severity, label } = event.told
    const facts = { severity, label, before: null }
    const { own, installation } = occasionsOf(event, { kind: each.kind, facts, atMs: nowMs })
    const occasion = each.channelUserId === event.event.userId ? own : (installation ?? own)
    return { held: each, hold: rules.of(each.channelUserId).holdOf(occasion, channel, nowMs) }
  })
}
