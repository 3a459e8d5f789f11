// What the endpoints of alerts need of the rest of the service.
import type { AlertStore } from '../../alert/alert-store.ts'
import type { Alerts as AlertService } from '../../alert/alerts.ts'
import type { Clock } from '../../clock.ts'
import type { Store } from '../../store/store.ts'
import type { LiveFeed } from '../live/feed.ts'

/** Who knows the kinds of channels, and sends. */
export type Alerts = Pick<
  AlertService,
  'channels' | 'previews' | 'links' | 'confirmations' | 'paces' | 'onChanged' | 'wake'
>

export interface AlertParts {
  store: AlertStore &
    Pick<Store, 'sitesAmong' | 'listGroups' | 'eventById' | 'notesOf' | 'changeNote' | 'userById' | 'userByEmail'>
  alerts: Alerts
  feed: Pick<LiveFeed, 'wake'>
  clock: Clock
  publicUrl: string
}
