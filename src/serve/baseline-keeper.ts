// Keeps what is normal for the targets in the store, as the detector learns it, and gives it to the detector at the next start, so that a restart
// learns nothing anew.
import type { Clock } from '../clock.ts'
import { keepSeconds } from '../detect/saved-baselines.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { SavedBaselines, Store } from '../store/store.ts'
import { OneAtATime } from './one-at-a-time.ts'

const keepMs = keepSeconds * 1000
const pruneEveryMs = 3_600_000

type Kept = Pick<Store, 'saveBaselines' | 'loadBaselines' | 'pruneBaselines'>

interface BaselineKeeperOptions {
  store: Kept
  clock: Clock
  log: Logger
  /** In the store, and that may wait for it; of more there is no telling until their next turn, and they are counted. */
  networksMax: number
}

export class BaselineKeeper {
  readonly #store: Kept
  readonly #clock: Clock
  readonly #log: Logger
  readonly #networksMax: number
  readonly #throttle = new LogThrottle()
  /** By network: the latest is enough. */
  readonly #pending = new Map<number, SavedBaselines>()
  #started = false
  readonly #writing = new OneAtATime(() => this.#drain())
  #prunedMs = Number.NEGATIVE_INFINITY
  readonly counts = { saved: 0, damaged: 0, overflowed: 0 }

  constructor({ store, clock, log, networksMax }: BaselineKeeperOptions) {
    this.#store = store
    this.#clock = clock
    this.#log = log
    this.#networksMax = networksMax
  }

  /** Heard of last first. Without it the service starts all the same, and learns. */
  async load(): Promise<SavedBaselines[]> {
    try {
      const { baselines, unreadable } = await this.#store.loadBaselines({ heardSinceMs: this.#clock.now() - keepMs })
      this.counts.damaged = unreadable
      if (unreadable > 0) this.#log.warn({ networks: unreadable }, 'saved baselines are damaged, and left out')
      return baselines
    } catch (error) {
      this.#log.error({ err: error }, 'saved baselines could not be read; what is normal is learnt anew')
      return []
    }
  }

  /** What comes before it is not kept: a start that fails must not pass for the time when the service ended. */
  start(): void {
    this.#started = true
  }

  take(baselines: readonly SavedBaselines[]): void {
    if (!this.#started) return
    for (const each of baselines) {
      if (this.#pending.size < this.#networksMax || this.#pending.has(each.network))
        this.#pending.set(each.network, each)
      else this.counts.overflowed++
    }
    void this.#writing.run()
  }

  /** Writes what is pending. */
  async stop(): Promise<void> {
    await this.#writing.runAgain()
  }

  async #drain(): Promise<void> {
    try {
      while (this.#pending.size > 0) {
        const baselines = [...this.#pending.values()]
        await this.#store.saveBaselines(baselines)
        for (const each of baselines) if (this.#pending.get(each.network) === each) this.#pending.delete(each.network)
        this.counts.saved += baselines.length
      }
      await this.#prune()
    } catch (error) {
      const heldBack = this.#throttle.pass('save', this.#clock.now())
      if (heldBack !== null) this.#log.error({ err: error, heldBack }, 'baselines could not be saved')
    }
  }

  async #prune(): Promise<void> {
    const nowMs = this.#clock.now()
    if (Math.abs(nowMs - this.#prunedMs) < pruneEveryMs) return
    this.#prunedMs = nowMs
    await this.#store.pruneBaselines({ heardBeforeMs: nowMs - keepMs, networksMax: this.#networksMax })
  }
}
