// Whether the service would see an attack, by checks that the components answer. They are asked every few seconds, so that it is known since when one
// fails, and whenever somebody asks.
import type { Check, CheckState, Health } from '../../api/http/health.ts'
import type { Clock } from '../../clock.ts'
import type { CheckName } from '../../contract/checks.ts'
import type { Logger } from '../../log.ts'
import type { Metric } from '../../metrics.ts'
import { PeriodicTask } from '../../task.ts'

const lookEveryMs = 10_000
/** How old the answer to anybody may be: whoever asks in a circle is told the same for as long, and costs nothing. */
const recentMs = 1_000

/** Null: it does not apply. */
export type Ask = () => Check | null | Promise<Check | null>

interface ReadinessOptions {
  checks: Readonly<Record<CheckName, Ask>>
  clock: Clock
  log: Logger
}

export const readinessMetrics: readonly Metric<Readiness>[] = [
  {
    name: 'floodgauge_ready',
    help: '1 when the service would see an attack, as /readyz says; asked every 10 seconds.',
    read: ({ last }) => Number(last?.ready ?? false),
  },
  {
    name: 'floodgauge_check_ok',
    help: 'What it rests on, by check: 1 when it is well.',
    labels: ['check'],
    read: ({ last }) =>
      Object.entries(last?.checks ?? {}).map(([check, { ok }]) => ({ labels: { check }, value: Number(ok) })),
  },
]

export class Readiness {
  readonly tasks: readonly PeriodicTask[]
  /** As of the last look; null: there was none. */
  last: Health | null = null
  readonly #options: ReadinessOptions
  readonly #task: PeriodicTask
  /** The last look that somebody asked for. */
  #recent: { atMs: number; health: Promise<Health> } | null = null
  /** What the log has said to fail. */
  readonly #failing = new Set<string>()

  constructor(options: ReadinessOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'readiness',
      periodMs: lookEveryMs,
      run: async () => this.#tell(await this.look()),
      failure: 'the readiness could not be looked at',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  /** As of a second ago at the earliest, found out once for all who ask meanwhile. */
  recent(): Promise<Health> {
    const nowMs = this.#options.clock.now()
    const recent = this.#recent
    if (recent !== null && nowMs >= recent.atMs && nowMs - recent.atMs < recentMs) return recent.health
    const health = this.look()
    this.#recent = { atMs: nowMs, health }
    // A failure is told to those who wait, and not kept.
    health.catch(() => {
      this.#recent = null
    })
    return health
  }

  async look(): Promise<Health> {
    const checks: Record<string, CheckState> = {}
    for (const [name, ask] of Object.entries(this.#options.checks)) {
      const check = await ask()
      if (check !== null) checks[name] = this.#stateOf(name, check)
    }
    const ready = Object.values(checks).every(({ ok }) => ok)
    this.last = { ready, checks }
    return this.last
  }

  #stateOf(name: string, check: Check): CheckState {
    const before = this.last?.checks[name]
    const isSame = before !== undefined && before.ok === check.ok && before.isWarning === (check.isWarning ?? false)
    const isWell = check.ok && check.isWarning !== true
    const sinceMs = isWell ? null : isSame ? before.sinceMs : this.#options.clock.now()
    return { ok: check.ok, isWarning: check.isWarning ?? false, detail: check.detail, sinceMs }
  }

  /** Only the looks on the period are logged: what is not yet well in the first second is no news. */
  #tell({ checks }: Health): void {
    const { log } = this.#options
    for (const [check, { ok, detail }] of Object.entries(checks)) {
      if (ok === !this.#failing.has(check)) continue
      if (ok) {
        this.#failing.delete(check)
        log.info({ check, detail }, 'a check of readiness is well again')
      } else {
        this.#failing.add(check)
        log.warn({ check, detail }, 'a check of readiness fails: an attack may not be seen')
      }
    }
  }
}
