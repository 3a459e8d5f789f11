// The endpoint that says what is known of one address: to its owner, and to whoever runs the service.

import type { TargetState } from '../detect/target-state.ts'
import { formatIpv4, parseIpv4 } from '../net/ipv4.ts'
import { formatPrefix, networkOf } from '../net/prefix.ts'
import type { Store, User } from '../store/store.ts'
import type { Handlers } from './endpoints.ts'
import { presentTarget } from './present-targets.ts'
import { ProblemError } from './problem.ts'

/** Who knows the addresses. */
export interface Targets {
  /** As if the address had not been heard of before. Rejects with AppError DETECTION_BUSY. */
  stateOf(address: number, knownFromMs: number): Promise<TargetState>
  /** The best site of the user that the address belongs to now; null when none does. */
  siteOf(userId: string, address: number): string | null
}

/** The networks that can be a site. */
const lengths = [24, 25, 26, 27, 28, 29, 30, 31] as const

export interface TargetHandlerOptions {
  store: Pick<Store, 'sitesAmong'>
  targets: Targets
}

export function createTargetHandlers({ store, targets }: TargetHandlerOptions): Pick<Handlers, 'getTarget'> {
  /** When the address became one of the caller's; null when it is none. */
  const ownedSince = async (caller: User, address: number): Promise<number | null> => {
    const best = targets.siteOf(caller.id, address)
    if (best === null) return null
    const networks = lengths.map((length) => formatPrefix({ network: networkOf(address, length), length }))
    const sites = await store.sitesAmong(caller.id, [...new Set([best, formatIpv4(address), ...networks])])
    const enabled = sites.filter((site) => site.enabled)
    return enabled.length === 0 ? null : Math.min(...enabled.map(({ createdMs }) => createdMs))
  }

  return {
    getTarget: async ({ params, isAdmin }, caller) => {
      const address = parseIpv4(params.address)
      if (address === null) throw new ProblemError('BAD_REQUEST', 'The path does not end in an IPv4 address')
      const knownFromMs = isAdmin ? 0 : await ownedSince(caller, address)
      if (knownFromMs === null)
        throw new ProblemError('NOT_FOUND', 'The address belongs to no enabled site of the caller')
      return { body: presentTarget(address, await targets.stateOf(address, knownFromMs), isAdmin) }
    },
  }
}
