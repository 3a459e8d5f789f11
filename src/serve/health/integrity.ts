// Whether the store is whole: looked into at the start and once a day. SQLite reads over some damage in silence, as if rows were not there.
import type { Check } from '../../api/http/health.ts'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { Metric } from '../../metrics.ts'
import { PeriodicTask } from '../../task.ts'

/** A check that could not be made is made again with the next period. */
const periodMs = 60_000
const everyMs = 86_400_000

interface IntegrityOptions {
  /** Gives what is wrong with the store; null: nothing. */
  findDamage: (signal: AbortSignal) => Promise<string | null>
  clock: Clock
  log: Logger
}

export const integrityMetrics: readonly Metric<Integrity>[] = [
  {
    name: 'floodgauge_store_damaged',
    help: '1 when the last check has found damage in the store, which then has to be restored from a backup.',
    read: ({ damage }) => (damage === null ? 0 : 1),
  },
]

export class Integrity {
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  readonly #clock: Clock
  /** What is wrong, as the store says it; null: nothing that is known. */
  damage: string | null = null
  #checkedMs: number | null = null
  readonly #stopped = new AbortController()

  constructor({ findDamage, clock, log }: IntegrityOptions) {
    this.#clock = clock
    this.#task = new PeriodicTask({
      name: 'integrity',
      periodMs,
      run: async () => {
        if (this.#checkedMs !== null && Math.abs(clock.now() - this.#checkedMs) < everyMs) return
        this.damage = await findDamage(this.#stopped.signal)
        if (this.#stopped.signal.aborted) return
        this.#checkedMs = clock.now()
        if (this.damage !== null) log.error({ damage: this.damage }, 'the store is damaged: restore a backup of it')
      },
      failure: 'the store could not be checked for damage; it is tried again in a minute',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** Does not wait for the first check, which may take long: until it is done the service is not ready. */
  start(): void {
    this.#task.start()
    void this.#task.run()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#task.stop()
  }

  check(): Check {
    if (this.damage !== null) return { ok: false, detail: `damaged: ${this.damage}` }
    if (this.#checkedMs === null) return { ok: false, detail: 'is being checked' }
    const hours = Math.max(0, Math.floor((this.#clock.now() - this.#checkedMs) / 3_600_000))
    return { ok: true, detail: `found whole ${hours} h ago` }
  }
}
