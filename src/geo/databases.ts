// The databases of the settings: read at the start, read again when they are replaced, asked in their order. What cannot be read is counted, and what
// was there before stays.
import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import { type Logger, LogThrottle } from '../log.ts'
import { PeriodicTask } from '../task.ts'
import { Database } from './database.ts'
import { nowhere, type Place } from './place.ts'

export interface GeoOptions {
  files: readonly string[]
  clock: Clock
  log: Logger
}

interface Source {
  file: string
  database: Database | null
  /** Time, size and inode of the file when it was last tried. */
  stamp: string
}

const lookEveryMs = 30_000
/** Bound for a file: the largest databases have a quarter of it. */
const bytesMax = 1 << 29

/** Reads a database; throws when the file can't be read or is no such database. */
export async function readDatabase(file: string): Promise<Database> {
  if ((await stat(file)).size > bytesMax) throw new Error(`it has more than ${bytesMax} octets`)
  return new Database(await readFile(file))
}

export class GeoDatabases {
  readonly counts = { loads: 0, failures: 0, lookups: 0, lookupFailures: 0 }
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  readonly #options: GeoOptions
  readonly #sources: readonly Source[]
  readonly #throttle = new LogThrottle()

  constructor(options: GeoOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'geo',
      periodMs: lookEveryMs,
      run: () => this.#lookAtAll(),
      failure: 'databases of countries and networks could not be looked at',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
    this.#sources = options.files.map((file) => ({ file, database: null, stamp: '' }))
  }

  /** A file that cannot be read is no reason not to start. */
  async start(): Promise<void> {
    if (this.#sources.length === 0) return
    await this.look()
    this.#task.start()
  }

  stop(): Promise<void> {
    return this.#task.stop()
  }

  /** Reads what is new. */
  look(): Promise<void> {
    return this.#task.run()
  }

  /** There is one that can be asked. */
  get isKnown(): boolean {
    return this.#sources.some(({ database }) => database !== null)
  }

  /** Each that was read, with when it was built, Unix milliseconds. */
  list(): { file: string; type: string; builtMs: number }[] {
    return this.#sources.flatMap(({ file, database }) =>
      database === null ? [] : [{ file, type: database.type, builtMs: database.builtMs }],
    )
  }

  placeOf(address: number): Place {
    let { country, as } = nowhere
    for (const { file, database } of this.#sources) {
      if (database === null || (country !== null && as !== null)) continue
      this.counts.lookups++
      try {
        const place = database.placeOf(address)
        country ??= place.country
        as ??= place.as
      } catch (error) {
        this.counts.lookupFailures++
        this.#warn('lookup', { file, err: error }, 'a database of countries and networks is damaged')
      }
    }
    return { country, as }
  }

  async #lookAtAll(): Promise<void> {
    for (const source of this.#sources) await this.#lookAt(source)
  }

  async #lookAt(source: Source): Promise<void> {
    const { file } = source
    const { log } = this.#options
    try {
      const { mtimeMs, size, ino } = await stat(file)
      const stamp = `${mtimeMs} ${size} ${ino}`
      if (stamp === source.stamp) return
      source.stamp = stamp
      source.database = await readDatabase(file)
      this.counts.loads++
      const { type, builtMs } = source.database
      log.info({ file, type, built: new Date(builtMs).toISOString() }, 'a database of countries and networks was read')
    } catch (error) {
      this.counts.failures++
      const text = source.database === null ? 'it is left out' : 'the one that was read before stays in use'
      this.#warn(file, { file, err: error }, `a database of countries and networks cannot be read: ${text}`)
    }
  }

  #warn(kind: string, facts: object, text: string): void {
    const heldBack = this.#throttle.pass(kind, this.#options.clock.now())
    if (heldBack !== null) this.#options.log.error({ ...facts, heldBack }, text)
  }
}
