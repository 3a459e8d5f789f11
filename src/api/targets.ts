// The endpoint that says what is known of one address: to its owner, and to whoever runs the service.

import type { AskedTarget, TargetRates, TargetState } from '../detect/target-state.ts'
import type { Way } from '../names/attribution.ts'
import { parseIpv4 } from '../net/ipv4.ts'
import type { Store, User } from '../store/store.ts'
import type { Handlers } from './endpoints.ts'
import { presentTarget } from './present-targets.ts'
import { ProblemError } from './problem.ts'

/** Who knows the addresses. */
export interface Targets {
  /** As if the address had not been heard of before. Rejects with AppError DETECTION_BUSY. */
  stateOf(address: number, knownFromMs: number): Promise<TargetState>
  /** Of each address, in order; null: nothing was heard of it. Rejects likewise. */
  ratesOf(asked: AskedTarget[]): Promise<(TargetRates | null)[]>
  /** The sites of the user that the address belongs to now. */
  waysTo(userId: string, address: number): Way[]
}

export interface TargetHandlerOptions {
  store: Pick<Store, 'sitesAmong'>
  targets: Targets
}

export function createTargetHandlers({ store, targets }: TargetHandlerOptions): Pick<Handlers, 'getTarget'> {
  /** When the address became one of the caller's; null when it is none. The store does not know for how long a site was disabled. */
  const ownedSince = async (caller: User, address: number): Promise<number | null> => {
    const ways = targets.waysTo(caller.id, address)
    const sites = await store.sitesAmong(caller.id, [...new Set(ways.map(({ site }) => site))])
    const addedMs = new Map(sites.filter(({ enabled }) => enabled).map(({ host, createdMs }) => [host, createdMs]))
    const times = ways.flatMap(({ site, sinceMs }) => {
      const createdMs = addedMs.get(site)
      return createdMs === undefined ? [] : Math.max(createdMs, sinceMs)
    })
    return times.length === 0 ? null : Math.min(...times)
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
