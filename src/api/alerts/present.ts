// Channels and deliveries as the interface shows them.
import type { AttemptResult, Channel, Delivery } from '../../alert/alert-store.ts'
import type { AttemptOutcome, Channel as WireChannel } from '../../contract/alerts/channels.ts'
import type { Delivery as WireDelivery } from '../../contract/alerts/deliveries.ts'
import { formatTime } from '../../contract/time.ts'

export function presentChannel({ id, name, kind, settings, createdMs, fortune, last }: Channel): WireChannel {
  const { isDisabled, failingSinceMs } = fortune
  return {
    id,
    name,
    kind,
    settings,
    state: isDisabled ? 'disabled' : failingSinceMs === null ? 'ok' : 'failing',
    failingSince: failingSinceMs === null ? null : formatTime(failingSinceMs),
    createdAt: formatTime(createdMs),
    last: last === null ? null : presentAttempt(last),
  }
}

export function presentAttempt({ atMs, tookMs, isDone, text }: AttemptResult): AttemptOutcome {
  return { at: formatTime(atMs), milliseconds: Math.round(tookMs), isDone, text }
}

export function presentDelivery({ id, channelId, notice, state, attempts, dueMs }: Delivery): WireDelivery {
  const { eventId, kind, number, facts, atMs } = notice
  return {
    id: String(id),
    channelId,
    eventId,
    kind,
    number,
    severity: facts.severity,
    at: formatTime(atMs),
    state,
    attempts,
    due: state === 'due' ? formatTime(dueMs) : null,
  }
}
