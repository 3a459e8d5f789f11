// Whether the names of sites are answered. One that is not keeps its last addresses for a while, and names that nobody can answer are their owner's matter: what
// makes the service unready is resolvers that answer nothing at all.
import type { Check } from '../../api/http/health.ts'

/** Without an answer to as many questions in that time, nothing is known of what has moved meanwhile. */
const silentMs = 900_000
const questionsMin = 20

export interface AskedNames {
  /** Names that are kept resolved, and those of them whose last answer was a failure. */
  schedule: { readonly size: number; readonly failing: number }
  resolvers: readonly { readonly queries: Readonly<Record<string, number>> }[]
}

export class AnsweredNames {
  readonly #names: AskedNames
  readonly #holders: () => number
  readonly #isOneParty: boolean
  /** Questions that were answered, in all, when an answer last came; and those that were not, then. */
  #answered = 0
  #unansweredThen = 0
  #answeredMs: number | null = null

  /** `holders`: users who have names. `isOneParty`: all users are of one; otherwise the names of one of them alone say nothing of the resolvers. */
  constructor(names: AskedNames, { holders, isOneParty }: { holders: () => number; isOneParty: boolean }) {
    this.#names = names
    this.#holders = holders
    this.#isOneParty = isOneParty
  }

  check(nowMs: number): Check {
    const { schedule, resolvers } = this.#names
    let answered = 0
    let unanswered = 0
    for (const { queries } of resolvers) {
      for (const [code, count] of Object.entries(queries)) {
        if (code === 'TIMEOUT') unanswered += count
        else answered += count
      }
    }
    if (this.#answeredMs === null || answered > this.#answered || nowMs < this.#answeredMs) {
      this.#answered = answered
      this.#unansweredThen = unanswered
      this.#answeredMs = nowMs
    }
    if (schedule.size === 0) return { ok: true, detail: 'there are none' }
    const minutes = Math.floor((nowMs - this.#answeredMs) / 60_000)
    const isSilent = nowMs - this.#answeredMs >= silentMs && unanswered - this.#unansweredThen >= questionsMin
    if (isSilent) {
      const detail = `no resolver has answered for ${minutes} min; the last addresses are watched`
      return { ok: !this.#isOneParty && this.#holders() < 2, detail, isWarning: true }
    }
    if (schedule.failing === 0) return { ok: true, detail: 'all are answered' }
    const isMany = schedule.failing * 10 > schedule.size
    const detail = `${schedule.failing} of ${schedule.size} could not be resolved when last asked`
    return { ok: true, detail, ...(isMany && { isWarning: true }) }
  }
}
