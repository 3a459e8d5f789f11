// Alerts of tests: on the store that is given, and asleep until they are started.

import { Value } from 'typebox/value'
import type { Alerts } from '../../../src/alert/alerts.ts'
import type { Installation, Message, SendOptions, SendResult } from '../../../src/alert/channels/kind.ts'
import { mail } from '../../../src/alert/channels/mail.ts'
import { HookRunner } from '../../../src/alert/hooks/runner.ts'
import type { Deferral } from '../../../src/alert/mail/deferrals.ts'
import type { MailStore } from '../../../src/alert/mail/mail-store.ts'
import type { MailerParts } from '../../../src/alert/mail/mailer.ts'
import { HostNames, type Resolve } from '../../../src/alert/outgoing/host-names.ts'
import { listOf } from '../../../src/alert/outgoing/reach.ts'
import { type AlertSettings, alertSettings } from '../../../src/alert/settings.ts'
import { type Clock, systemClock } from '../../../src/clock.ts'
import { createLogger, type Logger } from '../../../src/log.ts'
import { alertsOn } from '../../../src/serve/alerts.ts'
import type { SecretBox } from '../../../src/store/secret-box.ts'
import type { Store } from '../../../src/store/store.ts'
import { patienceMs } from '../until.ts'

/** The settings as they are where nobody has said anything. */
export const plainSettings: AlertSettings = Value.Create(alertSettings)

/** Looks up names as the machine does. */
export const ofSystem: Resolve = (name) => new HostNames().of('test')(name)

/** The parts of a mailer where it does not matter how many mails a user sends. Whom mails are still for is kept in memory. */
export function mailerParts(): MailerParts {
  const deferrals = new Map<string, Deferral>()
  const store: MailStore = {
    countMail: async () => 1,
    uncountMail: async () => {},
    deferralOf: async (id) => deferrals.get(id) ?? null,
    keepDeferral: async ({ id }, deferral) => {
      if (deferral === null) deferrals.delete(id)
      else deferrals.set(id, deferral)
    },
  }
  return { store, resolve: ofSystem, clock: systemClock }
}

/** By the channel `c1` of an admin, to two addresses. */
export function sendMail(
  mailer: Installation['mailer'],
  message: Message,
  given: Partial<SendOptions> = {},
): Promise<SendResult> {
  return mail.send(message, {
    ...{ settings: { to: ['noc@example.org', 'boss@example.org'] }, secrets: {}, channelId: 'c1', nowMs: 0 },
    ...{ userId: 'u1', email: 'ann@example.com', reach: 'any', allowed: listOf([]), resolve: ofSystem },
    installation: installationOf({ mailer, publicUrl: 'https://ddos.example.net' }),
    ...{ signal: AbortSignal.timeout(patienceMs), ...given },
  })
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
