// Keeps what exporters send seldom (templates, sampling, start) in the store as the collectors learn it, and gives it to them at the next start, so
// that a restart reads on where it stopped.

import type { Clock } from '../../clock.ts'
import { checkSaved, octetsOf, type SavedStream, type StreamChange } from '../../decode/saved-streams.ts'
import type { Logger } from '../../log.ts'
import { byLabel, type Metric } from '../../metrics.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'
import { Throttle } from '../../throttle.ts'

const hourMs = 3_600_000
/** What streams may take in the store: a thousand exporters with ten templates each take less than half of it. */
const octetsMax = 8 << 20
/** What waits for the store at most; changes beyond are lost, and counted. */
const pendingOctetsMax = 16 << 20
/** What is written at a time, about: some milliseconds. */
const partOctets = 256 << 10

type Kept = Pick<Store, 'saveStreamStates' | 'loadStreamStates' | 'pruneStreamStates'>

interface StreamStatesOptions {
  store: Kept
  clock: Clock
  log: Logger
  /** How long what is known of a silent stream is kept, hours. */
  keepHours: number
}

export const streamStateMetrics: readonly Metric<StreamStates>[] = [
  {
    name: 'floodgauge_ingest_templates_restored',
    help: 'Templates known from before the start.',
    read: ({ counts }) => counts.restored,
  },
  {
    name: 'floodgauge_ingest_templates_saved_total',
    help: 'Templates of exporters written to the store, for the next start.',
    read: ({ counts }) => counts.saved,
  },
  {
    name: 'floodgauge_ingest_saved_state_refused_total',
    help: 'Saved state of exporters that could not be used: damaged (damaged), or too much at once to be saved (overflow).',
    labels: ['reason'],
    read: ({ counts }) => byLabel('reason', { damaged: counts.unusable, overflow: counts.refused }),
  },
]

export class StreamStates {
  readonly #store: Kept
  readonly #clock: Clock
  readonly #log: Logger
  readonly #keepMs: number
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  #pending: StreamChange[] = []
  #pendingOctets = 0
  readonly #pruning = new Throttle(hourMs)
  #octetsSincePrune = 0
  readonly counts = { restored: 0, unusable: 0, saved: 0, refused: 0 }

  constructor({ store, clock, log, keepHours }: StreamStatesOptions) {
    this.#store = store
    this.#clock = clock
    this.#log = log
    this.#keepMs = keepHours * 3_600_000
    this.#task = new PeriodicTask({
      name: 'templates',
      run: () => this.#drain(),
      failure: 'templates could not be saved',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** The saved state of streams with recent data. When the store can't be read the service starts all the same, and waits for templates. */
  async load(): Promise<SavedStream[]> {
    try {
      const { streams: saved, unreadable } = await this.#store.loadStreamStates()
      const { streams, refused } = checkSaved(saved, this.#clock.now() - this.#keepMs)
      this.counts.restored = streams.reduce((sum, { templates }) => sum + templates.length, 0)
      this.counts.unusable = unreadable + refused
      if (this.counts.unusable > 0)
        this.#log.warn({ rows: this.counts.unusable }, 'saved templates are damaged, and left out')
      return streams
    } catch (error) {
      this.#log.error({ err: error }, 'saved templates could not be read; exporters will send them again')
      return []
    }
  }

  take(changes: readonly StreamChange[]): void {
    if (this.#keepMs === 0) return
    for (const change of changes) {
      const octets = octetsOf(change)
      if (this.#pendingOctets + octets > pendingOctetsMax) {
        this.counts.refused++
        continue
      }
      this.#pendingOctets += octets
      this.#pending.push(change)
    }
    void this.#task.run()
  }

  /** Writes what is pending. */
  async stop(): Promise<void> {
    await this.#task.runAgain()
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) {
      let octets = 0
      const behind = this.#pending.findIndex((change) => {
        if (octets >= partOctets) return true
        octets += octetsOf(change)
        return false
      })
      const changes = this.#pending.slice(0, behind === -1 ? undefined : behind)
      await this.#store.saveStreamStates(changes)
      this.#pending = this.#pending.slice(changes.length)
      this.#pendingOctets -= octets
      this.counts.saved += changes.reduce((sum, change) => sum + (change.templates?.length ?? 0), 0)
      this.#octetsSincePrune += octets
    }
    await this.#prune()
  }

  /** Once an hour, and whenever much has come. */
  async #prune(): Promise<void> {
    const nowMs = this.#clock.now()
    if (!this.#pruning.pass(nowMs, this.#octetsSincePrune >= octetsMax / 8)) return
    this.#octetsSincePrune = 0
    await this.#store.pruneStreamStates({ seenBeforeMs: nowMs - this.#keepMs, octetsMax })
  }
}
