// How text is written so that a receiver takes it for text: one escaper for each language that receivers read. What goes into them is clean already.

/** A chat makes no link and no mention of it: an invisible joiner stands where one would begin. */
function inert(text: string): string {
  return text.replaceAll('@', '@\u2060').replaceAll('://', ':\u2060//')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign])
}

const lookAlikes: Readonly<Record<string, string>> = { '*': '∗', _: '＿', '~': '∼', '`': 'ˋ' }

export const escapers = {
  /** Nothing is read into it. */
  none: (text: string) => text,
  /** HTML, in a chat. */
  html: (text: string) => escapeHtml(inert(text)),
  /** Slack's own markup: only three characters are signs. */
  slack: (text: string) => inert(text).replaceAll(/[&<>]/g, (sign) => entities[sign]),
  /** The same where it is among markup of a template: signs of its Markdown have no escape, and others that look alike stand for them. */
  slackText: (text: string) =>
    inert(text)
      .replaceAll(/[&<>]/g, (sign) => entities[sign])
      .replaceAll(/[*_~`]/g, (sign) => lookAlikes[sign]),
  /**
   * A backslash before a sign makes it a character (CommonMark 2.4); only those that the Markdown of every chat knows. Angle brackets, which no name has, are
   * not among them: others that look alike stand for them.
   */
  markdown: (text: string) =>
    inert(text)
      .replaceAll('<', '‹')
      .replaceAll('>', '›')
      .replaceAll(/[\\`*_{}[\]#|~]/g, '\\$&'),
  /** Text runs of Adaptive Cards are no Markdown, but dates in double braces are worked out. */
  card: (text: string) => inert(text).replaceAll('{{', '{\u2060{'),
  /** A value of structured data: RFC 5424 section 6.3.3. */
  param: (text: string) => text.replaceAll(/[\\"\]]/g, '\\$&'),
  /** A field of the head of ArcSight's Common Event Format, and a value behind it. */
  cefHead: (text: string) => text.replaceAll(/[\\|]/g, '\\$&'),
  cefValue: (text: string) => text.replaceAll(/[\\=]/g, '\\$&'),
  /** QRadar's Log Event Extended Format knows no escape: what would end a field is replaced. */
  leef: (text: string) => text.replaceAll(/[|^\t]/g, ' '),
} as const

/** A link of ours: what is in it has no signs. */
export function markdownLink({ label, url }: { label: string; url: string }): string {
  return `[${label}](${url})`
}

export type Escaper = (text: string) => string
