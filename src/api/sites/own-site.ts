// The site that a path names, if it is one of the caller's.

import { canonicalHost, type HostRecord } from '../../access/host-record.ts'
import type { Site, Store, User } from '../../store/store.ts'
import { ProblemError } from '../http/problem.ts'

export interface OwnSite {
  site: Site
  record: HostRecord
}

/** The caller's site of that host, in any spelling; throws a problem, 404, when there is none. */
export async function ownSite(store: Pick<Store, 'sitesAmong'>, caller: User, host: string): Promise<OwnSite> {
  const canonical = canonicalHost(host)
  const [site] = canonical === null ? [] : await store.sitesAmong(caller.id, [canonical])
  const record = site?.record ?? null
  if (record === null) throw new ProblemError('NOT_FOUND', 'The caller has no such site')
  return { site, record }
}
