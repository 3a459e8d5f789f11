// Notices what nobody tells: that the service can do its work, or no longer; that exporters are heard of, or not; that their state is another.
// It looks while somebody listens.
import type { Clock } from '../clock.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { Exporters } from './exporters.ts'
import type { Health } from './health.ts'
import type { LiveFeed } from './live-feed.ts'
import { isSilent } from './overview.ts'

const everyMs = 5_000
const namedMax = 100

export interface LiveWatchOptions {
  feed: LiveFeed
  clock: Clock
  log: Logger
  health: () => Health | Promise<Health>
  exporters: Pick<Exporters, 'list'>
  lastDatagramMs: () => number | null
}

export class LiveWatch {
  readonly #options: LiveWatchOptions
  readonly #throttle = new LogThrottle()
  #timer: NodeJS.Timeout | null = null
  #status: string | null = null
  #states: Map<string, string> | null = null

  constructor(options: LiveWatchOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), everyMs).unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  async look(): Promise<void> {
    const { feed, clock, log } = this.#options
    if (feed.listeners === 0) return
    try {
      await this.#lookAtStatus()
      if (feed.hasAdmins) this.#lookAtExporters()
    } catch (error) {
      const heldBack = this.#throttle.pass('look', clock.now())
      if (heldBack !== null) log.warn({ err: error, heldBack }, 'the state of the service could not be looked at')
    }
  }

  async #lookAtStatus(): Promise<void> {
    const { feed, clock, health, lastDatagramMs } = this.#options
    const { ready } = await health()
    const status = `${ready} ${isSilent(lastDatagramMs(), clock.now())}`
    if (this.#status !== null && status !== this.#status) feed.tellStatus()
    this.#status = status
  }

  #lookAtExporters(): void {
    const { feed, exporters } = this.#options
    const states = new Map(exporters.list().map(({ address, state }) => [address, state]))
    const before = this.#states
    this.#states = states
    if (before === null) return
    const changed = [...states].filter(([address, state]) => before.get(address) !== state).map(([address]) => address)
    const gone = [...before.keys()].filter((address) => !states.has(address))
    const ids = [...changed, ...gone]
    if (ids.length > 0) feed.tellExporters(ids.slice(0, namedMax))
  }
}
