// Keeps in the store which names resolvers elsewhere were asked for, as long as names are kept there, and gives the latest back at the next start.
import type { Clock } from '../clock.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { Names } from '../names/names.ts'
import type { Store } from '../store/store.ts'
import { OneAtATime } from './one-at-a-time.ts'

type Kept = Pick<Store, 'saveObservations' | 'loadObservations' | 'pruneObservations'>

interface ObservationKeeperOptions {
  store: Kept
  names: Pick<Names, 'loadObserved' | 'saveObserved'>
  clock: Clock
  log: Logger
  /** Days after its last confirmation that an observation is kept. */
  days: number
  /** What was confirmed longer ago is not live after a start. */
  staleSeconds: number
}

/** A start knows what was told up to so long before the end, however that came. */
const saveEveryMs = 300_000
const pruneEveryMs = 3_600_000
const dayMs = 86_400_000
/** Read at a start: as much as there is room for in memory. */
const loadedMax = 200_000
const keptMax = 1_000_000

export class ObservationKeeper {
  readonly #options: ObservationKeeperOptions
  readonly #throttle = new LogThrottle()
  readonly #writing = new OneAtATime(() => this.#write())
  /** What was confirmed before then is in the store. */
  #savedMs = Number.NEGATIVE_INFINITY
  #prunedMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  readonly counts = { saved: 0, deleted: 0 }

  constructor(options: ObservationKeeperOptions) {
    this.#options = options
  }

  /** The sites are known already. Without the store's observations the service starts all the same. */
  async start(): Promise<void> {
    const { store, names, clock, log, staleSeconds } = this.#options
    const nowMs = clock.now()
    try {
      const confirmedSinceMs = nowMs - staleSeconds * 1_000
      names.loadObserved(await store.loadObservations({ confirmedSinceMs, max: loadedMax }))
    } catch (error) {
      log.error({ err: error }, 'saved observations could not be read; names below wildcards are learnt anew')
    }
    this.#savedMs = nowMs
    this.#timer = setInterval(() => void this.#writing.run(), saveEveryMs)
  }

  /** Writes what was told since the last time. */
  async stop(): Promise<void> {
    if (this.#timer === null) return
    clearInterval(this.#timer)
    await this.#writing.runAgain()
  }

  async #write(): Promise<void> {
    const { store, names, clock, log, days } = this.#options
    const nowMs = clock.now()
    try {
      const observations = names.saveObserved(this.#savedMs)
      await store.saveObservations(observations)
      this.#savedMs = nowMs
      this.counts.saved += observations.length
      if (Math.abs(nowMs - this.#prunedMs) < pruneEveryMs) return
      this.#prunedMs = nowMs
      this.counts.deleted += await store.pruneObservations({ confirmedBeforeMs: nowMs - days * dayMs, max: keptMax })
    } catch (error) {
      const heldBack = this.#throttle.pass('save', nowMs)
      if (heldBack !== null) log.error({ err: error, heldBack }, 'observations could not be saved')
    }
  }
}
