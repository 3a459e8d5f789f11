// The page behind the link of a message: what it is about, and a button, since scanners of mail follow links. No script, and nothing from elsewhere.
import { eventUrl } from '../../alert/messages/text.ts'
import { type Language, type Reader, writerFor } from '../../alert/messages/words.ts'
import type { Acknowledgement } from '../../contract/alerts/acknowledging.ts'
import { html, type Page, pageOf } from '../pages/html.ts'

/** Why a link leads nowhere. */
export type Refusal = 'missing' | 'invalid' | 'expired' | 'ended' | 'gone' | 'crowded'

type Word = 'title' | 'ask' | 'button' | 'done' | 'doneBy' | 'open' | 'useless' | Refusal

const words: Readonly<Record<Language, Readonly<Record<Word, string>>>> = {
  en: {
    title: 'Acknowledge an attack',
    ask: 'This tells everybody that somebody is taking care of the attack. It is recorded in the name of',
    button: 'Acknowledge',
    done: 'Acknowledged',
    doneBy: 'By:',
    open: 'Open the event',
    useless: 'This link does not work',
    missing: 'A part of the link is missing. Copy the whole link from the message.',
    invalid: 'A part of the link is missing, or the service has a new key. Copy the whole link from the message.',
    expired: 'Links are good for 24 hours. Sign in to the console to acknowledge the attack.',
    ended: 'The channel that sent the message is deleted, or its user may no longer change anything.',
    gone: 'The event no longer exists.',
    crowded: 'Too many requests come from your address. Try again in a minute.',
  },
  zh: {
    title: '确认攻击',
    ask: '点击表示已有人处理此次攻击，确认将以此人的名义记录：',
    button: '确认',
    done: '已确认',
    doneBy: '确认人：',
    open: '查看事件',
    useless: '此链接无效',
    missing: '链接不完整：请从消息中复制完整的链接。',
    invalid: '链接不完整，或服务的密钥已更换：请从消息中复制完整的链接。',
    expired: '链接有效期为 24 小时。请登录控制台确认此次攻击。',
    ended: '发送此消息的通知渠道已被删除，或其用户不再有更改权限。',
    gone: '该事件已不存在。',
    crowded: '来自您地址的请求过多，请一分钟后再试。',
  },
}

export function acknowledgePage(
  { eventId, title, by, channel, acknowledged }: Acknowledgement,
  { reader, publicUrl }: { reader: Reader; publicUrl: string },
): Page {
  const language = reader.language ?? 'en'
  const say = words[language]
  const open = publicUrl === '' ? '' : html`<p><a href="${eventUrl(publicUrl, { id: eventId })}">${say.open}</a></p>`
  const state =
    acknowledged === null
      ? html`<p>${say.ask} <strong>${by}</strong> (${channel})</p>
<form method="post"><button type="submit">${say.button}</button></form>`
      : html`<p><strong>${say.done}</strong>. ${say.doneBy} ${acknowledged.by}, ${writerFor(reader).time(Date.parse(acknowledged.at))}</p>`
  const body = html`<h1>${say.title}</h1>
<p>${title}</p>
${state}
${open}`
  const { text, headers } = pageOf({ title: say.title, body, language })
  // A form has to say where it comes from, and does so where a referrer may be said.
  return { text, headers: { ...headers, 'referrer-policy': 'same-origin' } }
}

export function refusedPage(refusal: Refusal, language: Language): Page {
  const say = words[language]
  const body = html`<h1>${say.useless}</h1>
<p>${say[refusal]}</p>`
  return pageOf({ title: say.useless, body, language })
}
