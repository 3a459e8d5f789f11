// Keeps the baselines that the detector learns in the store, and gives them to it at the next start: a restart loses nothing that was learnt.

import type { Clock } from '../clock.ts'
import { normal } from '../detect/lines/normal.ts'
import type { Logger } from '../log.ts'
import { byLabel, type Metric } from '../metrics.ts'
import type { SavedBaselines, Store } from '../store/store.ts'
import { PeriodicTask } from '../task.ts'
import { Throttle } from '../throttle.ts'

const hourMs = 3_600_000
const keepMs = normal.keepSeconds * 1000

type Kept = Pick<Store, 'saveBaselines' | 'loadBaselines' | 'pruneBaselines'>

interface BaselineKeeperOptions {
  store: Kept
  clock: Clock
  log: Logger
  /** Networks in the store, and networks that may wait for it; those beyond are counted, and saved at their next turn. */
  networksMax: number
}

export const baselineMetrics: readonly Metric<BaselineKeeper>[] = [
  {
    name: 'floodgauge_baselines_saved_total',
    help: 'Baselines of a /24 and its addresses, written to the store for the next start.',
    read: ({ counts }) => counts.saved,
  },
  {
    name: 'floodgauge_baselines_refused_total',
    help: 'Saved baselines of a /24 that could not be used: damaged (damaged), or too much at once to be saved (overflow).',
    labels: ['reason'],
    read: ({ counts }) => byLabel('reason', { damaged: counts.damaged, overflow: counts.overflowed }),
  },
]

export class BaselineKeeper {
  readonly #store: Kept
  readonly #clock: Clock
  readonly #log: Logger
  readonly #networksMax: number
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  /** By network: the latest is enough. */
  readonly #pending = new Map<number, SavedBaselines>()
  #started = false
  readonly #pruning = new Throttle(hourMs)
  readonly counts = { saved: 0, damaged: 0, overflowed: 0 }

  constructor({ store, clock, log, networksMax }: BaselineKeeperOptions) {
    this.#store = store
    this.#clock = clock
    this.#log = log
    this.#networksMax = networksMax
    this.#task = new PeriodicTask({
      name: 'baselines',
      run: () => this.#drain(),
      failure: 'baselines could not be saved',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** The networks with the latest traffic first. When the store can't be read the service starts all the same, and learns. */
  async load(): Promise<SavedBaselines[]> {
    try {
      const { baselines, unreadable } = await this.#store.loadBaselines({ heardSinceMs: this.#clock.now() - keepMs })
      this.counts.damaged = unreadable
      if (unreadable > 0) this.#log.warn({ networks: unreadable }, 'saved baselines are damaged, and left out')
      return baselines
    } catch (error) {
      this.#log.error({ err: error }, 'saved baselines could not be read; baselines are learnt again')
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
    void this.#task.run()
  }

  /** Writes what is pending. */
  async stop(): Promise<void> {
    await this.#task.runAgain()
  }

  async #drain(): Promise<void> {
    while (this.#pending.size > 0) {
      const baselines = [...this.#pending.values()]
      await this.#store.saveBaselines(baselines)
      for (const each of baselines) if (this.#pending.get(each.network) === each) this.#pending.delete(each.network)
      this.counts.saved += baselines.length
    }
    await this.#prune()
  }

  async #prune(): Promise<void> {
    const nowMs = this.#clock.now()
    if (!this.#pruning.pass(nowMs)) return
    await this.#store.pruneBaselines({ heardBeforeMs: nowMs - keepMs, networksMax: this.#networksMax })
  }
}
