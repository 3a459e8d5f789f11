// The parts that sending rests on, whether something is said for the first time or again.
import type { Clock } from '../clock.ts'
import type { EventReport } from '../contract/events/event.ts'
import type { EventDetail } from '../events/records.ts'
import type { Logger } from '../log.ts'
import type { AcknowledgingLinks } from './acknowledging.ts'
import type { AlertStore, Channel } from './alert-store.ts'
import type { SealedChannel } from './channel-desk.ts'
import type { ChannelKind, ChannelOwner, Installation, SendOptions } from './channels/kind.ts'
import type { Delays } from './delays.ts'
import type { HostNames } from './outgoing/host-names.ts'
import type { Allowed } from './outgoing/reach.ts'

export interface SendParts {
  store: AlertStore & { eventById(userId: string, id: string): Promise<EventDetail | null> }
  kinds: ReadonlyMap<string, ChannelKind>
  /** The secrets of a channel; null: they cannot be opened. */
  secretsOf: (channel: SealedChannel) => Record<string, string> | null
  ownerOf: (userId: string) => Promise<ChannelOwner>
  installation: Installation
  /** Admins may be told about attacks on others. */
  isAdmin: (userId: string) => Promise<boolean>
  links: AcknowledgingLinks
  allowed: Allowed
  hostNames: HostNames
  /** The event as its owner reads it. */
  present: (event: EventDetail) => unknown
  report: (event: EventDetail) => EventReport
  delays: Delays
  clock: Clock
  log: Logger
}

/** Null: the secrets of the channel cannot be opened. */
export async function sendOptionsOf(
  { secretsOf, ownerOf, installation, allowed, hostNames, clock }: SendParts,
  channel: Channel,
  signal: AbortSignal,
): Promise<SendOptions | null> {
  const secrets = secretsOf(channel)
  if (secrets === null) return null
  const owner = await ownerOf(channel.userId)
  const { id: channelId, userId, settings } = channel
  const reaching = { allowed, signal, resolve: hostNames.of(userId) }
  return { ...owner, ...reaching, installation, settings, secrets, channelId, userId, nowMs: clock.now() }
}
