// Telegram, by a bot: a message in its HTML (core.telegram.org/bots/api#sendmessage).
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { cutLines } from '../messages/clean.ts'
import { escapeHtml, escapers } from '../messages/escape.ts'
import { customText, linksOf, type NoticeText, textOf } from '../messages/text.ts'
import { outcomeOf } from '../outgoing/outcome.ts'
import type { Answer } from '../outgoing/request.ts'
import { httpKind, joined, serverUrl } from './http.ts'
import type { SendResult } from './kind.ts'

const server = 'https://api.telegram.org'
/** Characters of a message, after its markup is read; counted before, it is never more. */
const textMax = 4_096

export const telegram = httpKind({
  kind: 'telegram',
  title: 'Telegram',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  // A group takes 20 messages a minute.
  paceMs: 3_000,
  settings: Type.Object(
    {
      chat: Type.String({
        pattern: '^(-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,31})$',
        description: 'The id of the chat, or the name of a public channel: `-1001234567890`, `@channel`.',
      }),
      topic: Type.Optional(Type.Integer({ minimum: 1, description: 'The id of a topic of the group.' })),
      server: Type.Optional(serverUrl('A Bot API server of one’s own.', server)),
      ...readerSettings,
    },
    closed,
  ),
  secrets: Type.Object(
    { token: Type.String({ pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$', description: 'The token of the bot.' }) },
    closed,
  ),
  places: (settings) => [['/settings/server', settings.server ?? server]],
  requests: (message, { settings, secrets: { token }, installation: { publicUrl } }) => [
    {
      url: joined(settings.server ?? server, `/bot${token}/sendMessage`),
      body: {
        chat_id: settings.chat,
        ...(settings.topic !== undefined && { message_thread_id: settings.topic }),
        text: telegramText(textOf(message, settings, publicUrl)),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      },
    },
  ],
  outcome: telegramOutcome,
})

function telegramText({ title, facts, ...more }: NoticeText): string {
  const { html } = escapers
  const head = [
    `<b>${html(title)}</b>`,
    ...linksOf(more).map(({ label, url }) => `<a href="${escapeHtml(url)}">${html(label)}</a>`),
  ]
  const custom = customText(more, html, textMax - head.join('\n').length - 1)
  const lines = facts.map(({ label, value }) => `<b>${html(label)}:</b> ${html(value)}`)
  return custom === null ? cutLines([...head, ...lines], textMax) : [...head, custom].join('\n')
}

/** It says in the body how long to wait. */
function telegramOutcome(answer: Answer, nowMs: number): SendResult {
  const seconds = answer.status === 429 ? /"retry_after"\s*:\s*(\d{1,6})/.exec(answer.text)?.[1] : undefined
  const result = outcomeOf(answer, nowMs)
  return seconds === undefined ? result : { ...result, pauseMs: Number(seconds) * 1_000 }
}
