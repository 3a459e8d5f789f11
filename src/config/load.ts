// The sources merged: default < YAML file < environment < flags. All problems are gathered, so that one start shows them all.
import type { KeyList } from './keys.ts'
import { fromEnvironment, fromFile, fromFlags, type GivenValue } from './sources.ts'
import { checkValue } from './values.ts'

export interface ConfigSources {
  /** The YAML file; without it, the one that FLOODGAUGE_CONFIG names, if any. */
  file?: string | undefined
  env: NodeJS.ProcessEnv
  /** The command line's options by their names; those that set no key are passed over. */
  flags?: Readonly<Record<string, string | undefined>> | undefined
}

export interface LoadedConfig {
  /** The whole configuration as a tree; of use only when there are no problems. */
  tree: Record<string, unknown>
  /** Where each key's value comes from, by path. */
  origins: Map<string, string>
  problems: string[]
}

export function loadTree(list: KeyList, flagKeys: Readonly<Record<string, string>>, from: ConfigSources): LoadedConfig {
  const file = from.file ?? (from.env.FLOODGAUGE_CONFIG || undefined)
  const sources = [fromEnvironment(list, from.env), fromFlags(list, flagKeys, from.flags ?? {})]
  if (file !== undefined) sources.unshift(fromFile(list, file))

  const loaded: LoadedConfig = { tree: {}, origins: new Map(), problems: sources.flatMap(({ problems }) => problems) }
  for (const key of list.keys) {
    let given: GivenValue = { value: structuredClone(key.default), origin: 'default' }
    for (const source of sources) given = source.given.get(key.path) ?? given
    const checked = checkValue(key, given.value)
    if (checked.ok) setAt(loaded.tree, key.parts, checked.value)
    else loaded.problems.push(...checked.reasons.map((reason) => `${key.path}: ${reason} (${given.origin})`))
    loaded.origins.set(key.path, given.origin)
  }
  return loaded
}

function setAt(tree: Record<string, unknown>, parts: string[], value: unknown): void {
  let node = tree
  for (const part of parts.slice(0, -1)) node = childOf(node, part)
  if (value !== undefined) node[parts[parts.length - 1]] = value
}

/** Sections are made here and hold nothing but records. */
function childOf(node: Record<string, unknown>, part: string): Record<string, unknown> {
  node[part] ??= {}
  return node[part] as Record<string, unknown>
}
