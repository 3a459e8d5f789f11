// What the endpoints of alerts need of the rest of the service.
import type { AlertStore, AttemptResult, Channel } from '../../alert/alert-store.ts'
import type { Alerts as AlertService, ChannelGiven, CheckedSecrets } from '../../alert/alerts.ts'
import type { Clock } from '../../clock.ts'
import type { Store, User } from '../../store/store.ts'
import type { ProblemErrors } from '../http/problem.ts'
import type { LiveFeed } from '../live/feed.ts'

/** What is wrong with the settings or secrets of a channel, if anything. */
export type Checked = CheckedSecrets | ProblemErrors

type Sealed = Pick<Channel, 'id' | 'sealed' | 'oldSecretUntilMs'>

/** Who knows the kinds of channels, and sends. */
export interface Alerts
  extends Pick<AlertService, 'links' | 'confirmations' | 'paces' | 'titleOf' | 'preview' | 'places' | 'onChanged'> {
  kinds(): { kind: string; settings: Record<string, unknown>; secrets: Record<string, unknown> }[]
  newId(): string
  seal(id: string, secrets: Readonly<Record<string, string>>): Uint8Array
  /** The secrets of a channel; null: their key is not here. */
  secretsOf(channel: Sealed): Readonly<Record<string, string>> | null
  /** Null: its kind has no secret that is made here. */
  rotate(
    channel: Sealed & Pick<Channel, 'kind'>,
  ): (Pick<Channel, 'sealed' | 'oldSecretUntilMs'> & { made: string }) | null
  check(given: ChannelGiven, caller: User): Promise<Checked>
  test(channel: Channel): Promise<AttemptResult>
  /** Something may be due. */
  wake(): void
}

export interface AlertParts {
  store: AlertStore &
    Pick<Store, 'sitesAmong' | 'listGroups' | 'eventById' | 'notesOf' | 'changeNote' | 'userById' | 'userByEmail'>
  alerts: Alerts
  feed: Pick<LiveFeed, 'wake'>
  clock: Clock
  publicUrl: string
}
