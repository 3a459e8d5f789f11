// Which keys two configurations differ in.
import { isDeepStrictEqual } from 'node:util'
import type { KeyList } from './keys.ts'

/** Their paths, in the order of the configuration: names alone, since values may be secret. */
export function changedKeys(list: KeyList, before: object, after: object): string[] {
  const isSame = (parts: string[]) => isDeepStrictEqual(valueAt(before, parts), valueAt(after, parts))
  return list.keys.filter(({ parts }) => !isSame(parts)).map(({ path }) => path)
}

/** Undefined: the key is not set. */
export function valueAt(tree: unknown, parts: readonly string[]): unknown {
  let node = tree
  for (const part of parts)
    node =
      typeof node === 'object' && node !== null ? Object.entries(node).find(([name]) => name === part)?.[1] : undefined
  return node
}
