// PagerDuty (developer.pagerduty.com/docs/events-api-v2) and Opsgenie, with what speaks like it (docs.opsgenie.com/docs/alert-api): an event is one
// alert there, which its end resolves.
import { Type } from 'typebox'
import { cleanText, cutLines, cutText } from '../messages/clean.ts'
import { factLines, type NoticeText, textOf } from '../messages/text.ts'
import { readerSettings } from '../messages/words.ts'
import { urgencyOf } from './colors.ts'
import { closed, httpKind, joined, serverUrl } from './http.ts'
import type { Message } from './kind.ts'

const pagerdutyServer = 'https://events.pagerduty.com'
const opsgenieServer = 'https://api.opsgenie.com'
/** Characters that they take. */
const max = { summary: 1_024, source: 250, message: 130, entity: 512, note: 25_000, description: 15_000 } as const

/** What goes on and what is over meet under it. */
const keyOf = ({ report, type, id }: Message) => (type === 'alert.test' ? id : report.id)

export const pagerduty = httpKind({
  kind: 'pagerduty',
  title: 'PagerDuty',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  paceMs: 500,
  settings: Type.Object(
    {
      server: Type.Optional(serverUrl('In Europe: https://events.eu.pagerduty.com.', pagerdutyServer)),
      ...readerSettings,
    },
    closed,
  ),
  secrets: Type.Object(
    { routingKey: Type.String({ pattern: '^[A-Za-z0-9]{32}$', description: 'Integration key of Events API v2.' }) },
    closed,
  ),
  places: (settings) => [['/settings/server', settings.server ?? pagerdutyServer]],
  requests: (message, { settings, secrets: { routingKey }, installation: { publicUrl } }) => {
    const text = textOf(message, settings, publicUrl)
    const isOver = message.type === 'event.ended'
    const event = { routing_key: routingKey, dedup_key: keyOf(message) }
    const body = isOver
      ? { ...event, event_action: 'resolve' }
      : { ...event, event_action: 'trigger', payload: pagerdutyPayload(message, text), ...pagerdutyLinks(text) }
    return [{ url: joined(settings.server ?? pagerdutyServer, '/v2/enqueue'), body }]
  },
})

function pagerdutyPayload(message: Message, { title, facts }: NoticeText) {
  const { site, start, attackType } = message.report
  return {
    summary: cutText(title, max.summary),
    source: cleanText(site, max.source),
    severity: urgencyOf(message).pagerduty,
    timestamp: start,
    class: cleanText(attackType ?? 'unknown', max.source),
    custom_details: detailsOf(facts),
  }
}

function pagerdutyLinks({ link }: NoticeText) {
  return {
    client: 'Floodgauge',
    ...(link !== null && { client_url: link.url, links: [{ href: link.url, text: link.label }] }),
  }
}

export const opsgenie = httpKind({
  kind: 'opsgenie',
  title: 'Opsgenie, Jira Service Management',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  paceMs: 500,
  settings: Type.Object(
    {
      server: Type.Optional(
        serverUrl(
          'In Europe: https://api.eu.opsgenie.com. Jira Service Management: https://api.atlassian.com/jsm/ops/integration.',
          opsgenieServer,
        ),
      ),
      ...readerSettings,
    },
    closed,
  ),
  secrets: Type.Object(
    { apiKey: Type.String({ pattern: '^[A-Za-z0-9-]{20,100}$', description: 'The key of an API integration.' }) },
    closed,
  ),
  places: (settings) => [['/settings/server', settings.server ?? opsgenieServer]],
  requests: (message, { settings, secrets: { apiKey }, installation: { publicUrl } }) => {
    const text = textOf(message, settings, publicUrl)
    const headers = { authorization: `GenieKey ${apiKey}` }
    const alerts = joined(settings.server ?? opsgenieServer, '/v2/alerts')
    const key = keyOf(message)
    if (message.type !== 'event.ended') return [{ url: alerts, headers, body: opsgenieAlert(message, text, key) }]
    const url = `${alerts}/${encodeURIComponent(key)}/close?identifierType=alias`
    return [
      { url, headers, body: { source: 'Floodgauge', note: cutLines([text.title, ...factLines(text)], max.note) } },
    ]
  },
})

function opsgenieAlert(message: Message, text: NoticeText, alias: string) {
  const { site, attackType, address } = message.report
  return {
    message: cutText(text.title, max.message),
    alias,
    description: cutLines([text.title, ...factLines(text)], max.description),
    entity: cleanText(site, max.entity),
    source: 'Floodgauge',
    priority: urgencyOf(message).opsgenie,
    tags: ['ddos', message.facts.severity],
    details: {
      attackType: cleanText(attackType ?? 'unknown', max.source),
      address,
      ...(text.link !== null && { url: text.link.url }),
    },
  }
}

function detailsOf(facts: NoticeText['facts']): Record<string, string> {
  return Object.fromEntries(facts.map(({ label, value }) => [label, value]))
}
