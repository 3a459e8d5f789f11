// A rule as a sentence: `High and critical attacks on shops, at night (18:00–08:00)`, and what else is to be known of it. Pure.
import type { Response } from '../../../../src/contract/endpoints.ts'
import { formatDuration } from '../../../shared/format/times.ts'
import type { Translator } from '../../../shared/i18n/messages.ts'
import { severities } from '../../events/standing.ts'
import { both, either, kindWord, large, type Named, placeWords, small } from '../about/about-words.ts'
import { windowWords } from '../about/window-words.ts'
import { noticeWord } from '../delivery-words.ts'
import { endNote, gatheringNote } from './gathering.ts'

export type Rule = Response<'listRules'>['rules'][number]
/** What the sentence and its notes are made from. */
export type RuleContent = Omit<Rule, 'id' | 'name' | 'reach'>

export interface Known {
  groups: readonly Named[]
  channels: readonly Named[]
  /** The reader's time zone. */
  zone: string
}

/** What is told where nothing else is said. */
const plainNotices: readonly string[] = ['started', 'worsened']

/** Which attacks, and when. */
export function ruleSentence({ when, at }: Pick<Rule, 'when' | 'at'>, translator: Translator, known: Known): string {
  const { t, language } = translator
  const kinds = when.vectors.map((each) => kindWord(each, translator))
  const places = placeWords(when, known.groups, translator)
  const sentence = t('rule.sentence', {
    attacks: attackWords(when.severities, translator),
    kinds: kinds.length === 0 ? '' : t('rule.kinds', { kinds: either(kinds, language) }),
    places: places.length === 0 ? '' : t('rule.places', { places: either(places, language) }),
    time: at === null ? '' : t('rule.time', { time: windowWords(at, translator, known.zone) }),
  })
  return large(sentence.trim(), language)
}

function attackWords(wanted: Rule['when']['severities'], { t, language }: Translator): string {
  if (wanted.length === 0 || wanted.length === severities.length) return t('rule.any')
  const words = severities.filter((each) => wanted.includes(each)).map((each) => t(`severity.${each}`))
  return t('rule.severities', {
    severities: both(
      words.map((word) => small(word, language)),
      language,
    ),
  })
}

/** The channels that are told; null: every channel. */
export function toldNames({ send }: Pick<Rule, 'send'>, { channels }: Known): string[] | null {
  if (send === null) return null
  return channels.filter(({ id }) => send.includes(id)).map(({ name }) => name)
}

/** What is otherwise than in most rules. */
export function ruleNotes(
  rule: Omit<RuleContent, 'at' | 'send' | 'escalate' | 'report'>,
  translator: Translator,
): string[] {
  const { t, language } = translator
  const { when, continuesMinutes, group, endDelaySeconds, tests, stop } = rule
  const notes: string[] = []
  if (when.notices.length !== plainNotices.length || when.notices.some((each) => !plainNotices.includes(each))) {
    const notices = when.notices.map((each) => small(noticeWord(each, translator), language))
    notes.push(t('rule.tells', { notices: either(notices, language) }))
  }
  if (continuesMinutes !== null)
    notes.push(t('rule.continues', { time: formatDuration(continuesMinutes * 60, translator) }))
  const others = [gatheringNote(group, translator), endNote(endDelaySeconds, translator)]
  notes.push(...others.filter((note) => note !== null))
  if (tests) notes.push(t('rule.tests'))
  if (stop) notes.push(t('rule.stops'))
  return notes
}
