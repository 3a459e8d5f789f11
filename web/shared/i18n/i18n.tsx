// The translator for components, and messages with elements in them.
import { createContext, Fragment, type ReactNode, useContext } from 'react'
import type { MessageKey, Translator } from './messages.ts'

const TranslatorContext = createContext<Translator | null>(null)

export const TranslatorProvider = TranslatorContext.Provider

export function useTranslator(): Translator {
  const translator = useContext(TranslatorContext)
  if (translator === null) throw new Error('there is no translator above this component')
  return translator
}

/** A message whose places are filled with elements. */
export function Text({ k, values }: { k: MessageKey; values: Readonly<Record<string, ReactNode>> }) {
  const { parts } = useTranslator()
  return parts(k, values).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message keep their places.
    <Fragment key={i}>{i % 2 === 0 ? part : values[part]}</Fragment>
  ))
}
