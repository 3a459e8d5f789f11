// Microsoft Teams, by a workflow ("When a Teams webhook request is received"): an Adaptive Card of text runs, which know no Markdown.
import { Type } from 'typebox'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { escapers } from '../messages/escape.ts'
import { customText, linksOf, type NoticeText, textOf } from '../messages/text.ts'
import { urgencyOf } from './colors.ts'
import { httpKind, secretUrl } from './http.ts'
import { isOver } from './kind.ts'

/** Characters of what a template makes. */
const textMax = 20_000

/** Colors that a card has names for. */
const tones = { critical: 'attention', error: 'attention', warning: 'warning', info: 'default' } as const

export const teams = httpKind({
  kind: 'teams',
  title: 'Microsoft Teams',
  proof: 'by its documents',
  audience: 'people',
  latestOnly: true,
  paceMs: 1_000,
  settings: Type.Object({ ...readerSettings }, closed),
  secrets: Type.Object({ url: secretUrl('The address of the workflow, all of it.') }, closed),
  places: (_settings, { url }) => [['/secrets/url', url]],
  requests: (message, { settings, secrets: { url }, installation: { publicUrl } }) => {
    const tone = isOver(message) ? 'good' : tones[urgencyOf(message).pagerduty]
    const content = cardOf(textOf(message, settings, publicUrl), tone)
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
    return [{ url, body: { type: 'message', attachments: [attachment] } }]
  },
})

function cardOf({ title, facts, ...more }: NoticeText, tone: string) {
  const plain = (text: string, look: object = {}) => ({ type: 'TextRun', text, ...look })
  const run = (text: string, look: object = {}) => plain(escapers.card(text), look)
  const custom = customText(more, escapers.card, textMax)
  const block = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines })
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(run(title, { weight: 'bolder', size: 'medium', color: tone })),
      ...(custom === null
        ? facts.map(({ label, value }) => block(run(`${label}: `, { weight: 'bolder' }), run(value)))
        : custom.split('\n').map((line) => block(plain(line)))),
    ],
    actions: linksOf(more).map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
    msteams: { width: 'Full' },
  }
}
