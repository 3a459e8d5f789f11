// Which attacks a rule or a silence is about, in words. Pure.
import type { Translator } from '../../../shared/i18n/messages.ts'
import { attackName } from '../../events/vectors.ts'
import type { Group } from '../../sites/queries.ts'

/** Lists that are empty ask for nothing. */
export interface About {
  sites: readonly string[]
  /** Ids. */
  groups: readonly string[]
  vectors: readonly string[]
}

/** What is referred to by its id. */
export type Named = Pick<Group, 'id' | 'name'>

export const isAboutAll = ({ sites, groups, vectors }: About) => sites.length + groups.length + vectors.length === 0

/** What a rule calls attacks of unknown kind. */
export const unknownKind = 'unknown'

/** A pattern has no other name than itself. */
export function kindWord(vector: string, words: Pick<Translator, 't' | 'find'>): string {
  if (vector === unknownKind) return attackName(null, words)
  return vector.includes('*') ? vector : attackName(vector, words)
}

export function placeWords({ sites, groups }: About, known: readonly Named[], { t }: Pick<Translator, 't'>): string[] {
  const names = groups.map((id) => known.find((group) => group.id === id)?.name ?? t('about.goneGroup'))
  return [...names, ...sites]
}

/** `NTP amplification or DNS amplification`. */
export function either(texts: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(texts)
}

export function both(texts: readonly string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(texts)
}

/** Each with a small letter, as within a sentence. */
export const small = (text: string, language: string) =>
  text.charAt(0).toLocaleLowerCase(language).concat(text.slice(1))

export const large = (text: string, language: string) =>
  text.charAt(0).toLocaleUpperCase(language).concat(text.slice(1))
