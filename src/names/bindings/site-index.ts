// The sites of all users, compiled once when they change into the look-ups that attribution and the watch list need.

import { Authority, type Claim, type SiteLike, type UserLike } from '../../access/authority.ts'
import type { HostRecord } from '../../access/host-record.ts'
import type { AccessSettings } from '../../access/settings.ts'
import { togetherOf } from '../../net/held-ranges.ts'
import { ancestors, nameMax } from '../../net/hostname.ts'
import { keyRange, networkKey, networkOf } from '../../net/network.ts'

/** Users, each with when their sites of the kind were added or enabled, Unix milliseconds: the first of them counts. */
export type Users = ReadonlyMap<string, number>
type UsersSince = Map<string, number>

export interface SiteIndex {
  /** First and last address of every address site. */
  readonly ranges: [first: number, last: number][]
  /** Users of each address or network, by prefix length (24 to 32) and network. */
  readonly networks: ReadonlyMap<number, ReadonlyMap<number, Users>>
  readonly names: ReadonlyMap<string, Users>
  /** By zone. */
  readonly wildcards: ReadonlyMap<string, Users>
  /**
   * Names that are asked of the resolvers, with the users for whom: the names that they registered, and of each wildcard the zone's own
   * name and its `www`. What such a name leads to, and through which aliases, those users may see, and nobody else.
   */
  readonly roots: ReadonlyMap<string, Users>
  readonly authority: Authority
  /** The number of sites that are not watched: their host is no longer accepted, or it is not the user's to watch. */
  readonly skipped: number
}

interface IndexedSites {
  ranges: [number, number][]
  networks: Map<number, Map<number, UsersSince>>
  names: Map<string, UsersSince>
  wildcards: Map<string, UsersSince>
  roots: Map<string, UsersSince>
}

interface Rights {
  access?: AccessSettings
  /** What users have proved. */
  claims?: Iterable<Claim>
}

const unchecked: AccessSettings = { policy: 'single', sharedNetworks: [], sharedDomains: 3 }

/** The operator has said nothing of a user who is not among `users`. */
export function compileSites(
  sites: readonly SiteLike[],
  users: Iterable<UserLike> = [],
  { access = unchecked, claims = [] }: Rights = {},
): SiteIndex {
  const authority = new Authority({ users, sites, claims, access })
  const compiled: IndexedSites = {
    ranges: [],
    networks: new Map(),
    names: new Map(),
    wildcards: new Map(),
    roots: new Map(),
  }
  let skipped = 0
  for (const { userId, record, createdMs, watchedMs } of sites) {
    if (record !== null && authority.mayWatch(userId, record, createdMs))
      addSite(compiled, { userId, sinceMs: watchedMs }, record)
    else skipped++
  }
  return { ...compiled, authority, skipped }
}

function addSite(
  { ranges, networks, names, wildcards, roots }: IndexedSites,
  user: UserSince,
  record: HostRecord,
): void {
  for (const name of rootsOf(record)) addUser(roots, name, user)
  if (record.kind === 'fqdn') addUser(names, record.host, user)
  else if (record.kind === 'wildcard') addUser(wildcards, record.zone, user)
  else {
    const { network, length } = networkKey(record.network)
    const ofLength = networks.get(length) ?? new Map<number, UsersSince>()
    networks.set(length, ofLength)
    addUser(ofLength, network, user)
    const { first, last } = keyRange(record.network)
    ranges.push([first, last])
  }
}

/** The names that are resolved for a host record. */
export function rootsOf(record: HostRecord): string[] {
  if (record.kind === 'fqdn') return [record.host]
  const names = record.kind === 'wildcard' ? [record.zone, `www.${record.zone}`] : []
  return names.filter(({ length }) => length <= nameMax)
}

interface UserSince {
  userId: string
  sinceMs: number
}

function addUser<K>(users: Map<K, UsersSince>, key: K, { userId, sinceMs }: UserSince): void {
  const known = users.get(key)
  if (known === undefined) users.set(key, new Map([[userId, sinceMs]]))
  else known.set(userId, Math.min(sinceMs, known.get(userId) ?? sinceMs))
}

/** The users for whom the name is resolved and who may see that it leads to the address. */
export function* usersLedTo(index: SiteIndex, name: string, address: number): Generator<string> {
  for (const userId of index.roots.get(name)?.keys() ?? [])
    if (index.authority.viewOf(userId, address) !== null) yield userId
}

/** The users who have a site at or above the name, and may see that it leads to the address. */
export function usersAbove(index: SiteIndex, name: string, address: number): Set<string> {
  const users = new Set(index.names.get(name)?.keys())
  for (const zone of [name, ...ancestors(name)])
    for (const userId of index.wildcards.get(zone)?.keys() ?? []) users.add(userId)
  for (const userId of users) if (index.authority.viewOf(userId, address) === null) users.delete(userId)
  return users
}

/** The users who have a site at or above a name: names below the same zone are looked up once. It is for one reading. */
export function createUsersAbove({ names, wildcards }: SiteIndex): (name: string) => Users {
  const known = new Map<string, Users>()
  const ofZone = (zone: string): Users => {
    const found = known.get(zone)
    if (found !== undefined) return found
    const dot = zone.indexOf('.')
    const above = dot === -1 ? nobody : ofZone(zone.slice(dot + 1))
    const own = wildcards.get(zone)
    const users = own === undefined ? above : united(above, own)
    known.set(zone, users)
    return users
  }
  return (name) => {
    const [own, ofName] = [wildcards.get(name), names.get(name)]
    const above = ofZone(name.slice(name.indexOf('.') + 1))
    if (own === undefined && ofName === undefined) return above
    return united(united(above, own ?? nobody), ofName ?? nobody)
  }
}

/** The same users as one holder. */
export function createHolderAbove(index: SiteIndex): (name: string) => string {
  const usersAbove = createUsersAbove(index)
  return (name) => togetherOf(usersAbove(name).keys())
}

const nobody: Users = new Map()

/** Each user of either, since the first of both. */
function united(a: Users, b: Users): Users {
  const users = new Map(a)
  for (const [userId, sinceMs] of b) users.set(userId, Math.min(sinceMs, users.get(userId) ?? sinceMs))
  return users
}

/** The users of address sites that hold the address, each with the prefix length of the longest, and since when there is one. */
export function addressSites(index: SiteIndex, address: number): Map<string, { length: number; sinceMs: number }> {
  const longest = new Map<string, { length: number; sinceMs: number }>()
  for (const [length, users] of addressLengths(index, address)) {
    for (const [userId, sinceMs] of users) {
      const known = longest.get(userId)
      if (known === undefined) longest.set(userId, { length, sinceMs })
      else known.sinceMs = Math.min(known.sinceMs, sinceMs)
    }
  }
  return longest
}

/** The prefix lengths of the address sites that hold the address, the longest first, with their users. */
export function addressLengths(index: SiteIndex, address: number): [length: number, users: Users][] {
  const lengths = [...index.networks.keys()].toSorted((a, b) => b - a)
  return lengths.flatMap((length): [number, Users][] => {
    const users = index.networks.get(length)?.get(networkOf(address, length))
    return users === undefined ? [] : [[length, users]]
  })
}

/** The user's best name site for a name: the name itself, or else the longest wildcard over it; null when there is none. */
export function nameSite(index: SiteIndex, userId: string, name: string): string | null {
  if (index.names.get(name)?.has(userId) === true) return name
  for (const zone of [name, ...ancestors(name)]) {
    if (index.wildcards.get(zone)?.has(userId) === true) return `*.${zone}`
  }
  return null
}

/** Since when the user has a site at or above the name; null: there is none. */
export function sinceAbove({ names, wildcards }: SiteIndex, userId: string, name: string): number | null {
  let sinceMs = names.get(name)?.get(userId) ?? null
  for (const zone of [name, ...ancestors(name)]) {
    const each = wildcards.get(zone)?.get(userId)
    if (each !== undefined && (sinceMs === null || each < sinceMs)) sinceMs = each
  }
  return sinceMs
}

/** A time that lies ahead says nothing: the clock was set back since. */
export function sinceOf(sinceMs: number, { nowMs }: { nowMs: number }): number {
  return sinceMs > nowMs ? 0 : sinceMs
}

/** Whether it was confirmed since then. */
export function isSince({ confirmedMs }: { confirmedMs: number }, sinceMs: number): boolean {
  return confirmedMs >= sinceMs
}
