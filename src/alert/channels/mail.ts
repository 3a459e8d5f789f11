// E-mail, by the mail server of the installation. Admins send to whom they like; everybody else to the address of their own account, which an admin has entered or
// a provider has vouched for, and to those that were confirmed.
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { readerSettings } from '../../contract/alerts/messages.ts'
import { closed } from '../../contract/shapes.ts'
import { addressKey } from '../mail/address-store.ts'
import { perDay } from '../mail/mailer.ts'
import { addressPattern, isAddress, sameAddress } from '../mail/recipients.ts'
import { escapeHtml, escapers } from '../messages/escape.ts'
import { customText, factLines, linksOf, type NoticeText, textOf } from '../messages/text.ts'
import { readerFaults } from './http.ts'
import {
  type ChannelFault,
  type ChannelKind,
  type ChannelOwner,
  type Installation,
  type SendResult,
  unsent,
} from './kind.ts'

const settings = Type.Object(
  {
    to: Type.Array(Type.String({ maxLength: 254, pattern: addressPattern }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Who gets it, each an address without a name.',
    }),
    ...readerSettings,
  },
  closed,
)

/** How long whoever has sent too many waits, or sends to nobody yet. */
const pauseMs = 3_600_000

export const mail: ChannelKind = {
  kind: 'mail',
  title: 'E-mail',
  proof: 'Postfix 3.7, aiosmtpd 1.4, smtp-server 3.21',
  audience: 'people',
  latestOnly: true,
  paceMs: 2_000,
  settings,
  secrets: Type.Object({}, closed),
  complete: () => ({ secrets: {}, made: null }),
  places: () => [],
  faults: (given, _owner, installation) =>
    Value.Check(settings, given) ? [...recipientFaults(given, installation), ...readerFaults(given)] : [],
  unconfirmed: (given, owner) => (Value.Check(settings, given) ? given.to.filter(needsWordFor(owner)) : []),
  async send(message, options): Promise<SendResult> {
    const { settings: given, reach, userId, installation, signal, channelId } = options
    if (!Value.Check(settings, given)) return refused('its settings are not complete')
    const [fault] = recipientFaults(given, installation)
    const { mailer, publicUrl } = installation
    if (fault !== undefined || mailer === null) return refused(fault?.detail ?? noServer)
    const needsWord = needsWordFor(options)
    const to = given.to.filter((address) => !needsWord(address))
    if (to.length === 0) return { outcome: 'unready', pauseMs, text: 'no address of it is confirmed' }
    const text = textOf(message, given, publicUrl)
    const first = message.thread === undefined ? message.id.replace(/_\d+$/, '') : `msg_${message.thread}`
    const thread = `${first}_1.${channelId}`
    const id = `${message.id}.${channelId}`
    const threadId = id === thread || message.type === 'alert.test' ? null : thread
    const written = { to, subject: text.title, text: plainOf(text), html: htmlOf(text, given), id, threadId, channelId }
    const result =
      reach === 'any' ? await mailer.send(written, signal) : await mailer.sendCounted(userId, written, signal)
    if (result === null) return { outcome: 'busy', pauseMs, text: `more than ${perDay} messages a day` }
    const waiting = given.to.length - to.length
    return waiting === 0 ? result : { ...result, text: `${result.text}; addresses to be confirmed: ${waiting}` }
  },
}

const noServer = 'The installation has no mail server (alerts.smtp)'

const refused = (text: string): SendResult => unsent('settings', text)

function recipientFaults({ to }: Static<typeof settings>, { mailer }: Installation): ChannelFault[] {
  if (mailer === null) return [{ pointer: '/settings', detail: noServer }]
  return to.flatMap((address, index) =>
    isAddress(address) ? [] : [{ pointer: `/settings/to/${index}`, detail: 'It is no address that messages go to' }],
  )
}

/** Whether somebody has to confirm an address before the user's mail goes there. */
function needsWordFor({ reach, email, confirmed }: ChannelOwner): (address: string) => boolean {
  return (address) => !(reach === 'any' || sameAddress(address, email) || confirmed?.has(addressKey(address)) === true)
}

/** Characters of what a template makes. */
const customMax = 20_000

function plainOf(text: NoticeText): string {
  const links = linksOf(text).flatMap(({ label, url }) => ['', `${label}: ${url}`])
  const custom = customText(text, escapers.none, customMax)
  const lines = custom === null ? [text.title, '', ...factLines(text)] : [custom]
  return `${[...lines, ...links, '', '-- ', text.told].join('\n')}\n`
}

/** No picture, no style from elsewhere: nothing tells who has read it. */
function htmlOf({ title, facts, told, ...links }: NoticeText, { language = 'en' }: Static<typeof settings>): string {
  const custom = customText(links, escapers.none, customMax)
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th align="left" valign="top">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  const table = `<h3>${escapeHtml(title)}</h3>\n<table cellpadding="4">\n${rows.join('\n')}\n</table>`
  const content = custom === null ? table : `<p>${escapeHtml(custom).replaceAll('\n', '<br>\n')}</p>`
  const buttons = linksOf(links).map(
    ({ label, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>\n`,
  )
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(title)}</title><body>
${content}
${buttons.join('')}<p><small>${escapeHtml(told)}</small></p>
</body></html>
`
}
