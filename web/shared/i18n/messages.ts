// Messages: text with `{name}` places, or one text for each plural form, as message files have them. What a text says is the files' affair;
// here is how it is looked up and filled in. No message is HTML.
import type en from '../../messages/en.json'

export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>
export type Message = string | Plural
export type MessageKey = keyof typeof en
export type Messages = Readonly<Record<string, Message>>
export type Value = string | number

export interface Translator {
  /** BCP 47, also for `Intl`. */
  language: string
  /** The text with its places filled in; `count` chooses the plural form. */
  t(key: MessageKey, values?: Readonly<Record<string, Value>>): string
  /** The text in parts, of which every second is the name of a place. */
  parts(key: MessageKey, values?: Readonly<Record<string, unknown>>): string[]
  /** The text of a key that may be none, such as one made from a word of an open vocabulary. */
  find(key: string, values?: Readonly<Record<string, Value>>): string | null
  /** The keys that begin with this. */
  keys(start: string): MessageKey[]
}

/** A message that a language lacks is shown in the language of `fallback`. */
export function createTranslator(language: string, messages: Messages, fallback: Messages): Translator {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const own = (from: Messages, key: string) => (Object.hasOwn(from, key) ? from[key] : undefined)

  const textOf = (key: string, values: Readonly<Record<string, unknown>>): string | null => {
    const message = own(messages, key) ?? own(fallback, key)
    if (message === undefined || typeof message === 'string') return message ?? null
    const { count } = values
    return (typeof count === 'number' ? message[plurals.select(count)] : undefined) ?? message.other
  }
  const partsOf = (text: string) => text.split(/\{(\w+)\}/)
  const fill = (text: string, values: Readonly<Record<string, Value>>) =>
    text.replaceAll(/\{(\w+)\}/g, (_, place: string) => shown(values[place]))
  const shown = (value: Value | undefined) => (typeof value === 'number' ? numbers.format(value) : (value ?? ''))

  return {
    language,
    t: (key, values = {}) => fill(textOf(key, values) ?? key, values),
    parts: (key, values = {}) => partsOf(textOf(key, values) ?? key),
    find: (key, values = {}) => {
      const text = textOf(key, values)
      return text === null ? null : fill(text, values)
    },
    keys: (start) => keysOf(fallback).filter((key) => key.startsWith(start)),
  }
}

/** What a message file has is what the keys are. */
function keysOf(messages: Messages): MessageKey[] {
  return Object.keys(messages) as MessageKey[]
}
