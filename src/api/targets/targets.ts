// The endpoint that says what is known of one address: to its owner, and to whoever runs the service.

import type { targetEndpoints, VectorList } from '../../contract/targets.ts'
import type { TargetQuery, TargetRates, TargetState } from '../../detect/targets/target-state.ts'
import type { Way } from '../../names/bindings/attribution.ts'
import { parseKey } from '../../net/address.ts'
import type { Store, User } from '../../store/store.ts'
import { matchText } from '../../vectors/match-text.ts'
import { type Vector, vectors } from '../../vectors/vectors.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { presentTarget } from './present.ts'

/** Who knows the addresses. */
export interface Targets {
  /** The state of an address as if it had had no traffic before `knownFromMs`. Rejects with AppError DETECTION_BUSY. */
  stateOf(address: number, knownFromMs: number): Promise<TargetState>
  /** Rates of each address, in order; null: it had no traffic. Rejects likewise. */
  ratesOf(asked: TargetQuery[]): Promise<(TargetRates | null)[]>
  /** The sites of the user that the address belongs to now. */
  waysTo(userId: string, address: number): Way[]
}

export interface TargetParts {
  store: Pick<Store, 'sitesAmong'>
  targets: Targets
}

export function targetHandlers({ store, targets }: TargetParts): Handlers<keyof typeof targetEndpoints> {
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

  const vectorList = presentVectors(vectors)

  return {
    listVectors: async () => ({ body: vectorList }),

    getTarget: async ({ params, isAdmin }, caller) => {
      const address = parseKey(params.address)
      if (address === null) throw new ProblemError('BAD_REQUEST', 'The path does not end in an IPv4 address')
      const knownFromMs = isAdmin ? 0 : await ownedSince(caller, address)
      if (knownFromMs === null)
        throw new ProblemError('NOT_FOUND', 'The address belongs to no enabled site of the caller')
      return { body: presentTarget(address, await targets.stateOf(address, knownFromMs), isAdmin) }
    },
  }
}

/** Rows of one label together, in the order of the table. */
function presentVectors(table: readonly Vector[]): VectorList {
  const rowOf = ({ match, raise, signature }: Vector): VectorList['vectors'][number]['rows'][number] => {
    const { packetsPerSecond, partialPacketsPerSecond, unlearntPacketsPerSecond, ratio, seconds } = raise
    const [min, max] = signature.packetBytes
    return {
      matches: matchText(match),
      ...{ packetsPerSecond, partialPacketsPerSecond, unlearntPacketsPerSecond, ratio, seconds },
      ...{ sourcesMin: signature.sourcesMin, packetBytes: { min, max } },
    }
  }
  return {
    vectors: [...Map.groupBy(table, ({ label }) => label)].map(([attackType, rows]) => ({
      attackType,
      rows: rows.map(rowOf),
    })),
  }
}
