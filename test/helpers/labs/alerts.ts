// Alerts of tests: on the store that is given, and asleep until they are started.
import type { Alerts } from '../../../src/alert/alerts.ts'
import type { Clock } from '../../../src/clock.ts'
import { createLogger, type Logger } from '../../../src/log.ts'
import { alertsOn } from '../../../src/serve/alerts.ts'
import type { SecretBox } from '../../../src/store/secret-box.ts'
import type { Store } from '../../../src/store/store.ts'

export function alertsOf(given: { store: Store; secrets: SecretBox; clock: Clock; log?: Logger }): Alerts {
  return alertsOn({ log: createLogger('silent'), settings: { allowedTargets: [], retentionDays: 30 }, ...given })
}
