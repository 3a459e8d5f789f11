// Formatters of `Intl`, each made once: to make one takes longer than to use it a hundred times. There are as many as languages that the
// reader chose, times the few forms that are used here.

const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()
const spans = new Map<string, Intl.RelativeTimeFormat>()

function once<Made>(made: Map<string, Made>, key: string, make: () => Made): Made {
  const known = made.get(key)
  if (known !== undefined) return known
  const fresh = make()
  made.set(key, fresh)
  return fresh
}

const keyOf = (language: string, options: object) => `${language} ${JSON.stringify(options)}`

export const dateFormat = (language: string, options: Intl.DateTimeFormatOptions) =>
  once(dates, keyOf(language, options), () => new Intl.DateTimeFormat(language, options))

export const numberFormat = (language: string, options: Intl.NumberFormatOptions = {}) =>
  once(numbers, keyOf(language, options), () => new Intl.NumberFormat(language, options))

export const spanFormat = (language: string, options: Intl.RelativeTimeFormatOptions) =>
  once(spans, keyOf(language, options), () => new Intl.RelativeTimeFormat(language, options))
