// The layers of the program: who may import whom.
import { posix } from 'node:path'
import type { Source } from './source.ts'

/** Folders and root files of `src/` by rank, lowest first. A file imports from lower ranks and from its own folder. */
export const ranks: readonly (readonly string[])[] = [
  [
    'net',
    'errors.ts',
    'clock.ts',
    'fair-table.ts',
    'ticker.ts',
    'throttle.ts',
    'settings.ts',
    'thread-memory.ts',
    'offsets.ts',
  ],
  ['flow', 'log.ts', 'metrics.ts', 'thread.ts'],
  ['decode', 'encode', 'access', 'vectors', 'contract', 'task.ts'],
  ['collect', 'names', 'aggregate', 'geo', 'audit'],
  ['detect', 'history'],
  ['events', 'pipeline'],
  ['alert'],
  ['store'],
  ['api'],
  ['config'],
  ['config.ts'],
  ['serve'],
  ['main.ts'],
  ['cli'],
]

const rankByUnit = new Map(ranks.flatMap((units, rank) => units.map((unit) => [unit, rank] as const)))

/** `src/net/ipv4.ts` -> `net`; `src/clock.ts` -> `clock.ts`; undefined outside `src/`. */
export const unitOf = (path: string) => /^src\/([^/]+)/.exec(path)?.[1]

/** Units that compute with the bits of addresses: columns and wire formats are made of them. */
export const addressUnits: ReadonlySet<string> = new Set(['net', 'flow', 'decode', 'encode', 'aggregate', 'store'])

export const rankOf = (unit: string) => rankByUnit.get(unit)

/** Where a relative specifier leads, from the root of the repository. */
export const resolveFrom = (path: string, specifier: string) => posix.join(posix.dirname(path), specifier)

export const isRelative = (specifier: string) => specifier.startsWith('.')

/** Why `source` may not import `specifier`; undefined when it may. */
export function forbidden(source: Source, specifier: string): string | undefined {
  const unit = unitOf(source.path)
  if (unit === undefined || !isRelative(specifier)) return undefined
  const rank = rankOf(unit)
  if (rank === undefined) return `${unit} has no rank`
  const target = resolveFrom(source.path, specifier)
  if (target.startsWith('client/') && unit === 'cli') return undefined
  if (target === 'package.json') return undefined
  // The build of the console, which the service serves.
  if (target === 'web/dist' && source.path === 'src/main.ts') return undefined
  const targetUnit = unitOf(target)
  if (targetUnit === undefined) return `the program does not import ${target}`
  if (targetUnit === unit) return undefined
  const targetRank = rankOf(targetUnit)
  if (targetRank === undefined) return `${targetUnit} has no rank`
  return targetRank < rank ? undefined : `${unit} (rank ${rank}) imports ${targetUnit} (rank ${targetRank})`
}

/** The first cycle of run-time imports among the files, as a list of paths; undefined when there is none. */
export function findCycle(sources: Source[]): string[] | undefined {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      source.imports
        .filter((found) => !found.typeOnly && isRelative(found.specifier))
        .map((found) => resolveFrom(source.path, found.specifier)),
    ]),
  )
  const done = new Set<string>()
  const visit = (path: string, trail: string[]): string[] | undefined => {
    const at = trail.indexOf(path)
    if (at !== -1) return [...trail.slice(at), path]
    if (done.has(path)) return undefined
    for (const next of edges.get(path) ?? []) {
      const cycle = visit(next, [...trail, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const path of edges.keys()) {
    const cycle = visit(path, [])
    if (cycle) return cycle
  }
  return undefined
}
