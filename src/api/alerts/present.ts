// Channels and deliveries as the interface shows them.
import type { AttemptResult, Channel, Delivery, ListedDelivery } from '../../alert/alert-store.ts'
import type { WaitingAddress } from '../../alert/mail/confirmations.ts'
import type { AttemptOutcome, Channel as WireChannel } from '../../contract/alerts/channels.ts'
import type { Delivery as WireDelivery } from '../../contract/alerts/deliveries.ts'
import { formatTime } from '../../contract/time.ts'

export function presentChannel(
  channel: Channel,
  waiting: readonly WaitingAddress[],
  confirmedBy: 'link' | 'admin',
): WireChannel {
  const { id, name, kind, settings, createdMs, quiet, health, last, oldSecretUntilMs } = channel
  const { failingSinceMs } = health
  return {
    id,
    name,
    kind,
    settings,
    state: stateOf(channel, waiting.length > 0),
    failingSince: failingSinceMs === null ? null : formatTime(failingSinceMs),
    oldSecretUntil: oldSecretUntilMs === null ? null : formatTime(oldSecretUntilMs),
    createdAt: formatTime(createdMs),
    quiet: quiet && { ...quiet, days: [...quiet.days] },
    last: last === null ? null : presentAttempt(last),
    unconfirmed: waiting.map(({ address, askedMs, problem }) => ({
      ...{ address, problem },
      askedAt: askedMs === null ? null : formatTime(askedMs),
    })),
    confirmedBy: waiting.length === 0 ? null : confirmedBy,
  }
}

function stateOf({ health }: Channel, waits: boolean): WireChannel['state'] {
  if (health.isDisabled) return 'disabled'
  if (waits) return 'unconfirmed'
  return health.failingSinceMs === null ? 'ok' : 'failing'
}

export function presentAttempt({ atMs, tookMs, isDone, text }: AttemptResult): AttemptOutcome {
  return { at: formatTime(atMs), milliseconds: Math.round(tookMs), isDone, text }
}

/** The number that the store gives would tell how much is sent to others. */
export function deliveryId({ channelId, notice }: Delivery): string {
  return idOf(channelId, notice)
}

function idOf(channelId: string, { eventId, number }: Pick<Delivery['notice'], 'eventId' | 'number'>): string {
  return `${channelId}-${eventId}-${number}`
}

/** Null: it is no such id. */
export function readDeliveryId(id: string): { channelId: string; eventId: string; number: number } | null {
  const [, channelId, eventId, number] = /^([0-9a-f]{1,32})-([0-9a-z]{1,32})-([1-9][0-9]{0,8})$/.exec(id) ?? []
  return channelId === undefined ? null : { channelId, eventId, number: Number(number) }
}

export function presentDelivery(delivery: ListedDelivery): WireDelivery {
  const { channelId, ruleId, notice, state, attempts, dueMs, heldBy, toldWith, site } = delivery
  const { eventId, kind, number, facts, atMs } = notice
  return {
    id: deliveryId(delivery),
    channelId,
    ruleId,
    eventId,
    kind,
    number,
    severity: facts.severity,
    attackType: facts.label,
    site,
    at: formatTime(atMs),
    state,
    attempts,
    due: state === 'due' || state === 'held' ? formatTime(dueMs) : null,
    heldBy,
    toldWith: toldWith === null ? null : idOf(channelId, toldWith),
  }
}
