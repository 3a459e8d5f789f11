// The page behind the link of a mail that asks to confirm an address: what it is about, and a button, since scanners of mail follow links. No script, and nothing
// from elsewhere.
import type { Language } from '../../alert/messages/words.ts'
import type { Confirmation } from '../../contract/alerts/confirming.ts'
import { html, type Page, pageOf } from '../pages/html.ts'

/** Why a link leads nowhere. */
export type Refusal = 'missing' | 'invalid' | 'expired' | 'ended' | 'crowded'

type Word = 'title' | 'who' | 'to' | 'ask' | 'button' | 'done' | 'useless' | Refusal

const words: Readonly<Record<Language, Readonly<Record<Word, string>>>> = {
  en: {
    title: 'Alerts to this address',
    who: 'Alerts about attacks are wanted by:',
    to: 'To be sent to:',
    ask: 'If you know nothing about this, close the page. Then nothing is sent to you.',
    button: 'Yes, send them',
    done: 'Confirmed: alerts are sent to this address from now on. You can close this page.',
    useless: 'This link does not work',
    missing: 'A part of the link is missing. Copy the whole link from the message.',
    invalid: 'A part of the link is missing, or the service has a new key. Copy the whole link from the message.',
    expired: 'Links are good for 24 hours. Whoever asked for the alerts can have a new one sent.',
    ended: 'Nothing is sent to this address any more.',
    crowded: 'Too many requests come from your address. Try again in a minute.',
  },
  zh: {
    title: '向此地址发送告警',
    who: '希望发送攻击告警的用户：',
    to: '收件地址：',
    ask: '如果您对此不知情，请关闭此页面：不会向您发送任何内容。',
    button: '同意接收',
    done: '已确认：今后将向此地址发送告警。您可以关闭此页面。',
    useless: '此链接无效',
    missing: '链接不完整：请从消息中复制完整的链接。',
    invalid: '链接不完整，或服务的密钥已更换：请从消息中复制完整的链接。',
    expired: '链接有效期为 24 小时。需要告警的用户可以重新发送链接。',
    ended: '已不再需要向此地址发送告警。',
    crowded: '来自您地址的请求过多，请一分钟后再试。',
  },
}

export function confirmingPage({ address, by, confirmedAt }: Confirmation, language: Language): Page {
  const say = words[language]
  const state =
    confirmedAt === null
      ? html`<p>${say.ask}</p>
<form method="post"><button type="submit">${say.button}</button></form>`
      : html`<p><strong>${say.done}</strong></p>`
  const body = html`<h1>${say.title}</h1>
<p>${say.who} <strong>${by}</strong><br>${say.to} <strong>${address}</strong></p>
${state}`
  const { text, headers } = pageOf({ title: say.title, body, language })
  // A form has to say where it comes from: the origin, and nothing of the link.
  return { text, headers: { ...headers, 'referrer-policy': 'strict-origin' } }
}

export function uselessPage(refusal: Refusal, language: Language): Page {
  const say = words[language]
  const body = html`<h1>${say.useless}</h1>
<p>${say[refusal]}</p>`
  return pageOf({ title: say.useless, body, language })
}
