// Writes the minute series in small transactions, so that a minute of very many targets never blocks the main thread for long.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { type MinuteColumns, pointsOf } from '../history/minute-series.ts'
import type { Logger } from '../log.ts'
import type { Metric } from '../metrics.ts'
import type { Store } from '../store/store.ts'
import { PeriodicTask } from '../task.ts'

/** No more than the store writes in one transaction: a write that failed has added nothing, and can be repeated. */
const pointsPerWrite = 1_000
/** A few minutes of the most targets that the detector holds; what comes beyond is lost, and counted. */
const pendingMax = 500_000

export const seriesMetrics: readonly Metric<SeriesWriter>[] = [
  {
    name: 'floodgauge_series_points_total',
    help: 'Minutes of traffic of a target, written.',
    read: ({ counts }) => counts.points,
  },
  {
    name: 'floodgauge_series_refused_total',
    help: 'Minutes of traffic of a target turned away since too many waited for the store.',
    read: ({ counts }) => counts.refused,
  },
]

export class SeriesWriter {
  readonly #store: Pick<Store, 'appendSeries'>
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  readonly #pending: MinuteColumns[] = []
  /** Rows of the first pending columns that are written. */
  #written = 0
  readonly counts = { points: 0, refused: 0 }

  constructor(options: { store: Pick<Store, 'appendSeries'>; clock: Clock; log: Logger }) {
    const { store, clock, log } = options
    this.#store = store
    this.#task = new PeriodicTask({
      name: 'series',
      run: () => this.#drain(),
      failure: 'the traffic series could not be written',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  take(points: MinuteColumns): void {
    const waiting = this.#pending.reduce((sum, { rows }) => sum + rows, -this.#written)
    const rows = Math.min(points.rows, pendingMax - waiting)
    this.counts.refused += points.rows - rows
    if (rows > 0) this.#pending.push({ ...points, rows })
    void this.write()
  }

  /** Writes what is pending. When the store fails the points wait for the next minute's. */
  write(): Promise<void> {
    return this.#task.run()
  }

  stop(): Promise<void> {
    return this.write()
  }

  async #drain(): Promise<void> {
    for (let next = this.#pending.at(0); next !== undefined; next = this.#pending.at(0)) {
      const points = pointsOf(next, this.#written, this.#written + pointsPerWrite)
      await this.#store.appendSeries(points)
      this.counts.points += points.length
      this.#written += points.length
      if (this.#written === next.rows) {
        this.#pending.shift()
        this.#written = 0
      }
      await setImmediate()
    }
  }
}
