// Writes the minute series in small transactions, so that a minute of very many targets never blocks the main thread for long.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { type MinuteColumns, pointsOf } from '../history/minute-series.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { Store } from '../store/store.ts'
import { OneAtATime } from './one-at-a-time.ts'

/** No more than the store writes in one transaction: a write that failed has added nothing, and can be repeated. */
const pointsPerWrite = 1_000
/** A few minutes of the most targets that the detector holds; what comes beyond is lost, and counted. */
const pendingMax = 500_000

export class SeriesWriter {
  readonly #store: Pick<Store, 'appendSeries'>
  readonly #clock: Clock
  readonly #log: Logger
  readonly #throttle = new LogThrottle()
  readonly #pending: MinuteColumns[] = []
  /** Of the first of them, the rows that are written. */
  #written = 0
  readonly #writing = new OneAtATime(() => this.#drain())
  readonly counts = { points: 0, refused: 0 }

  constructor(options: { store: Pick<Store, 'appendSeries'>; clock: Clock; log: Logger }) {
    this.#store = options.store
    this.#clock = options.clock
    this.#log = options.log
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
    return this.#writing.run()
  }

  async #drain(): Promise<void> {
    for (let next = this.#pending.at(0); next !== undefined; next = this.#pending.at(0)) {
      const points = pointsOf(next, this.#written, this.#written + pointsPerWrite)
      try {
        await this.#store.appendSeries(points)
      } catch (error) {
        const heldBack = this.#throttle.pass('series', this.#clock.now())
        if (heldBack !== null) this.#log.error({ err: error, heldBack }, 'the traffic series could not be written')
        return
      }
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
