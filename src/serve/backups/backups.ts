// Scheduled backups: one when the last is old enough, whoever made it and whichever process, and the oldest removed. What is due is asked of the folder.
import type { Check } from '../../api/http/health.ts'
import type { Clock } from '../../clock.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import { byLabel, type Metric } from '../../metrics.ts'
import type { StoreSettings } from '../../store/settings.ts'
import type { BackupFile, MadeBackup } from '../../store/sqlite/backup/backup-folder.ts'
import { PeriodicTask } from '../../task.ts'

const lookEveryMs = 60_000
const hourMs = 3_600_000
/** Looks that are left out after a failure: a disk that is full is not filled again each minute; and after a success: a clock that is set back and forth makes no
 * more than one an hour. */
const rest = { afterFailure: 14, afterSuccess: 59 }

interface BackupsOptions {
  settings: StoreSettings['backup']
  /** Those in the folder, the oldest first. */
  find: () => Promise<BackupFile[]>
  /** Makes one now, and removes the oldest; rejects with the reason when it could not. */
  make: (nowMs: number, signal: AbortSignal) => Promise<MadeBackup>
  clock: Clock
  log: Logger
}

export const backupMetrics: readonly Metric<Backups>[] = [
  {
    name: 'floodgauge_backups_total',
    help: 'Scheduled backups since the start, by result: made (and verified), failed.',
    labels: ['result'],
    read: ({ counts }) => byLabel('result', counts),
  },
  {
    name: 'floodgauge_backup_last_success_timestamp_seconds',
    help: 'When the newest scheduled backup in the folder was made, in Unix time; 0: there is none.',
    read: ({ latest }) => (latest === null ? 0 : latest.madeMs / 1_000),
  },
  {
    name: 'floodgauge_backup_size_bytes',
    help: 'Size of the last one that was made since the start.',
    read: ({ last }) => last?.bytes ?? 0,
  },
  {
    name: 'floodgauge_backup_duration_seconds',
    help: 'How long it took to make and verify it.',
    read: ({ lastSeconds }) => lastSeconds,
  },
]

export class Backups {
  readonly tasks: readonly PeriodicTask[]
  readonly counts = { made: 0, failed: 0 }
  /** The newest in the folder. */
  latest: BackupFile | null = null
  /** The last one that this process made, and how long it took. */
  last: MadeBackup | null = null
  lastSeconds = 0
  readonly #options: BackupsOptions
  readonly #task: PeriodicTask
  readonly #throttle = new LogThrottle(hourMs)
  readonly #stopped = new AbortController()
  #hasFailed = false
  /** The look at the folder that goes on, and since when. */
  #look: Promise<void> | null = null
  #lookSinceMs = 0
  /** Looks that are left out. */
  #rest = 0

  constructor(options: BackupsOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'backups',
      periodMs: lookEveryMs,
      run: () => this.#run(),
      failure: 'the backups could not be looked after',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** The first is due a minute after the start at the earliest. Nobody waits for the folder: it may not answer. */
  start(): void {
    if (this.#isOff) return
    void this.#lookAtFolder().catch((error: unknown) => this.#failed(error))
    this.#task.start()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#task.stop()
  }

  /** Never a reason not to be ready: an attack is seen without one. It names no path, since anyone may ask. */
  check(): Check {
    const { latest } = this
    if (this.#isOff) return { ok: true, detail: 'none are scheduled (store.backup.folder)' }
    const nowMs = this.#options.clock.now()
    if (this.#look !== null && Math.abs(nowMs - this.#lookSinceMs) >= lookEveryMs)
      return { ok: true, isWarning: true, detail: 'the folder does not answer' }
    const hours = latest === null ? 0 : Math.max(0, Math.floor((nowMs - latest.madeMs) / hourMs))
    const made = latest === null ? 'there is none yet' : `the last was made ${hours} h ago`
    if (this.#hasFailed) return { ok: true, isWarning: true, detail: `the last attempt failed, see the log; ${made}` }
    if (latest !== null && hours >= 2 * this.#options.settings.everyHours)
      return { ok: true, isWarning: true, detail: `overdue; ${made}` }
    return { ok: true, detail: made }
  }

  get #isOff(): boolean {
    return this.#options.settings.folder === ''
  }

  /** Joins the look that goes on. Rejects when the service is stopped meanwhile: what does not answer holds up no stop. */
  #lookAtFolder(): Promise<void> {
    if (this.#look === null) {
      const { find, clock } = this.#options
      this.#lookSinceMs = clock.now()
      const { promise: stopped, reject } = Promise.withResolvers<never>()
      const { signal } = this.#stopped
      const stop = () => reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      this.#look = Promise.race([find(), stopped])
        .then((files) => {
          this.latest = files.at(-1) ?? null
        })
        .finally(() => {
          signal.removeEventListener('abort', stop)
          this.#look = null
        })
    }
    return this.#look
  }

  async #run(): Promise<void> {
    if (this.#rest > 0) {
      this.#rest--
      return
    }
    const { clock, log, make } = this.#options
    let startedMs: number
    try {
      await this.#lookAtFolder()
      if (!this.#isDue()) {
        this.#hasFailed = false
        return
      }
      startedMs = performance.now()
      this.last = await make(clock.now(), this.#stopped.signal)
    } catch (error) {
      this.#failed(error)
      return
    }
    this.latest = this.last.file
    this.lastSeconds = (performance.now() - startedMs) / 1_000
    this.counts.made++
    this.#hasFailed = false
    this.#rest = rest.afterSuccess
    const { file, bytes, sites, events, kept } = this.last
    log.info(
      { file: file.name, bytes, sites, events, kept, seconds: this.lastSeconds },
      'a backup was made and verified',
    )
  }

  /** One of the future was made by a clock that was ahead. */
  #isDue(): boolean {
    if (this.latest === null) return true
    const ageMs = this.#options.clock.now() - this.latest.madeMs
    return ageMs < 0 || ageMs >= this.#options.settings.everyHours * hourMs
  }

  #failed(error: unknown): void {
    if (this.#stopped.signal.aborted) return
    const { clock, log } = this.#options
    this.counts.failed++
    this.#hasFailed = true
    this.#rest = rest.afterFailure
    const heldBack = this.#throttle.pass('failed', clock.now())
    if (heldBack !== null) log.error({ err: error, heldBack }, 'a backup could not be made: those before are kept')
  }
}
