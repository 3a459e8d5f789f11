// The endpoint that says what is known of one address: to its owner, and to whoever runs the service.
import type { targetEndpoints, VectorList } from '../../contract/targets.ts'
import type { TargetQuery, TargetRates } from '../../detect/targets/target-state.ts'
import type { Store } from '../../store/store.ts'
import { matchText } from '../../vectors/match-text.ts'
import { type Vector, vectors } from '../../vectors/vectors.ts'
import type { Handlers } from '../http/endpoints.ts'
import type { LatestTraces } from './explain.ts'
import { type OwnedParts, ownership } from './owned.ts'
import { presentTarget } from './present.ts'

/** Who knows the addresses. */
export type Targets = OwnedParts['targets'] &
  LatestTraces & {
    /** Rates of each address, in order; null: it had no traffic. Rejects with AppError DETECTION_BUSY. */
    ratesOf(asked: TargetQuery[]): Promise<(TargetRates | null)[]>
  }

export interface TargetParts {
  store: Pick<Store, 'sitesAmong'>
  targets: Targets
}

export function targetHandlers(parts: TargetParts): Handlers<keyof typeof targetEndpoints> {
  const { targets } = parts
  const { requireOwned } = ownership(parts)
  const vectorList = presentVectors(vectors)

  return {
    listVectors: async () => ({ body: vectorList }),

    getTarget: async ({ params, isAdmin }, caller) => {
      const { address, knownFromMs } = await requireOwned(params.address, caller, isAdmin)
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
