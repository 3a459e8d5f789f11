// Keeps the names that resolvers elsewhere were asked for in the store, as long as names are kept there, and gives back the latest at the next start.

import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Metric } from '../metrics.ts'
import type { Names } from '../names/names.ts'
import type { Store } from '../store/store.ts'
import { PeriodicTask } from '../task.ts'
import { Throttle } from '../throttle.ts'

const hourMs = 3_600_000

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

/** Time before an unforeseen end whose observations may be lost. */
const saveEveryMs = 300_000
const dayMs = 86_400_000
/** Read at a start: as much as there is room for in memory. */
const loadedMax = 200_000
const keptMax = 1_000_000

export const observationMetrics: readonly Metric<ObservationKeeper>[] = [
  {
    name: 'floodgauge_observations_saved_total',
    help: 'Observed names and addresses written to the store: those that were seen for a minute at least, every five minutes.',
    read: ({ counts }) => counts.saved,
  },
  {
    name: 'floodgauge_observations_deleted_total',
    help: 'Observed names and addresses deleted from the store, since they are old, or too many.',
    read: ({ counts }) => counts.deleted,
  },
]

export class ObservationKeeper {
  readonly #options: ObservationKeeperOptions
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  /** What was confirmed before then is in the store. */
  #savedMs = Number.NEGATIVE_INFINITY
  readonly #pruning = new Throttle(hourMs)
  #isLoaded = false
  readonly counts = { saved: 0, deleted: 0 }

  constructor(options: ObservationKeeperOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'observations',
      periodMs: saveEveryMs,
      run: () => this.#write(),
      failure: 'observations could not be saved',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** The sites are known already. Without the store's observations the service starts all the same. */
  async start(): Promise<void> {
    const { store, names, clock, log, staleSeconds } = this.#options
    const nowMs = clock.now()
    try {
      const confirmedSinceMs = nowMs - staleSeconds * 1_000
      names.loadObserved(await store.loadObservations({ confirmedSinceMs, max: loadedMax }))
    } catch (error) {
      log.error({ err: error }, 'saved observations could not be read; names below wildcards are learnt again')
    }
    this.#savedMs = nowMs
    this.#isLoaded = true
    this.#task.start()
  }

  /** Writes the observations since the last run. */
  async stop(): Promise<void> {
    if (!this.#isLoaded) return
    await this.#task.stop()
    await this.#task.run()
  }

  async #write(): Promise<void> {
    const { store, names, clock, days } = this.#options
    const nowMs = clock.now()
    const observations = names.saveObserved(this.#savedMs)
    await store.saveObservations(observations)
    this.#savedMs = nowMs
    this.counts.saved += observations.length
    if (!this.#pruning.pass(nowMs)) return
    this.counts.deleted += await store.pruneObservations({ confirmedBeforeMs: nowMs - days * dayMs, max: keptMax })
  }
}
