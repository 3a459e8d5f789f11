// Which names matter, of all that resolvers elsewhere are asked for: those at or below a site, or a host record with settings of its own.

import type { HostRecord } from '../../access/host-record.ts'
import { ancestors } from '../../net/hostname.ts'
import { rootsOf, type SiteIndex } from '../bindings/site-index.ts'

export interface Scope {
  /** Names by themselves: registered ones, and those that are asked of our resolvers. */
  readonly names: ReadonlySet<string>
  /** The zones of wildcards. */
  readonly zones: ReadonlySet<string>
}

const nothing: Scope = { names: new Set(), zones: new Set() }

/** `configured`: what matters beside the sites. */
export function scopeOf({ roots, wildcards }: SiteIndex, configured: Scope = nothing): Scope {
  return {
    names: new Set([...roots.keys(), ...configured.names]),
    zones: new Set([...wildcards.keys(), ...configured.zones]),
  }
}

export function scopeOfRecords(records: readonly HostRecord[]): Scope {
  const zones = records.flatMap((record) => (record.kind === 'wildcard' ? [record.zone] : []))
  return { names: new Set(records.flatMap(rootsOf)), zones: new Set(zones) }
}

/** What shares its room with the name: the longest zone over it, or the name alone when it is one by itself. Null: it does not matter. */
export function groupOf({ names, zones }: Scope, name: string): string | null {
  if (names.has(name)) return name
  if (zones.has(name)) return `*.${name}`
  for (const zone of ancestors(name)) if (zones.has(zone)) return `*.${zone}`
  return null
}
