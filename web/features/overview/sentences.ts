// What the console says of how things stand, in words: pure, so that every case can be shown to be said right.
import { formatDuration } from '../../shared/format/times.ts'
import type { MessageKey, Translator, Value } from '../../shared/i18n/messages.ts'
import { eventKind, eventVictim } from '../events/titles.ts'
import type { Overview } from './queries.ts'

export type OpenEvent = Overview['open'][number]

/** The posture in a few words. */
export interface Standing {
  /** `held`: under attack, and somebody has taken note of all of it. */
  tone: 'bad' | 'held' | 'warn' | 'good' | 'plain'
  text: string
  /** Where more is to be seen. */
  to: '/events' | '/sites' | '/sources/add' | '/' | null
}

/** A sentence whose places are filled in; those of `linked` lead somewhere. */
export interface Sentence {
  key: MessageKey
  values: Readonly<Record<string, Value>>
  linked?: { event?: string; page?: '/sites' | '/sources/add' }
  /** The moment that the place `ago` stands for, as ISO 8601. */
  at?: string
}

/** Attacks that go on and that nobody said to be none. */
export function attacksOf({ open, openDismissed }: Overview['events']): number {
  return Math.max(0, open - openDismissed)
}

export function standingOf(
  { posture, events, sites }: Pick<Overview, 'posture' | 'events' | 'sites'>,
  t: Translator['t'],
) {
  return standings[posture]({ events, sites }, t)
}

const standings: Record<
  Overview['posture'],
  (now: Pick<Overview, 'events' | 'sites'>, t: Translator['t']) => Standing
> = {
  attack: ({ events }, t) => {
    const tone = events.openAcknowledged >= attacksOf(events) ? 'held' : 'bad'
    return { tone, text: attacksText(events, t), to: '/events' }
  },
  'no-sites': (_now, t) => ({ tone: 'plain', text: t('posture.unwatched'), to: '/sites' }),
  'not-ready': (_now, t) => ({ tone: 'warn', text: t('posture.notReady'), to: '/' }),
  'no-flows': (_now, t) => ({ tone: 'warn', text: t('posture.blind'), to: '/sources/add' }),
  calm: (_now, t) => ({ tone: 'good', text: t('posture.calm'), to: null }),
}

/** `2 attacks, 1 acknowledged`. */
export function attacksText(events: Overview['events'], t: Translator['t']): string {
  const count = attacksOf(events)
  const attacks = t('posture.attack', { count })
  if (events.openAcknowledged === 0) return attacks
  if (events.openAcknowledged >= count) return t('posture.allAcknowledged', { attacks, count })
  return t('posture.acknowledged', { attacks, count: events.openAcknowledged })
}

/** The title of the list of attacks that go on; null: there is nothing to list. */
export function openTitle(events: Overview['events'], t: Translator['t']): string | null {
  if (events.open === 0) return null
  const attacks = attacksOf(events)
  if (attacks === 0) return t('overview.dismissed', { count: events.openDismissed })
  const text = attacksText(events, t)
  return events.openDismissed === 0 ? text : t('overview.andDismissed', { attacks: text, count: events.openDismissed })
}

/**
 * The one line when no attack goes on; null: the attacks themselves are shown, or what keeps the service from seeing any. An attack that is over is never spoken of while another goes on.
 */
export function calmSentence(
  overview: Pick<Overview, 'posture' | 'events' | 'lastEvent'>,
  translator: Translator,
  { rate, ago }: { rate: (rates: OpenEvent['average']) => string; ago: (at: string) => string },
): Sentence | null {
  const { posture, events, lastEvent } = overview
  if (posture === 'attack' || posture === 'no-sites' || posture === 'not-ready') return null
  if (posture === 'no-flows') {
    return {
      key: 'overview.blind',
      values: { sources: translator.t('sources.add') },
      linked: { page: '/sources/add' },
    }
  }
  if (events.open > 0) return { key: 'overview.calmNow', values: {} }
  if (lastEvent === null) return { key: 'overview.calm', values: {} }
  const { id, start, end, average } = lastEvent
  const seconds = (Date.parse(end ?? start) - Date.parse(start)) / 1000
  return {
    key: 'overview.last',
    values: {
      attack: eventKind(lastEvent, translator),
      victim: eventVictim(lastEvent, translator),
      ago: ago(end ?? start),
      rate: rate(average),
      duration: formatDuration(seconds, translator),
    },
    linked: { event: id },
    at: end ?? start,
  }
}

/** Nothing is monitored: why, and what to do. */
export function unwatchedText({ count }: Overview['sites']): {
  title: MessageKey
  text: MessageKey
  action: MessageKey
} {
  return count === 0
    ? { title: 'overview.unwatched', text: 'overview.unwatchedText', action: 'overview.addSite' }
    : { title: 'overview.paused', text: 'overview.pausedText', action: 'overview.toSites' }
}

/** The document's title, by which a tab is recognised. `page` is null while the page has no name yet. */
export function documentTitle(page: string | null, attacks: number, product: string): string {
  const name = page === null || page === product ? product : `${page} - ${product}`
  return attacks > 0 ? `(${attacks}) ${name}` : name
}
