// Whether all that is watched can be followed: detect.targetsMax bounds the addresses whose traffic is judged, and what has no place there is not seen.
import type { Check } from '../../api/http/health.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { PeriodicTask } from '../../task.ts'

const noteEveryMs = 1_000

/** Searches have a bound in each slot, so that a sudden crowd gets its places within seconds: only who goes on without one for as long is not seen. */
const lastingMs = 10_000
/** As long without a refusal, and what comes next is a beginning. */
const pauseMs = 5_000
/** How long afterwards it still counts. */
const latelyMs = 600_000

interface FollowedPlacesOptions {
  targetsMax: number
  /** Number of addresses that are watched. */
  watched: () => number
  /** Addresses with traffic that found no place, counted again in each slot. */
  refused: () => number
  /** All users are of one; otherwise one of them could make up addresses with traffic. */
  isOneParty: boolean
  clock: Clock
  log: Logger
}

export class FollowedPlaces {
  readonly tasks: readonly PeriodicTask[]
  readonly #options: FollowedPlacesOptions
  readonly #task: PeriodicTask
  #refused = 0
  #beganMs = Number.NEGATIVE_INFINITY
  #roseMs = Number.NEGATIVE_INFINITY
  /** When a refusal last had gone on for so long. */
  #lastedMs = Number.NEGATIVE_INFINITY
  #isTold = false

  constructor(options: FollowedPlacesOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'places',
      periodMs: noteEveryMs,
      run: async () => this.note(),
      failure: 'refusals of the detector could not be noted',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  /** Once a second: what the detector has refused since. */
  note(): void {
    const { refused, clock } = this.#options
    const count = refused()
    if (count === this.#refused) return
    this.#refused = count
    const nowMs = clock.now()
    if (Math.abs(nowMs - this.#roseMs) > pauseMs) this.#beganMs = nowMs
    this.#roseMs = nowMs
    if (nowMs - this.#beganMs >= lastingMs) this.#lastedMs = nowMs
  }

  /** Numbers, not whose addresses: anyone may ask. */
  check(): Check {
    const { targetsMax, watched, isOneParty, clock, log } = this.#options
    const count = watched()
    const isRefused = Math.abs(clock.now() - this.#lastedMs) < latelyMs
    const isMore = count > targetsMax
    const numbers = `${count} addresses are watched, and detect.targetsMax lets ${targetsMax} be followed at a time`
    const means = 'only the busiest are; a quiet one takes a place when it has traffic'
    if ((isMore || isRefused) && !this.#isTold) {
      log.warn({ watched: count, targetsMax }, `${numbers}: ${means}`)
    }
    this.#isTold = isMore || isRefused
    if (isRefused) {
      const minutes = latelyMs / 60_000
      const detail = `${numbers}; in the last ${minutes} min addresses with traffic had no place: attacks on them may not be seen`
      return { ok: !isOneParty, detail, isWarning: true }
    }
    if (isMore) return { ok: true, detail: `${numbers}: ${means}`, isWarning: true }
    return { ok: true, detail: `${count} of ${targetsMax} that can be followed are watched` }
  }
}
