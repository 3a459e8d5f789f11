// PagerDuty, by its Events API v2 (developer.pagerduty.com/docs/events-api-v2): an event is one alert there, which its end resolves.
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { cleanText, cutText } from '../messages/clean.ts'
import { escapers } from '../messages/escape.ts'
import { customText, linksOf, type NoticeText, textOf } from '../messages/text.ts'
import { urgencyOf } from './colors.ts'
import { alertKeyOf, httpKind, type JsonRequest, joined, serverUrl } from './http.ts'
import { isOver, type Message } from './kind.ts'

const server = 'https://events.pagerduty.com'
/** Characters that they take. */
const max = { summary: 1_024, source: 250, text: 20_000 } as const

export const pagerduty = httpKind({
  kind: 'pagerduty',
  title: 'PagerDuty',
  proof: 'by its documents',
  audience: 'people',
  incidentsOnly: true,
  latestOnly: true,
  paceMs: 500,
  settings: Type.Object(
    {
      server: Type.Optional(serverUrl('In Europe: https://events.eu.pagerduty.com.', server)),
      ...readerSettings,
    },
    closed,
  ),
  secrets: Type.Object(
    { routingKey: Type.String({ pattern: '^[A-Za-z0-9]{32}$', description: 'Integration key of Events API v2.' }) },
    closed,
  ),
  places: (settings) => [['/settings/server', settings.server ?? server]],
  requests: (message, given) => {
    const key = alertKeyOf(message)
    if (isOver(message)) return [closing(key, given)]
    const text = textOf(message, given.settings, given.installation.publicUrl)
    return [
      request(key, given, { event_action: 'trigger', payload: payloadOf(message, text), ...pagerdutyLinks(text) }),
    ]
  },
  closing,
})

interface Given {
  settings: { server?: string }
  secrets: { routingKey: string }
}

function request(key: string, { settings, secrets: { routingKey } }: Given, action: object): JsonRequest {
  const body = { routing_key: routingKey, dedup_key: key, ...action }
  return { url: joined(settings.server ?? server, '/v2/enqueue'), body }
}

function closing(key: string, given: Given): JsonRequest {
  return request(key, given, { event_action: 'resolve' })
}

function payloadOf(message: Message, { title, facts, ...more }: NoticeText) {
  const custom = customText(more, escapers.none, max.text)
  const { site, start, attackType } = message.report
  return {
    summary: cutText(title, max.summary),
    source: cleanText(site, max.source),
    severity: urgencyOf(message).pagerduty,
    timestamp: start,
    class: cleanText(attackType ?? 'unknown', max.source),
    custom_details: custom === null ? detailsOf(facts) : { text: custom },
  }
}

function pagerdutyLinks(text: NoticeText) {
  const links = linksOf(text).map(({ label, url }) => ({ href: url, text: label }))
  return {
    client: 'Floodgauge',
    ...(text.link !== null && { client_url: text.link.url }),
    ...(links.length > 0 && { links }),
  }
}

function detailsOf(facts: NoticeText['facts']): Record<string, string> {
  return Object.fromEntries(facts.map(({ label, value }) => [label, value]))
}
