// Alerts within the service: their settings, their secrets, and how they show events.
import { Alerts, type AlertsOptions } from '../alert/alerts.ts'
import { alertMetrics } from '../alert/metrics.ts'
import { presentOverview } from '../api/events/present.ts'
import type { Config } from '../config.ts'
import { overviewExample } from '../contract/events/examples.ts'
import type { Logger } from '../log.ts'
import { openSecrets, type SecretBox } from '../store/secret-box.ts'
import type { Store } from '../store/store.ts'
import type { Components } from './components.ts'

interface Base {
  config: Pick<Config, 'alerts' | 'store'>
  clock: AlertsOptions['clock']
  log: Logger
  parts: Components
  store: Store
}

/** Who tells users about attacks, and with what it opens the secrets for it. */
export interface Telling {
  alerts: Alerts
  secrets: SecretBox
}

/** They find and send nothing before `start`. */
export async function createAlerts({ config, clock, log, parts, store }: Base): Promise<Telling> {
  const secrets = await openSecrets({ store, directory: config.store.dir, log })
  return { alerts: parts.add(alertsOn({ store, settings: config.alerts, secrets, clock, log }), alertMetrics), secrets }
}

export function alertsOn(given: Omit<AlertsOptions, 'present' | 'example'>): Alerts {
  return new Alerts({ ...given, present: (event) => presentOverview(event), example: overviewExample })
}
