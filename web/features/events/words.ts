// What somebody types to find events, which may be words of the screen: names of kinds of attacks, and how severe one is. The service knows
// types as the interface has them, so that names are turned into parts of types here, in the reader's language.
import type { Translator } from '../../shared/i18n/messages.ts'
import { type Severity, severities } from './standing.ts'

const lengthMin = 2

type Words = Pick<Translator, 't' | 'parts' | 'keys'>

export interface EventWords {
  q?: string
  /** Parts of types that fit as well as `q`, with commas between. */
  qAlso?: string
  severity?: Severity
}

/** The query that finds what was typed. A word for a severity finds the events that are so severe, any other text is looked for. */
export function wordsOf(typed: string | undefined, translator: Words): EventWords {
  const q = typed?.trim() ?? ''
  if (q === '') return {}
  const wanted = q.toLowerCase()
  const severity = severities.find((each) => translator.t(`severity.${each}`).toLowerCase() === wanted)
  if (severity !== undefined) return { severity }
  const parts = wanted.length < lengthMin ? [] : typePartsOf(wanted, translator)
  return parts.length === 0 ? { q } : { q, qAlso: parts.join(',') }
}

/** Parts of the types whose names have the text in them. */
function typePartsOf(wanted: string, translator: Words): string[] {
  const parts = translator.keys('attack.').flatMap((key) => {
    const [, protocol, kind] = key.split('.')
    if (kind === undefined) return []
    const [before, place, after = ''] = translator.parts(key).map((part) => part.toLowerCase())
    const ofAny = protocol === 'any' ? `@${kind}_` : `${protocol}@attack@${kind}_`
    if (place === undefined) return before.includes(wanted) ? [ofAny] : []
    if (after.includes(wanted)) return [ofAny]
    const word = wordBefore(wanted, after)
    if (word === null) return []
    return [place === 'protocol' ? `${word}@attack@${kind}_` : `_target-${word}`]
  })
  if (translator.t('attack.unknown').toLowerCase().includes(wanted)) parts.push('unknown')
  return [...new Set(parts)]
}

/** `dns` of `dns ampli`, where what follows is ` amplification`; null: it does not fit. */
function wordBefore(wanted: string, after: string): string | null {
  const word = /^[\w-]+/.exec(wanted)?.[0] ?? ''
  const rest = wanted.slice(word.length)
  return word !== '' && rest.trim() !== '' && after.startsWith(rest) ? word : null
}
