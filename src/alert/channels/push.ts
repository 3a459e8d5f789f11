// ntfy and Gotify: messages to phones, by servers that people often run themselves (docs.ntfy.sh/publish, gotify.net/docs/pushmsg).
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { cutLines, cutText } from '../messages/clean.ts'
import { escapers } from '../messages/escape.ts'
import { customText, factLines, type NoticeText, textOf } from '../messages/text.ts'
import { urgencyOf } from './colors.ts'
import { httpKind, joined, serverUrl } from './http.ts'
import { isOver } from './kind.ts'

const ntfyServer = 'https://ntfy.sh'
/** Longer messages become files. In octets; a character has three at most, or four that count as two. */
const ntfyMax = { title: 250, message: 1_300 } as const
const gotifyMax = 4_000
/** Beside the link, which stands before it. */
const customMax = 3_500

export const ntfy = httpKind({
  kind: 'ntfy',
  title: 'ntfy',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  paceMs: 1_000,
  settings: Type.Object(
    {
      server: Type.Optional(serverUrl('The server.', ntfyServer)),
      topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$', description: 'Whoever knows it can read it.' }),
      ...readerSettings,
    },
    closed,
  ),
  secrets: Type.Object(
    { token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{1,100}$', description: 'An access token.' })) },
    closed,
  ),
  places: (settings) => [['/settings/server', settings.server ?? ntfyServer]],
  requests: (message, { settings, secrets: { token }, installation: { publicUrl } }) => {
    const text = textOf(message, settings, publicUrl)
    const body = {
      topic: settings.topic,
      title: cutText(text.title, ntfyMax.title),
      message: customText(text, escapers.none, ntfyMax.message) ?? cutLines(factLines(text), ntfyMax.message),
      priority: urgencyOf(message).ntfy,
      tags: [isOver(message) ? 'white_check_mark' : 'rotating_light'],
      ...(text.link !== null && { click: text.link.url }),
      ...(text.acknowledge !== null && { actions: [{ action: 'view', ...text.acknowledge }] }),
    }
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return [{ url: settings.server ?? ntfyServer, headers, body }]
  },
})

/** It has no buttons, and makes links of addresses. */
function linesOf(acknowledge: NoticeText['acknowledge']): string[] {
  return acknowledge === null ? [] : [`${acknowledge.label}: ${acknowledge.url}`]
}

export const gotify = httpKind({
  kind: 'gotify',
  title: 'Gotify',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  paceMs: 1_000,
  settings: Type.Object({ server: serverUrl('The server.'), ...readerSettings }, closed),
  secrets: Type.Object(
    { token: Type.String({ pattern: '^[A-Za-z0-9._-]{1,100}$', description: 'The token of the application.' }) },
    closed,
  ),
  places: ({ server }) => [['/settings/server', server]],
  requests: (message, { settings, secrets: { token }, installation: { publicUrl } }) => {
    const text = textOf(message, settings, publicUrl)
    const custom = customText(text, escapers.none, customMax)
    const body = {
      title: text.title,
      message: cutLines([...linesOf(text.acknowledge), ...(custom === null ? factLines(text) : [custom])], gotifyMax),
      priority: urgencyOf(message).gotify,
      extras: {
        'client::display': { contentType: 'text/plain' },
        ...(text.link !== null && { 'client::notification': { click: { url: text.link.url } } }),
      },
    }
    return [{ url: joined(settings.server, '/message'), headers: { 'x-gotify-key': token }, body }]
  },
})
