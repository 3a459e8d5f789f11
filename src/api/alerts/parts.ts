// What the endpoints of alerts need of the rest of the service.
import type { AlertStore, AttemptResult, Channel } from '../../alert/alert-store.ts'
import type { Alerts as AlertService } from '../../alert/alerts.ts'
import type { Clock } from '../../clock.ts'
import type { Store, User } from '../../store/store.ts'
import type { ProblemErrors } from '../http/problem.ts'
import type { LiveFeed } from '../live/feed.ts'

/** What is wrong with the settings or secrets of a channel, if anything. */
export type Checked = { secrets: Record<string, string>; made: string | null } | ProblemErrors

export interface ChannelGiven {
  kind: string
  settings: unknown
  secrets: unknown
}

/** Who knows the kinds of channels, and sends. */
export interface Alerts extends Pick<AlertService, 'links' | 'titleOf'> {
  kinds(): { kind: string; settings: Record<string, unknown>; secrets: Record<string, unknown> }[]
  newId(): string
  seal(id: string, secrets: Readonly<Record<string, string>>): Uint8Array
  /** The secrets of a channel; null: their key is not here. */
  secretsOf(channel: Pick<Channel, 'id' | 'sealed'>): Record<string, string> | null
  check(given: ChannelGiven, caller: User): Promise<Checked>
  test(channel: Channel): Promise<AttemptResult>
  /** Something may be due. */
  wake(): void
}

export interface AlertParts {
  store: AlertStore & Pick<Store, 'sitesAmong' | 'eventById' | 'notesOf' | 'changeNote' | 'userById'>
  alerts: Alerts
  feed: Pick<LiveFeed, 'wake'>
  clock: Clock
  publicUrl: string
}
