// Opsgenie, and Jira Service Management, which speaks like it (docs.opsgenie.com/docs/alert-api): an event is one alert there, which its end closes.
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { cleanText, cutLines, cutText } from '../messages/clean.ts'
import { escapers } from '../messages/escape.ts'
import { customText, factLines, type NoticeText, textOf } from '../messages/text.ts'
import { urgencyOf } from './colors.ts'
import { alertKeyOf, httpKind, type JsonRequest, joined, serverUrl } from './http.ts'
import { isOver, type Message } from './kind.ts'

const server = 'https://api.opsgenie.com'
/** Characters that it takes. */
const max = { message: 130, entity: 512, description: 15_000, label: 250 } as const

export const opsgenie = httpKind({
  kind: 'opsgenie',
  title: 'Opsgenie, Jira Service Management',
  proof: 'by its documents',
  audience: 'people',
  incidentsOnly: true,
  latestOnly: true,
  paceMs: 500,
  settings: Type.Object(
    {
      server: Type.Optional(
        serverUrl(
          'In Europe: https://api.eu.opsgenie.com. Jira Service Management: https://api.atlassian.com/jsm/ops/integration.',
          server,
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
  places: (settings) => [['/settings/server', settings.server ?? server]],
  requests: (message, given) => {
    const text = textOf(message, given.settings, given.installation.publicUrl)
    const key = alertKeyOf(message)
    return [
      isOver(message)
        ? request(closePath(key), given, { source: 'Floodgauge', note: descriptionOf(text) })
        : request('', given, opsgenieAlert(message, text, key)),
    ]
  },
  closing: (thread, given) => request(closePath(thread), given, { source: 'Floodgauge' }),
})

interface Given {
  settings: { server?: string }
  secrets: { apiKey: string }
}

function request(path: string, { settings, secrets: { apiKey } }: Given, body: object): JsonRequest {
  const url = joined(settings.server ?? server, `/v2/alerts${path}`)
  return { url, headers: { authorization: `GenieKey ${apiKey}` }, body }
}

function closePath(key: string): string {
  return `/${encodeURIComponent(key)}/close?identifierType=alias`
}

function descriptionOf(text: NoticeText): string {
  return customText(text, escapers.none, max.description) ?? cutLines([text.title, ...factLines(text)], max.description)
}

function opsgenieAlert(message: Message, text: NoticeText, alias: string) {
  const { site, attackType, address } = message.report
  return {
    message: cutText(text.title, max.message),
    alias,
    description: descriptionOf(text),
    entity: cleanText(site, max.entity),
    source: 'Floodgauge',
    priority: urgencyOf(message).opsgenie,
    tags: ['ddos', message.facts.severity],
    details: {
      attackType: cleanText(attackType ?? 'unknown', max.label),
      address,
      ...(text.link !== null && { url: text.link.url }),
      ...(text.acknowledge !== null && { acknowledge: text.acknowledge.url }),
    },
  }
}
