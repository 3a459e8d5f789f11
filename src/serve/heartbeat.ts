// A sign of life for a service elsewhere, which tells people when it hears nothing: the only one who can when this machine is away. It is given only while an
// attack would be seen and told; otherwise the other is told why not.
import type { AlertStore, Overdue } from '../alert/alert-store.ts'
import type { Resolve } from '../alert/outgoing/host-names.ts'
import { listOf } from '../alert/outgoing/reach.ts'
import { send } from '../alert/outgoing/request.ts'
import type { AlertSettings } from '../alert/settings.ts'
import type { Health } from '../api/http/health.ts'
import { isSilent } from '../api/overview/overview.ts'
import type { Clock } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Metric } from '../metrics.ts'
import { PeriodicTask } from '../task.ts'

/** What should have been sent for longer is overdue. */
const overdueMs = 300_000

interface HeartbeatOptions {
  settings: AlertSettings['heartbeat']
  store: Pick<AlertStore, 'overdue'>
  health: () => Promise<Health>
  /** Looks up the host that it is told to. */
  resolve: Resolve
  /** When the last datagram came; null: none has. */
  lastDatagramMs: () => number | null
  clock: Clock
  log: Logger
}

export const heartbeatMetrics: readonly Metric<Heartbeat>[] = [
  {
    name: 'floodgauge_alert_heartbeat_timestamp_seconds',
    help: 'When `alerts.heartbeat` was last told that all is well, in Unix time; 0: it was not since the start.',
    read: ({ lastMs }) => (lastMs ?? 0) / 1_000,
  },
  {
    name: 'floodgauge_alert_heartbeats_total',
    help: 'Heartbeats, by result: well (told that all is well), fail (told what is not), lost (it could not be told).',
    labels: ['result'],
    read: ({ counts }) => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]

export class Heartbeat {
  readonly counts = { well: 0, fail: 0, lost: 0 }
  /** When it was last told that all is well, Unix milliseconds. */
  lastMs: number | null = null
  readonly tasks: readonly PeriodicTask[]
  readonly #options: HeartbeatOptions
  readonly #end = new AbortController()
  readonly #task: PeriodicTask

  constructor(options: HeartbeatOptions) {
    this.#options = options
    const { clock, log, settings } = options
    this.#task = new PeriodicTask({
      ...{ name: 'heartbeat', periodMs: settings.everySeconds * 1_000, run: () => this.beat() },
      ...{ failure: 'the heartbeat (alerts.heartbeat) could not be sent', clock, log },
    })
    this.tasks = settings.url === '' ? [] : [this.#task]
  }

  start(): void {
    for (const task of this.tasks) task.start()
  }

  stop(): void {
    this.#end.abort()
  }

  async beat(): Promise<void> {
    const reason = await this.#reason()
    const { url } = this.#options.settings
    const { resolve } = this.#options
    const options = { reach: 'any', allowed: listOf([]), resolve, signal: this.#end.signal } as const
    try {
      const { status } = await send(reason === null ? wellAt(url) : failAt(url, reason), options)
      if (status < 200 || status >= 300) throw new Error(`HTTP ${status}`)
    } catch (error) {
      if (this.#end.signal.aborted) return
      this.counts.lost++
      throw error
    }
    this.counts[reason === null ? 'well' : 'fail']++
    if (reason === null) this.lastMs = this.#options.clock.now()
  }

  /** Why an attack might not be seen or told; null: it would be both. */
  async #reason(): Promise<string | null> {
    const { health, lastDatagramMs, store, clock } = this.#options
    const nowMs = clock.now()
    try {
      const { ready, checks } = await health()
      const failing = Object.entries(checks).filter(([, { ok }]) => !ok)
      if (!ready) return `not ready: ${failing.map(([name, { detail }]) => `${name}: ${detail}`).join('; ')}`
      if (isSilent(lastDatagramMs(), nowMs)) return 'no flows come in'
      return reasonOf(await store.overdue(nowMs - overdueMs))
    } catch (error) {
      return messageOf(error)
    }
  }
}

function reasonOf({ waiting, gone }: Overdue): string | null {
  const reasons = [
    ...(waiting > 0 ? [`messages wait for more than 5 minutes, for ${waiting} channels`] : []),
    ...(gone > 0 ? [`${gone} channels of admins were turned off by their receivers (HTTP 410)`] : []),
  ]
  return reasons.length === 0 ? null : reasons.join('; ')
}

function wellAt(url: string) {
  return { url: new URL(url), method: 'GET', headers: {}, body: '' } as const
}

/** As healthchecks.io has it: the address with `/fail` behind it, and the reason as the body. */
function failAt(url: string, reason: string) {
  const place = new URL(url)
  place.pathname = `${place.pathname.replace(/\/+$/, '')}/fail`
  return { url: place, method: 'POST', headers: { 'content-type': 'text/plain; charset=utf-8' }, body: reason } as const
}
