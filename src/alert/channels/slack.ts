// Slack, by an incoming webhook: blocks of plain text, and a text for what shows no blocks (docs.slack.dev/reference/block-kit).
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { cutText } from '../messages/clean.ts'
import { escapers } from '../messages/escape.ts'
import { customText, linksOf, type NoticeText, textOf } from '../messages/text.ts'
import { httpKind, secretUrl } from './http.ts'

/** What a block may hold: characters of a header, of a field, fields of a section. */
const max = { header: 150, field: 2_000, fields: 10, text: 3_000 } as const

export const slack = httpKind({
  kind: 'slack',
  title: 'Slack',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  paceMs: 1_000,
  settings: Type.Object({ ...readerSettings }, closed),
  secrets: Type.Object({ url: secretUrl('The address of an incoming webhook of the app.') }, closed),
  places: (_settings, { url }) => [['/secrets/url', url]],
  requests: (message, { settings, secrets: { url }, installation: { publicUrl } }) => [
    { url, body: slackBody(textOf(message, settings, publicUrl)) },
  ],
})

function slackBody({ title, facts, ...more }: NoticeText) {
  const plain = (text: string, length: number) => ({
    type: 'plain_text' as const,
    text: cutText(text, length),
    emoji: false,
  })
  const fields = facts.map(({ label, value }) => plain(`${escapers.slack(label)}\n${escapers.slack(value)}`, max.field))
  const custom = customText(more, escapers.slackText, max.text)
  const sections = Array.from({ length: Math.ceil(fields.length / max.fields) }, (_, index) => ({
    type: 'section' as const,
    fields: fields.slice(index * max.fields, (index + 1) * max.fields),
  }))
  const elements = linksOf(more).map(({ label, url }) => ({ type: 'button' as const, text: plain(label, 75), url }))
  return {
    text: escapers.slack(title),
    mrkdwn: false,
    unfurl_links: false,
    blocks: [
      { type: 'header' as const, text: plain(escapers.slack(title), max.header) },
      ...(custom === null || custom === ''
        ? sections
        : [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text: custom } }]),
      ...(elements.length === 0 ? [] : [{ type: 'actions' as const, elements }]),
    ],
  }
}
