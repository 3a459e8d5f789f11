// The events of a user that hit an address in some time: those of the address, and those of networks in which it was hit.
import type { ToldEvent } from '../../contract/explanations.ts'
import { formatTime } from '../../contract/time.ts'
import { allHit } from '../../events/hit-network.ts'
import { containsKey, networkKey, parseNetwork } from '../../net/network.ts'
import type { EventSummary, Store } from '../../store/store.ts'

/** Events that are looked through. */
const attacksMax = 200

export type EventsKept = Pick<Store, 'attacksWithin' | 'eventById'>

export async function eventsHitting(
  store: EventsKept,
  userId: string,
  { address, fromMs, toMs }: { address: number; fromMs: number; toMs: number },
): Promise<ToldEvent[]> {
  const window = { site: null, fromMs, toMs, stepMs: Math.max(1, toMs - fromMs), latest: attacksMax }
  const { latest } = await store.attacksWithin(userId, window)
  const hits: EventSummary[] = []
  for (const event of latest) if (await isHit(store, event, address)) hits.push(event)
  return hits.map(({ id, site, label, startMs, endMs }) => ({
    ...{ id, site, attackType: label, start: formatTime(startMs) },
    end: endMs === null ? null : formatTime(endMs),
  }))
}

async function isHit(store: EventsKept, event: EventSummary, address: number): Promise<boolean> {
  if (event.address === address) return true
  const network = event.network === null ? null : parseNetwork(event.network.prefix)
  if (network === null || !containsKey(networkKey(network), address)) return false
  const detail = await store.eventById(event.userId, event.id)
  return detail !== null && allHit(detail).includes(address)
}
