// A clock that is ahead of the machine's, for a service that is to live through days in seconds: libfaketime stands between its process and the
// time of day. What the process measures, timers among it, goes on as ever.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** How often the library looks how far the clock is ahead. */
const lookEverySeconds = 1

export class ShiftedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'shifted-clock-'))
  readonly #file = join(this.#folder, 'ahead')
  #aheadMs = 0

  constructor() {
    this.#write()
  }

  /** For the process. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: findLibrary(),
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: String(lookEverySeconds),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }

  readonly now = (): number => Date.now() + this.#aheadMs

  /** Resolves when the process has seen it. */
  async pass(ms: number): Promise<void> {
    this.#aheadMs += ms
    this.#write()
    await delay(lookEverySeconds * 2_000)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #write(): void {
    writeFileSync(this.#file, `+${this.#aheadMs / 1_000}\n`)
  }
}

function findLibrary(): string {
  const file = readdirSync('/usr/lib', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
    .map(({ name }) => join('/usr/lib', name, 'faketime'))
    .flatMap((folder) => listOf(folder).map((name) => join(folder, name)))
    .find((path) => path.endsWith('/libfaketimeMT.so.1'))
  if (file === undefined) throw new Error('libfaketime is not installed')
  return file
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
