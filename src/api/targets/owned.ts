// Whose an address is: who may ask what is known of it, and of which time.

import type { TargetState } from '../../detect/targets/target-state.ts'
import type { Way } from '../../names/bindings/attribution.ts'
import { parseKey } from '../../net/address.ts'
import type { Store, User } from '../../store/store.ts'
import { ProblemError } from '../http/problem.ts'

export interface OwnedParts {
  store: Pick<Store, 'sitesAmong'>
  targets: {
    /** The state of an address as if it had had no traffic before `knownFromMs`. Rejects with AppError DETECTION_BUSY. */
    stateOf(address: number, knownFromMs: number): Promise<TargetState>
    /** The sites of the user that the address belongs to now. */
    waysTo(userId: string, address: number): Way[]
  }
}

export function ownership({ store, targets }: OwnedParts) {
  /** When the address became one of the caller's; null when it is not. */
  const ownedSince = async (caller: User, address: number): Promise<number | null> => {
    const ways = targets.waysTo(caller.id, address)
    const sites = await store.sitesAmong(caller.id, [...new Set(ways.map(({ site }) => site))])
    const watchedMs = new Map(sites.filter(({ enabled }) => enabled).map(({ host, watchedMs }) => [host, watchedMs]))
    const times = ways.flatMap(({ site, sinceMs }) => {
      const siteMs = watchedMs.get(site)
      return siteMs === undefined ? [] : Math.max(siteMs, sinceMs)
    })
    return times.length === 0 ? null : Math.min(...times)
  }

  return {
    /** The address of a path, and when the caller's knowledge of it begins: an admin sees all. Throws ProblemError BAD_REQUEST or NOT_FOUND. */
    async requireOwned(
      text: string,
      caller: User,
      isAdmin: boolean,
    ): Promise<{ address: number; knownFromMs: number }> {
      const address = parseKey(text)
      if (address === null) throw new ProblemError('BAD_REQUEST', 'The path has no IPv4 address')
      const knownFromMs = isAdmin ? 0 : await ownedSince(caller, address)
      if (knownFromMs === null)
        throw new ProblemError('NOT_FOUND', 'The address belongs to no enabled site of the caller')
      return { address, knownFromMs }
    },
  }
}
