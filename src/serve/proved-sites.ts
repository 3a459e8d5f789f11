// The sites that their users have to prove, as they are in the store.
import { type Subject, subjectOf } from '../access/challenge.ts'
import { createRegistrar, type Policy } from '../access/policy.ts'
import { proofKey } from '../access/proof.ts'
import type { Store } from '../store/store.ts'

/** What proves a site, by user and subject. */
export interface ProvedSites {
  /** That of all sites and users, when they were read. */
  version: number
  subjects: ReadonlyMap<string, { userId: string; subject: Subject }>
  /** Keys of the sites that their users have turned off. */
  off: ReadonlySet<string>
}

/** `policy`: that of users without one of their own. */
export async function readProvedSites(
  store: Pick<Store, 'listUsers' | 'listSites' | 'sitesVersion'>,
  policy: Policy,
): Promise<ProvedSites> {
  // What changes while it is read makes another version.
  const version = await store.sitesVersion()
  const subjects = new Map<string, { userId: string; subject: Subject }>()
  const off = new Set<string>()
  for (const user of await store.listUsers()) {
    if ((user.policy ?? policy) !== 'verified') continue
    const { mustProve } = createRegistrar(user, policy)
    for (const { record, enabled } of await store.listSites(user.id)) {
      const subject = record !== null && mustProve(record) ? subjectOf(record) : null
      if (subject === null) continue
      const key = proofKey(user.id, subject)
      subjects.set(key, { userId: user.id, subject })
      if (!enabled) off.add(key)
    }
  }
  return { version, subjects, off }
}
