// What the cases of alerts begin with: a user, channels, and what is to be told.

import type { AlertStore, Delivery, Routing, Settlement, TakenDelivery } from '../../../src/alert/alert-store.ts'
import { goodHealth } from '../../../src/alert/attempts.ts'
import type { NewNotice } from '../../../src/alert/notice.ts'
import type { Store } from '../../../src/store/store.ts'

export const leaseMs = 60_000

export async function userOf(store: Store, name: string): Promise<string> {
  return (await store.addUser({ email: `${name}@example.com`, siteQuota: 10, allowed: null })).id
}

export const channelOf = (id: string, name = id) => ({
  ...{ id, name, kind: 'webhook', settings: { url: `https://${id}.example.com/` } },
  sealed: Uint8Array.of(1, 2, 3),
})

export const noticeOf = (userId: string, eventId: string, number = 1): NewNotice => ({
  ...{ userId, eventId, number, atMs: 0, kind: number === 1 ? 'started' : 'ended' },
  facts: { severity: 'high', label: null, before: null },
})

export const routingOf = (
  from: number,
  notices: [notice: NewNotice, ...channelIds: string[]][],
  given: Partial<Routing> = {},
): Routing => ({
  ...{ from, to: from + 1, told: new Map(), reminders: [], waitingMax: 1_000 },
  escalations: { begun: [], done: [], resting: [] },
  notices: notices.map(([notice, ...channelIds]) => ({
    notice,
    to: channelIds.map((channelId) => ({ channelId, ruleId: null, course: { what: 'now' } })),
  })),
  ...given,
})

/** Takes what can be sent now, one message a channel. */
export async function takeAll(store: AlertStore, nowMs: number, given = { leaseMs }): Promise<TakenDelivery[]> {
  const turns = await store.turns({ nowMs, exceptChannels: [], ...given })
  return store.take(
    turns.map(({ deliveryId }) => deliveryId),
    nowMs,
  )
}

export const settlementOf = ({ id, channelId }: Delivery, given: Partial<Settlement> = {}): Settlement => ({
  ...{
    id,
    channelId,
    state: 'done',
    attempts: 0,
    dueMs: 0,
    version: 0,
    health: goodHealth,
    isBack: false,
    result: null,
  },
  ...given,
})

export const textOf = ({ channelId, notice: { eventId, number } }: Delivery) => `${channelId} ${eventId} ${number}`
