// What a target is made of: where it is, what stands in for its normal, and the memory that it shares with all others.
import type { BaselineRows } from '../normal/baseline.ts'
import type { PriorOf } from '../normal/prior.ts'
import type { SeasonRows } from '../normal/season.ts'
import type { RatePages } from '../rates/rate-pages.ts'

/** The memory that targets share for what they have much of. */
export interface TargetMemory {
  rates: RatePages
  baselines: BaselineRows
  seasons: SeasonRows
}

export interface TargetOrigin {
  memory: TargetMemory
  /** IPv4 address, the first one of a network. */
  address: number
  /** Prefix length, bits; 32: a single address. */
  length: number
  priorOf: PriorOf
}
