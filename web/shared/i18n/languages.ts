// The languages that there are: one file each in `messages`. A file that is added there is a language that can be chosen.
import en from '../../messages/en.json'
import type { Messages } from './messages.ts'

const files = import.meta.glob<Messages>(['../../messages/*.json', '!../../messages/en.json'], { import: 'default' })
const codeOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, -'.json'.length)
const loaders = new Map(Object.entries(files).map(([path, load]) => [codeOf(path), load]))

export const english: Messages = en

/** BCP 47, English first. */
export const languages: readonly string[] = ['en', ...[...loaders.keys()].sort()]

export function loadMessages(language: string): Promise<Messages> {
  return loaders.get(language)?.() ?? Promise.resolve(english)
}

/** The first language that the reader wants and that there is. */
export function preferredLanguage(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const found = languages.find((language) => tag.toLowerCase().split('-')[0] === language)
    if (found !== undefined) return found
  }
  return 'en'
}

/** The language as the reader's browser has it, `en-GB` for `en`: how dates and numbers are written. */
export function regional(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language
}

/** The name of a language in itself. */
export function nameOfLanguage(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
}
