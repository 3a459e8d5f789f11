// What the address of a screen says beside its path.

/** Those of the names that have a text. */
export function text<Name extends string>(
  search: Record<string, unknown>,
  ...names: Name[]
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}

/** The value if it is one of these words. */
export function wordOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value)
}
