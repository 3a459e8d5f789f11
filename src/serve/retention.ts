// The retention deletes what is older than its days from the store, once an hour. It mistrusts a clock that is far ahead of its last run: however far it
// leaps, a run deletes a day more at most, so that a wrong clock costs little before somebody sees what the log says.
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Metric } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import { PeriodicTask } from '../task.ts'

export interface RetentionDays {
  events: number
  series: number
  bindings: number
  audit: number
}

interface RetentionOptions {
  store: Pick<Store, 'prune' | 'pruneChanges' | 'pruneAlerts' | 'cutAudit' | 'followedMs' | 'noteFollowed'>
  clock: Clock
  log: Logger
  days: RetentionDays & { alerts: number }
}

const everyMs = 3_600_000
const dayMs = 86_400_000
/** How long the log of changes of events goes back, for those who tell of them: a week, and no more than a minute or two of an attack on thousands. */
const changeDays = 7
const changesMax = 100_000
/** What was found to be told, at most. */
const noticesMax = 1_000_000

export const retentionMetrics: readonly Metric<Retention>[] = [
  {
    name: 'floodgauge_retention_rows_deleted_total',
    help: 'Rows deleted because they were older than the retention.',
    read: ({ rowsDeleted }) => rowsDeleted,
  },
]

export class Retention {
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  readonly #stopped = new AbortController()
  #runs = 0
  /** Rows deleted since the start. */
  rowsDeleted = 0

  constructor({ store, clock, log, days }: RetentionOptions) {
    this.#task = new PeriodicTask({
      name: 'retention',
      periodMs: everyMs,
      run: async () => {
        const nowMs = clock.now()
        const followedMs = await store.followedMs()
        const byMs = followedMs === 0 ? nowMs : Math.min(nowMs, followedMs + dayMs)
        const daysAhead = Math.floor((nowMs - byMs) / dayMs)
        if (daysAhead > 0) {
          log.warn({ daysAhead }, 'the clock is far ahead of the last run: what is old is deleted by a day in an hour')
          // Starts that follow each other are no hours.
          if (++this.#runs === 1) return
        }
        const before = (keptDays: number) => byMs - keptDays * dayMs
        this.rowsDeleted += await store.prune(
          { eventsMs: before(days.events), seriesMs: before(days.series), bindingsMs: before(days.bindings) },
          this.#stopped.signal,
        )
        this.rowsDeleted += await store.pruneChanges({ beforeMs: before(changeDays), max: changesMax })
        this.rowsDeleted += await store.pruneAlerts({ beforeMs: before(days.alerts), max: noticesMax })
        // By whole days: each cut leaves an entry of its own.
        const auditMs = Math.floor(before(days.audit) / dayMs) * dayMs
        this.rowsDeleted += await store.cutAudit(auditMs, this.#stopped.signal)
        await store.noteFollowed(byMs)
      },
      failure: 'rows older than the retention could not be deleted; it is tried again in an hour',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  start(): void {
    this.#task.start()
    void this.#task.run()
  }

  /** A run that goes on ends after its next chunk: the rest is deleted after the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#task.stop()
  }
}
