// The order of what the palette has found: what is called so comes before what only has to do with it.

export type FoundKind = 'place' | 'site' | 'event' | 'source'

export interface Findable {
  kind: FoundKind
  /** What it is called. */
  name: string
}

/** Kinds in the order that they have where their names fit equally well. */
const kinds: readonly FoundKind[] = ['site', 'place', 'source', 'event']
const unnamed = 4

/** How well a name fits: 0 it is the text, 1 it begins with it, 2 a word of it does, 3 it has it somewhere, 4 it has not. */
export function fitOf(name: string, wanted: string): number {
  const text = name.toLowerCase()
  if (text === wanted) return 0
  const at = text.indexOf(wanted)
  if (at < 0) return unnamed
  if (at === 0) return 1
  for (let i = at; i >= 0; i = text.indexOf(wanted, i + 1)) if (/[^\p{L}\p{N}]/u.test(text[i - 1])) return 2
  return 3
}

/** The best first; what fits equally well stays in its order. Events follow the sites and places that are called so. */
export function ranked<Entry extends Findable>(entries: readonly Entry[], wanted: string): Entry[] {
  const rankOf = ({ kind, name }: Entry) => {
    const fit = fitOf(name, wanted)
    const isNamed = kind !== 'event' && fit < unnamed
    return (isNamed ? fit : kind === 'event' ? unnamed : unnamed + 1) * kinds.length + kinds.indexOf(kind)
  }
  return entries.toSorted((a, b) => rankOf(a) - rankOf(b))
}
