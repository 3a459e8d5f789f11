// Discord, by a webhook: an embed that mentions nobody (docs.discord.com/developers/resources/webhook#execute-webhook).
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { cutText } from '../messages/clean.ts'
import { escapers, markdownLink } from '../messages/escape.ts'
import { customText, textOf } from '../messages/text.ts'
import { colorOf } from './colors.ts'
import { httpKind, secretUrl } from './http.ts'

/** What an embed may hold: characters of title, name and value of a field; fields. All texts together: 6000. */
const max = { title: 256, name: 256, value: 340, fields: 14, text: 3_500 } as const

export const discord = httpKind({
  kind: 'discord',
  title: 'Discord',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  paceMs: 2_000,
  settings: Type.Object({ ...readerSettings }, closed),
  secrets: Type.Object({ url: secretUrl('The address of a webhook of the text channel.') }, closed),
  places: (_settings, { url }) => [['/secrets/url', url]],
  requests: (message, { settings, secrets: { url }, installation: { publicUrl } }) => {
    const text = textOf(message, settings, publicUrl)
    const { title, facts, link, acknowledge } = text
    const custom = customText(text, escapers.markdown, max.text)
    const lines = [...(custom === null ? [] : [custom]), ...(acknowledge === null ? [] : [markdownLink(acknowledge)])]
    const fields = facts.slice(0, max.fields).map(({ label, value }) => ({
      name: cutText(escapers.markdown(label), max.name),
      value: cutText(escapers.markdown(value), max.value),
      inline: value.length <= 40,
    }))
    const embed = {
      title: cutText(escapers.markdown(title), max.title),
      ...(link !== null && { url: link.url }),
      ...(lines.length > 0 && { description: lines.join('\n\n') }),
      color: Number.parseInt(colorOf(message).slice(1), 16),
      fields: custom === null ? fields : [],
    }
    return [{ url, body: { allowed_mentions: { parse: [] }, embeds: [embed] } }]
  },
})
