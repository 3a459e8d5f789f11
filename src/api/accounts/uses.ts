// When something (tokens, sessions) was last used: gathered here and written now and then, since a write for each request would be too many.
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import { PeriodicTask } from '../../task.ts'

const writeEveryMs = 30_000
const idsMax = 10_000

export interface UsesOptions {
  /** What is used, for its task: tokens, sessions. */
  name: string
  write: (used: { id: string; atMs: number }[]) => Promise<void>
  clock: Clock
  log: Logger
}

export class Uses {
  readonly #options: UsesOptions
  #lastMs = new Map<string, number>()
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  /** Uses that were not noted, since too many ids are waiting or the store failed. */
  dropped = 0

  constructor(options: UsesOptions) {
    const { name, clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: `${name}-uses`,
      periodMs: writeEveryMs,
      run: () => this.#write(),
      failure: `when ${name} were last used could not be written`,
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  note(id: string): void {
    if (this.#lastMs.size < idsMax || this.#lastMs.has(id)) this.#lastMs.set(id, this.#options.clock.now())
    else this.dropped++
  }

  /** The last use that is not written yet, Unix milliseconds; 0: none is. */
  waitingMs(id: string): number {
    return this.#lastMs.get(id) ?? 0
  }

  start(): void {
    this.#task.start()
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    await this.#task.stop()
    await this.write()
  }

  write(): Promise<void> {
    return this.#task.run()
  }

  async #write(): Promise<void> {
    if (this.#lastMs.size === 0) return
    const used = [...this.#lastMs].map(([id, atMs]) => ({ id, atMs }))
    this.#lastMs = new Map()
    try {
      await this.#options.write(used)
    } catch (error) {
      this.dropped += used.length
      throw error
    }
  }
}
