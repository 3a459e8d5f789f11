// Work that repeats: on a period, when it is asked for, or both. One run at a time; a run that fails is counted and logged, and the next one is made
// all the same. The period is the machine's, so that a clock that is set back delays nothing; the clock given dates logs and measures runs.
import type { Clock } from './clock.ts'
import { type Logger, LogThrottle } from './log.ts'
import type { Metric } from './metrics.ts'
import { Ticker } from './ticker.ts'

export interface TaskOptions {
  /** Label of its metrics and its log lines, in kebab case. */
  name: string
  /** Milliseconds between the beginnings of two runs; left out: it runs only when asked. */
  periodMs?: number
  run: () => void | Promise<void>
  /** Log text of a failed run. */
  failure: string
  clock: Clock
  log: Logger
}

export const taskMetrics: readonly Metric<readonly PeriodicTask[]>[] = [
  {
    name: 'floodgauge_task_runs_total',
    help: 'Runs of work that repeats, by task.',
    labels: ['task'],
    read: (tasks) => tasks.map(({ name, counts }) => ({ labels: { task: name }, value: counts.runs })),
  },
  {
    name: 'floodgauge_task_failures_total',
    help: 'Runs that failed, by task: the log has the reason, and the next run is made all the same.',
    labels: ['task'],
    read: (tasks) => tasks.map(({ name, counts }) => ({ labels: { task: name }, value: counts.failures })),
  },
  {
    name: 'floodgauge_task_last_run_duration_seconds',
    help: 'Length of the last run, by task.',
    labels: ['task'],
    read: (tasks) => tasks.map(({ name, lastSeconds }) => ({ labels: { task: name }, value: lastSeconds })),
  },
]

export class PeriodicTask {
  readonly name: string
  readonly counts = { runs: 0, failures: 0 }
  /** Length of the last run, seconds. */
  lastSeconds = 0
  readonly #options: TaskOptions
  readonly #throttle = new LogThrottle()
  #running: Promise<void> | null = null
  readonly #ticker = new Ticker(() => void this.run())

  constructor(options: TaskOptions) {
    this.name = options.name
    this.#options = options
  }

  /** The first run is a period from now. */
  start(): void {
    const { periodMs } = this.#options
    if (periodMs !== undefined && !this.#ticker.isRunning) this.#ticker.start(periodMs).unref()
  }

  /** Runs now, or joins the run that goes on. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** Waits for the run that goes on, if any, then runs: the result has seen all that there was when it was asked for. */
  async runAgain(): Promise<void> {
    await this.#running
    await this.run()
  }

  /** Ends the period and waits for the run that goes on. It can still be asked to run. */
  async stop(): Promise<void> {
    this.#ticker.stop()
    await this.#running
  }

  async #runOnce(): Promise<void> {
    const { clock, log, name, run, failure } = this.#options
    const startedMs = clock.now()
    this.counts.runs++
    try {
      await run()
    } catch (error) {
      this.counts.failures++
      const heldBack = this.#throttle.pass(kindOf(error), clock.now())
      if (heldBack !== null) log.error({ task: name, err: error, heldBack }, failure)
    }
    this.lastSeconds = Math.max(0, clock.now() - startedMs) / 1_000
  }
}

/** The code of an operating error or of a system call, else the class of the error. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}
