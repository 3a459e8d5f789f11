// Alerts of tests: on the store that is given, and asleep until they are started.

import { Value } from 'typebox/value'
import type { Alerts } from '../../../src/alert/alerts.ts'
import type { Installation } from '../../../src/alert/channels/kind.ts'
import { HookRunner } from '../../../src/alert/hooks/runner.ts'
import type { MailerParts } from '../../../src/alert/mail/mailer.ts'
import { HostNames, type Resolve } from '../../../src/alert/outgoing/host-names.ts'
import { type AlertSettings, alertSettings } from '../../../src/alert/settings.ts'
import type { Clock } from '../../../src/clock.ts'
import { createLogger, type Logger } from '../../../src/log.ts'
import { alertsOn } from '../../../src/serve/alerts.ts'
import type { SecretBox } from '../../../src/store/secret-box.ts'
import type { Store } from '../../../src/store/store.ts'

/** The settings as they are where nobody has said anything. */
export const plainSettings: AlertSettings = Value.Create(alertSettings)

/** Looks up names as the machine does. */
export const ofSystem: Resolve = (name) => new HostNames().of('test')(name)

/** The parts of a mailer where it does not matter how many mails a user sends. */
export const mailerParts: MailerParts = {
  store: { countMail: async () => 1, uncountMail: async () => {} },
  resolve: ofSystem,
}

/** Neither mail nor programs, unless they are given. */
export function installationOf(given: Partial<Installation> = {}): Installation {
  const hooks = new HookRunner([], { directory: '/nonexistent', log: createLogger('silent') })
  return { publicUrl: '', host: 'test', mailer: null, hooks, ...given }
}

export function alertsOf({
  publicUrl = '',
  mailer = null,
  hostNames = new HostNames(),
  ...given
}: {
  store: Store
  secrets: SecretBox
  clock: Clock
  log?: Logger
  publicUrl?: string
  mailer?: Installation['mailer']
  hostNames?: HostNames
}): Alerts {
  const installation = installationOf({ publicUrl, mailer })
  const quiet = { log: createLogger('silent'), isToldTest: () => false }
  return alertsOn({ reopenSeconds: 600, ...quiet, settings: plainSettings, installation, hostNames, ...given })
}
