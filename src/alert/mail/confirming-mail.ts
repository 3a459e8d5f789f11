// The mail that asks whoever reads it whether alerts of a user may go there. Nothing in it is that user's own words, so that nobody sends any by it.
import { escapeHtml } from '../messages/escape.ts'
import type { Mail } from './mailer.ts'

interface Words {
  subject: string
  /** `{by}`: the e-mail of the account. */
  asks: string
  open: string
  until: string
  nothing: string
}

const words: Readonly<Record<'en' | 'zh', Words>> = {
  en: {
    subject: 'Confirm that alerts may be sent here',
    asks: '{by} wants alerts about attacks on their sites to be sent to this address by Floodgauge.',
    open: 'To have them sent, open this page and confirm:',
    until: 'The link is good for 24 hours.',
    nothing: 'If you know nothing about it, do nothing: no alerts are sent to you.',
  },
  zh: {
    subject: '请确认接收告警',
    asks: '{by} 希望 Floodgauge 将其站点的攻击告警发送到此地址。',
    open: '如需接收，请打开此页面并确认：',
    until: '链接有效期为 24 小时。',
    nothing: '如果您对此不知情，请忽略此邮件：不会向您发送任何告警。',
  },
}

export function confirmingMail(
  { url, by }: { url: string; by: string },
  language: unknown,
): Pick<Mail, 'subject' | 'text' | 'html'> {
  const known = language === 'zh' ? 'zh' : 'en'
  const { subject, asks, open, until, nothing } = words[known]
  const said = asks.replace('{by}', () => by)
  const link = escapeHtml(url)
  return {
    subject,
    text: `${said}\n\n${open}\n${url}\n\n${until} ${nothing}\n`,
    html: `<!doctype html><html lang="${known}"><meta charset="utf-8"><title>${escapeHtml(subject)}</title><body>
<p>${escapeHtml(said)}</p>
<p>${escapeHtml(open)}<br><a href="${link}">${link}</a></p>
<p>${escapeHtml(until)} ${escapeHtml(nothing)}</p>
</body></html>
`,
  }
}
