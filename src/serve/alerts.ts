// Alerts within the service: their settings, their secrets, and how they show events.
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Alerts, type AlertsOptions } from '../alert/alerts.ts'
import { HookRunner } from '../alert/hooks/runner.ts'
import { Mailer } from '../alert/mail/mailer.ts'
import { alertMetrics, deliveryDuration } from '../alert/metrics.ts'
import { HostNames } from '../alert/outgoing/host-names.ts'
import { presentOverview, presentReport } from '../api/events/present.ts'
import type { LiveFeed } from '../api/live/feed.ts'
import type { Config } from '../config.ts'
import { overviewExample, reportExample } from '../contract/events/examples.ts'
import { noNote } from '../events/notes.ts'
import type { EventDetail } from '../events/records.ts'
import { nowhere } from '../geo/place.ts'
import type { Logger } from '../log.ts'
import { openSecrets, type SecretBox } from '../store/secret-box.ts'
import type { Store } from '../store/store.ts'
import type { Components } from './components.ts'
import type { SimulationBook } from './simulation-book.ts'

interface Base {
  config: Pick<Config, 'alerts' | 'detect' | 'http' | 'store'>
  clock: AlertsOptions['clock']
  log: Logger
  parts: Components
  store: Store
  feed: Pick<LiveFeed, 'tellAlerts'>
  simulationBook: Pick<SimulationBook, 'tells'>
}

/** Who tells users about attacks, and with what it opens the secrets for it. */
export interface Telling {
  alerts: Alerts
  secrets: SecretBox
  hostNames: HostNames
}

/** They find and send nothing before `start`. */
export async function createAlerts({ config, clock, log, parts, store, feed, simulationBook }: Base): Promise<Telling> {
  const secrets = await openSecrets({ store, directory: config.store.dir, log })
  const hostNames = new HostNames()
  const installation = {
    publicUrl: config.http.publicUrl,
    host: hostname(),
    mailer: Mailer.of(config.alerts.smtp, { store, clock, resolve: hostNames.of('mail') }),
    hooks: new HookRunner(config.alerts.hooks, { directory: join(config.store.dir, 'hooks'), log }),
  }
  const { reopenSeconds } = config.detect
  const durations = parts.metrics.histogram(deliveryDuration)
  const onDone = (kind: string, seconds: number) => durations.observe({ kind }, seconds)
  const isToldTest: AlertsOptions['isToldTest'] = ({ incident }) => simulationBook.tells(incident)
  const given = { store, settings: config.alerts, installation, hostNames, secrets, clock, log, reopenSeconds }
  const alerts = alertsOn({ ...given, onDone, isToldTest })
  alerts.onChanged = (userId) => feed.tellAlerts(userId)
  return { alerts: parts.add(alerts, alertMetrics), secrets, hostNames }
}

export function alertsOn(given: Omit<AlertsOptions, 'present' | 'report' | 'example'>): Alerts {
  return new Alerts({
    ...given,
    present: (event) => presentOverview(event),
    report,
    example: { event: overviewExample, report: reportExample },
  })
}

/** As its owner reads it, whoever that is: nothing that only admins may know goes out. */
function report(event: EventDetail) {
  const places = { isKnown: false, placeOf: () => nowhere }
  return presentReport(event, noNote, { isAdmin: false, isShared: () => false, places, episodes: [], alerts: [] })
}
