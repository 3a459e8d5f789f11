// What a message about the installation's own condition says for people.
import type { Message } from '../channels/kind.ts'
import { cleanText } from '../messages/clean.ts'
import type { NoticeText } from '../messages/text.ts'
import { type Reader, writerFor } from '../messages/words.ts'
import type { AttackSummary } from '../reports/summary.ts'
import { reportTextOf } from '../reports/text.ts'
import { type OwnWord, ownWords } from './words.ts'

/** What a message has when it is about no event. */
export interface OwnNotice {
  /** `exporter.recovered`. */
  word: OwnWord
  subject: string
  detail: string
  sinceMs: number
  /** Null: it goes on. */
  untilMs: number | null
  /** It was told before, and is over now. */
  isOver: boolean
  host: string
  /** What a report is about; left out: this is no report. */
  attacks?: AttackSummary
}

export function ownTextOf(
  own: OwnNotice,
  { facts }: Pick<Message, 'facts'>,
  reader: Reader,
  publicUrl: string,
): NoticeText {
  if (own.attacks !== undefined) return reportTextOf(own, own.attacks, { reader, publicUrl })
  const writer = writerFor(reader)
  const words = ownWords[reader.language ?? 'en']
  const severity = writer.say(`severity.${facts.severity}`)
  const places: Readonly<Record<string, string>> = {
    severity: severity.toUpperCase(),
    subject: cleanText(own.subject, 100),
  }
  const title = words[own.word].replace(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '')
  const rows: [OwnWord, string][] = [
    ['severity', severity],
    ['since', writer.time(own.sinceMs)],
    ...(own.untilMs === null ? [] : [['until', writer.time(own.untilMs)] satisfies [OwnWord, string]]),
    ...(own.detail === '' ? [] : [['detail', own.detail] satisfies [OwnWord, string]]),
    ['host', own.host],
  ]
  return {
    title: cleanText(title, 250),
    facts: rows.map(([word, value]) => ({ label: words[word], value: cleanText(value, 300) })),
    custom: null,
    link: publicUrl === '' ? null : { label: words.open, url: publicUrl },
    acknowledge: null,
    told: words.told,
  }
}
