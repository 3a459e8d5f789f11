// Channels as their user is shown them, with the addresses that wait for somebody to confirm them.
import type { Channel } from '../../alert/alert-store.ts'
import type { Channel as WireChannel } from '../../contract/alerts/channels.ts'
import type { User } from '../../store/store.ts'
import type { AlertParts } from './parts.ts'
import { presentChannel } from './present.ts'

export async function presentedAll(
  { alerts }: Pick<AlertParts, 'alerts'>,
  user: User,
  channels: readonly Channel[],
): Promise<WireChannel[]> {
  const { confirmations } = alerts
  const waiting = await confirmations.waitingOf(user, channels)
  return channels.map((channel) => presentChannel(channel, waiting.get(channel.id) ?? [], confirmations.by))
}

export function presentedFor(
  parts: Pick<AlertParts, 'alerts'>,
  user: User,
): (channel: Channel) => Promise<WireChannel> {
  return async (channel) => (await presentedAll(parts, user, [channel]))[0]
}
