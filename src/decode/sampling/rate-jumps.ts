// The last large changes of a stream's rates, and what became of them.
import type { ToldScope } from './sampling.ts'

/** `waits`: to be told again; `confirmed`: it was, and counts; `contradicted`: the rate before was told again, and counts. */
export const jumpOutcomes = ['waits', 'confirmed', 'contradicted'] as const
export type JumpOutcome = (typeof jumpOutcomes)[number]

/** A large change of a rate. */
export interface RateJump {
  scope: ToldScope
  id: number
  /** Rates; 0: unknown. */
  from: number
  to: number
  /** When it was told first, and when that became of it. Unix milliseconds. */
  toldMs: number
  decidedMs: number
  outcome: JumpOutcome
}

export interface JumpCounters {
  samplingWaits: number
  samplingConfirmed: number
  samplingContradicted: number
}

const counterOf = {
  waits: 'samplingWaits',
  confirmed: 'samplingConfirmed',
  contradicted: 'samplingContradicted',
} as const satisfies Record<JumpOutcome, keyof JumpCounters>

/** Jumps that are remembered. */
const jumpsMax = 4

export class RateJumps {
  /** The latest first. */
  list: readonly RateJump[] = []
  readonly #counters: JumpCounters

  constructor(counters: JumpCounters) {
    this.#counters = counters
  }

  note(outcome: JumpOutcome, jump: Pick<RateJump, 'scope' | 'id' | 'from' | 'to'>, nowMs: number): void {
    this.#counters[counterOf[outcome]]++
    const isSame = ({ scope, id }: RateJump) => scope === jump.scope && id === jump.id
    const toldMs = outcome === 'waits' ? nowMs : (this.list.find(isSame)?.toldMs ?? nowMs)
    const others = this.list.filter((each) => !isSame(each))
    this.list = [{ ...jump, outcome, toldMs, decidedMs: nowMs }, ...others].slice(0, jumpsMax)
  }
}
