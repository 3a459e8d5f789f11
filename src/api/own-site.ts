// The site that a path names, if it is one of the caller's.
import type { Site, Store, User } from '../store/store.ts'
import { type HostRecord, parseAnyHostRecord } from '../targets/site.ts'
import { ProblemError } from './problem.ts'

export interface OwnSite {
  site: Site
  record: HostRecord
}

/** Throws a problem, 404, when it is none; `host`: in any spelling. */
export async function ownSite(store: Pick<Store, 'sitesAmong'>, caller: User, host: string): Promise<OwnSite> {
  const record = parseAnyHostRecord(host)
  const [site] = record.ok ? await store.sitesAmong(caller.id, [record.host]) : []
  if (!record.ok || site === undefined) throw new ProblemError('NOT_FOUND', 'The caller has no such site')
  return { site, record }
}
