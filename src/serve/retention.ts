// Forgets what is older than the retention, a little at a time.
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'

export interface RetentionDays {
  events: number
  series: number
  bindings: number
}

const everyMs = 3_600_000
const dayMs = 86_400_000

export class Retention {
  readonly #store: Pick<Store, 'prune'>
  readonly #clock: Clock
  readonly #log: Logger
  readonly #days: RetentionDays
  #timer: NodeJS.Timeout | null = null
  #stopped = false
  /** Rows deleted since the start. */
  rowsDeleted = 0

  constructor(options: { store: Pick<Store, 'prune'>; clock: Clock; log: Logger; days: RetentionDays }) {
    this.#store = options.store
    this.#clock = options.clock
    this.#log = options.log
    this.#days = options.days
  }

  start(): void {
    void this.#run()
  }

  /** Does not wait: what is left to forget is forgotten after the next start. */
  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    const before = (days: number) => this.#clock.now() - days * dayMs
    try {
      this.rowsDeleted += await this.#store.prune({
        eventsMs: before(this.#days.events),
        seriesMs: before(this.#days.series),
        bindingsMs: before(this.#days.bindings),
      })
    } catch (error) {
      if (!this.#stopped) this.#log.error({ err: error }, 'pruning failed; it is tried again in an hour')
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#run(), everyMs)
  }
}
