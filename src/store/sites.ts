// Sites: what users have watched.
import type { HostRecord } from '../access/host-record.ts'

export interface Site {
  userId: string
  /** The canonical text of the record. */
  host: string
  /** Null: a host that an earlier version took and this one refuses. Such a site is listed and not watched. */
  record: HostRecord | null
  enabled: boolean
  createdMs: number
  /** When it was added, or enabled last: what came to its addresses before then is not its user's. */
  watchedMs: number
  groupId: string | null
  groupName: string
}

export type AddOutcome = 'added' | 'exists' | 'over-quota'

/** Which sites of a user are looked for; what is left out does not matter. */
export interface SiteFilter {
  /** Part of the host or of the group's name, in lower case. */
  text?: string
  /** Null: in no group. */
  groupId?: string | null
  enabled?: boolean
}

/** Batches answer one outcome a host, in order, and are atomic. */
export interface Sites {
  addSites(userId: string, hosts: string[], atMs: number): Promise<AddOutcome[]>
  /** In the order in which they were added, then by host. */
  listSites(userId: string): Promise<Site[]>
  /** By host, those after `after`; `total`: how many there are in all. */
  findSites(
    userId: string,
    wanted: { filter: SiteFilter; after: string; limit: number },
  ): Promise<{ sites: Site[]; total: number }>
  /**
   * Sites with the text, in lower case, in the host or in the group's name, those that fit best first: the host is the text, begins with
   * it, has a label that does, has it anywhere; then those of groups.
   */
  bestSites(userId: string, text: string, limit: number): Promise<Site[]>
  /** How many sites each user has; who has none is left out. */
  countSites(): Promise<Map<string, number>>
  /** Those of the hosts that are sites of the user, in any order. */
  sitesAmong(userId: string, hosts: string[]): Promise<Site[]>
  /** True where the user has such a site. */
  setEnabled(userId: string, hosts: string[], enabled: boolean): Promise<boolean[]>
  /** True where the user had such a site. Its events stay. */
  deleteSites(userId: string, hosts: string[]): Promise<boolean[]>
  /** Enabled sites of everyone: what the pipeline watches. */
  enabledSites(): Promise<Site[]>
  /** Rises with every change of sites and of what users are allowed, by whichever process: a cheap way to see that the watch list is stale. */
  sitesVersion(): Promise<number>
}
