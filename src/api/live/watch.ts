// Notices what nobody tells: that the service can do its work, or no longer; that exporters send, or no longer; that their state has changed.
// It looks while somebody listens.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { PeriodicTask } from '../../task.ts'
import type { Exporters } from '../exporters/exporters.ts'
import type { Health } from '../http/health.ts'
import { isSilent } from '../overview/overview.ts'
import type { LiveFeed } from './feed.ts'

const everyMs = 5_000
const namedMax = 100
/** Streams that are looked at before others have their turn: strangers can make up some thousands. */
const streamsAtOnce = 200

export interface LiveWatchOptions {
  feed: LiveFeed
  clock: Clock
  log: Logger
  health: () => Health | Promise<Health>
  exporters: Pick<Exporters, 'each'>
  lastDatagramMs: () => number | null
}

export class LiveWatch {
  readonly #options: LiveWatchOptions
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  #status: string | null = null
  #states: Map<string, string> | null = null

  constructor(options: LiveWatchOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'live-watch',
      periodMs: everyMs,
      run: () => this.#look(),
      failure: 'the state of the service could not be looked at',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  start(): void {
    this.#task.start()
  }

  stop(): Promise<void> {
    return this.#task.stop()
  }

  look(): Promise<void> {
    return this.#task.run()
  }

  async #look(): Promise<void> {
    const { feed } = this.#options
    if (feed.listeners === 0) return
    await this.#lookAtStatus()
    if (feed.hasAdmins) await this.#lookAtExporters()
  }

  async #lookAtStatus(): Promise<void> {
    const { feed, clock, health, lastDatagramMs } = this.#options
    const { ready } = await health()
    const status = `${ready} ${isSilent(lastDatagramMs(), clock.now())}`
    if (this.#status !== null && status !== this.#status) feed.tellStatus()
    this.#status = status
  }

  async #lookAtExporters(): Promise<void> {
    const { feed, exporters } = this.#options
    const states = new Map<string, string>()
    let looked = 0
    for (const { address, state, streams } of exporters.each()) {
      states.set(address, state)
      looked += streams.length
      if (looked < streamsAtOnce) continue
      looked = 0
      await nextTurn()
    }
    const before = this.#states
    this.#states = states
    if (before === null) return
    const changed = [...states].filter(([address, state]) => before.get(address) !== state).map(([address]) => address)
    const gone = [...before.keys()].filter((address) => !states.has(address))
    const ids = [...changed, ...gone]
    if (ids.length > 0) feed.tellExporters(ids.slice(0, namedMax))
  }
}
