// What the notifications of the browser say of attacks that have begun, or come back: pure.

import { formatBits } from '../../shared/format/rates.ts'
import type { Translator } from '../../shared/i18n/messages.ts'
import type { EventOverview } from '../events/queries.ts'
import { eventTitle } from '../events/titles.ts'

export interface BrowserNotice {
  title: string
  body: string
  /** One of the same tag takes the place of an earlier one, of another tab as well. */
  tag: string
  /** The event that it leads to; null: to the list of those that go on. */
  eventId: string | null
}

type Told = Pick<
  EventOverview,
  'id' | 'severity' | 'attackType' | 'address' | 'domain' | 'network' | 'average' | 'site' | 'isTest'
>

/** More at a time are told together. */
const alone = 3

/** What is said of events that were found to be new in the same moment. Simulated attacks alarm nobody. */
export function noticesOf(events: readonly Told[], translator: Translator): BrowserNotice[] {
  const { t, language } = translator
  const real = events.filter(({ isTest }) => !isTest)
  if (real.length > alone) {
    const body = real
      .map((event) => eventTitle(event, translator))
      .slice(0, alone)
      .join('\n')
    return [{ title: t('notify.many', { count: real.length }), body, tag: 'attacks', eventId: null }]
  }
  return real.map((event) => ({
    title: eventTitle(event, translator),
    body: t('notify.body', {
      severity: t(`severity.${event.severity}`),
      site: event.site,
      rate: formatBits(event.average.bytesPerSecond, language),
    }),
    tag: event.id,
    eventId: event.id,
  }))
}

/** Whether this browser shows notifications. `absent`: it can not, or only where the console comes by HTTPS. */
export type Permission = 'granted' | 'denied' | 'unasked' | 'absent'

export function permissionOf(given: { isSecureContext: boolean; Notification?: { permission: string } }): Permission {
  if (!given.isSecureContext || given.Notification === undefined) return 'absent'
  const { permission } = given.Notification
  return permission === 'granted' || permission === 'denied' ? permission : 'unasked'
}
