// What hooks have begun and must end: a file for each channel and event, so that an address that was blocked is released, whatever the attack hits by then and
// however often the service was started meanwhile.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** `begun`: its beginning was tried, and may have worked; `done`: it has. */
type Progress = 'begun' | 'done'

export class HookBook {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Null: nothing was begun. */
  async read(key: string): Promise<Map<string, Progress> | null> {
    try {
      return new Map(Object.entries(JSON.parse(await readFile(this.#file(key), 'utf8'))))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }

  /** Empty: there is nothing left to be ended. */
  async write(key: string, progress: ReadonlyMap<string, Progress>): Promise<void> {
    if (progress.size === 0) return rm(this.#file(key), { force: true })
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const part = `${this.#file(key)}.part`
    await writeFile(part, JSON.stringify(Object.fromEntries(progress)), { mode: 0o600, flush: true })
    await rename(part, this.#file(key))
  }

  /** Keys are made of ids of our own. */
  #file(key: string): string {
    return join(this.#directory, `${key.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.json`)
  }
}
