// Writes traces to the store: what the judge had of half minutes near a line.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { SavedTrace } from '../../detect/trace/trace-code.ts'
import type { Logger } from '../../log.ts'
import type { Metric } from '../../metrics.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'

const tracesPerWrite = 200
/** Half an hour of the most that the detector makes of usual size: at most 50 MB. What comes beyond is lost, and counted. */
const pendingMax = 12_000

export const traceMetrics: readonly Metric<TraceWriter>[] = [
  {
    name: 'floodgauge_traces_written_total',
    help: 'Half minutes of an address or network near a line, written.',
    read: ({ counts }) => counts.written,
  },
  {
    name: 'floodgauge_traces_refused_total',
    help: 'Half minutes near a line that were turned away since too many waited for the store.',
    read: ({ counts }) => counts.refused,
  },
]

export class TraceWriter {
  readonly #store: Pick<Store, 'appendTraces'>
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  #pending: SavedTrace[] = []
  readonly counts = { written: 0, refused: 0 }

  constructor({ store, clock, log }: { store: Pick<Store, 'appendTraces'>; clock: Clock; log: Logger }) {
    this.#store = store
    this.#task = new PeriodicTask({
      name: 'traces',
      run: () => this.#drain(),
      failure: 'traces of traffic near a line could not be written',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  take(traces: readonly SavedTrace[]): void {
    const room = Math.max(0, pendingMax - this.#pending.length)
    this.#pending.push(...traces.slice(0, room))
    this.counts.refused += Math.max(0, traces.length - room)
    void this.#task.run()
  }

  /** Writes what is pending. */
  async stop(): Promise<void> {
    await this.#task.runAgain()
  }

  /** When the store fails, what is pending waits for the next. */
  async #drain(): Promise<void> {
    while (this.#pending.length > 0) {
      const traces = this.#pending.slice(0, tracesPerWrite)
      await this.#store.appendTraces(traces)
      this.#pending = this.#pending.slice(traces.length)
      this.counts.written += traces.length
      await setImmediate()
    }
  }
}
