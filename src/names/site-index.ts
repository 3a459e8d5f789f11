// The sites of all users, compiled once when they change into the look-ups that attribution and the watch list need.
import { ancestors } from '../net/hostname.ts'
import { networkOf } from '../net/prefix.ts'
import { parseHostRecord } from '../targets/site.ts'

/** A site that is to be watched. Structurally the store's. */
export interface SiteLike {
  userId: string
  /** Canonical. */
  host: string
}

type Users = Set<string>

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
  /** Sites whose host can no longer be read, and which are thus not watched. */
  readonly unreadable: number
}

export function compileSites(sites: Iterable<SiteLike>): SiteIndex {
  const ranges: [number, number][] = []
  const networks = new Map<number, Map<number, Users>>()
  const names = new Map<string, Users>()
  const wildcards = new Map<string, Users>()
  const roots = new Map<string, Users>()
  let unreadable = 0
  for (const { userId, host } of sites) {
    const record = parseHostRecord(host)
    if (!record.ok) {
      unreadable++
    } else if (record.kind === 'fqdn') {
      addUser(names, host, userId)
      addUser(roots, host, userId)
    } else if (record.kind === 'wildcard') {
      addUser(wildcards, record.zone, userId)
      addUser(roots, record.zone, userId)
      addUser(roots, `www.${record.zone}`, userId)
    } else {
      const length = 32 - Math.log2(record.last - record.first + 1)
      const ofLength = networks.get(length) ?? new Map<number, Users>()
      networks.set(length, ofLength)
      addUser(ofLength, record.first, userId)
      ranges.push([record.first, record.last])
    }
  }
  return { ranges, networks, names, wildcards, roots, unreadable }
}

function addUser<K>(users: Map<K, Users>, key: K, userId: string): void {
  const known = users.get(key)
  if (known === undefined) users.set(key, new Set([userId]))
  else known.add(userId)
}

/** The users of address sites that hold the address, each with the prefix length of the longest. */
export function addressSites(index: SiteIndex, address: number): Map<string, number> {
  const longest = new Map<string, number>()
  for (let length = 32; length >= 24; length--) {
    for (const userId of index.networks.get(length)?.get(networkOf(address, length)) ?? []) {
      if (!longest.has(userId)) longest.set(userId, length)
    }
  }
  return longest
}

/** The user's best name site for a name: the name itself, or else the longest wildcard over it; null when there is none. */
export function nameSite(index: SiteIndex, userId: string, name: string): string | null {
  if (index.names.get(name)?.has(userId) === true) return name
  for (const zone of [name, ...ancestors(name)]) {
    if (index.wildcards.get(zone)?.has(userId) === true) return `*.${zone}`
  }
  return null
}
