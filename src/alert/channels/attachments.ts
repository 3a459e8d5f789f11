// Mattermost and Rocket.Chat, by their incoming webhooks: an attachment in the form that both have from Slack's early days.
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { escapers, markdownLink } from '../messages/escape.ts'
import { customText, textOf } from '../messages/text.ts'
import { colorOf } from './colors.ts'
import { httpKind, secretUrl } from './http.ts'
import type { ChannelKind } from './kind.ts'

/** Characters of what a template makes. */
const textMax = 3_500

export const mattermost = attachmentKind('mattermost', 'Mattermost')
export const rocketChat = attachmentKind('rocket-chat', 'Rocket.Chat')

function attachmentKind(kind: string, title: string): ChannelKind {
  return httpKind({
    kind,
    title,
    proof: 'by its documents',
    audience: 'people',
    latestOnly: true,
    paceMs: 1_000,
    settings: Type.Object({ ...readerSettings }, closed),
    secrets: Type.Object({ url: secretUrl('The address of an incoming webhook.') }, closed),
    places: (_settings, { url }) => [['/secrets/url', url]],
    requests: (message, { settings, secrets: { url }, installation: { publicUrl } }) => {
      const text = textOf(message, settings, publicUrl)
      const heading = escapers.markdown(text.title)
      const custom = customText(text, escapers.markdown, textMax)
      const lines = [
        ...(custom === null ? [] : [custom]),
        ...(text.acknowledge === null ? [] : [markdownLink(text.acknowledge)]),
      ]
      const fields = text.facts.map(({ label, value }) => ({
        title: escapers.markdown(label),
        value: escapers.markdown(value),
        short: value.length <= 40,
      }))
      const attachment = {
        // Shown where no markup is read, but mentions are.
        fallback: heading,
        color: colorOf(message),
        title: heading,
        ...(text.link !== null && { title_link: text.link.url }),
        fields: custom === null ? fields : [],
        ...(lines.length > 0 && { text: lines.join('\n\n') }),
      }
      return [{ url, body: { attachments: [attachment] } }]
    },
  })
}
