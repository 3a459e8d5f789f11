// What happened to exporters: kept for people to read, over restarts, and said in the log. Bounded for each kind, so that a flood of new senders pushes
// out no forged rate; what concerns an exporter that has worked gives way to nothing that concerns others.
import type { Clock } from '../../clock.ts'
import { type ExporterNotice, type Happening, type NoticeKind, noticeKinds } from '../../collect/health/notice.ts'
import { FairTable, type Place } from '../../fair-table.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import { byLabel, type Metric } from '../../metrics.ts'
import type { Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'

const saveEveryMs = 60_000
/** Notices of a kind, and those of them about exporters that have worked. */
const perKind = { max: 64, provenMax: 48 }

const texts: Record<NoticeKind, string> = {
  'new-sender': 'an address that was not heard before sends flows',
  restart: 'an exporter seems to have restarted',
  'sampling-jump': 'a sampling rate was told that is more than ten times off',
  refused: 'an exporter that had worked is refused: the list of who may send leaves it out',
}

export const noticeMetrics: readonly Metric<ExporterNotices>[] = [
  {
    name: 'floodgauge_ingest_notices_total',
    help: 'What happened to exporters: new senders (new-sender), restarts (restart), sampling rates more than ten times off (sampling-jump), exporters that had worked and are refused (refused).',
    labels: ['kind'],
    read: ({ counts }) => byLabel('kind', counts),
  },
]

interface Kept {
  notice: ExporterNotice
  place: Place<string>
}

interface ExporterNoticesOptions {
  store: Pick<Store, 'loadExporterNotices' | 'saveExporterNotices'>
  clock: Clock
  log: Logger
}

export class ExporterNotices {
  readonly counts: Record<NoticeKind, number> = { 'new-sender': 0, restart: 0, 'sampling-jump': 0, refused: 0 }
  readonly tasks: readonly PeriodicTask[]
  readonly #options: ExporterNoticesOptions
  readonly #task: PeriodicTask
  readonly #throttle = new LogThrottle()
  /** By kind and address, the one that happened longest ago first. */
  readonly #kept = new Map<string, Kept>()
  readonly #tables: Record<NoticeKind, FairTable<string>>
  #isSaved = true

  constructor(options: ExporterNoticesOptions) {
    const { clock, log } = options
    this.#options = options
    const table = () => new FairTable<string>({ ...perKind, onGiveWay: (key) => void this.#kept.delete(key) })
    this.#tables = { 'new-sender': table(), restart: table(), 'sampling-jump': table(), refused: table() }
    this.#task = new PeriodicTask({
      name: 'exporter-notices',
      periodMs: saveEveryMs,
      run: () => this.#save(),
      failure: 'what happened to exporters could not be written',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** Remembers what the store has. A store that can't be read is no reason not to start. */
  async start(): Promise<void> {
    try {
      const saved = await this.#options.store.loadExporterNotices()
      for (const notice of saved) if (noticeKinds.includes(notice.kind)) this.#keep(notice, true)
    } catch (error) {
      this.#options.log.error({ err: error }, 'what happened to exporters in earlier runs could not be read')
    }
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
    await this.#task.run()
  }

  /** `hasWorked`: whether the exporter has brought flows for minutes. */
  note({ kind, text, details }: Happening, address: string, hasWorked: boolean): void {
    const { clock, log } = this.#options
    const nowMs = clock.now()
    const before = this.#kept.get(keyOf(kind, address))?.notice
    const count = (before?.count ?? 0) + 1
    this.#keep({ kind, address, firstMs: before?.firstMs ?? nowMs, lastMs: nowMs, count, text }, hasWorked)
    this.counts[kind]++
    this.#isSaved = false
    const heldBack = this.#throttle.pass(kind, nowMs)
    if (heldBack !== null) log.warn({ exporter: address, ...details, heldBack }, texts[kind])
  }

  /** The latest first. */
  list(): ExporterNotice[] {
    return [...this.#kept.values()].map(({ notice }) => notice).sort((a, b) => b.lastMs - a.lastMs)
  }

  #keep(notice: ExporterNotice, hasWorked: boolean): void {
    const { kind, address, lastMs: nowMs } = notice
    const key = keyOf(kind, address)
    const table = this.#tables[kind]
    const before = this.#kept.get(key)
    const place = before?.place ?? table.take(key, { holder: address, nowMs })
    if (place === null) return
    table.touch(place, nowMs)
    if (hasWorked) table.prove(place, nowMs)
    this.#kept.set(key, { notice, place })
  }

  async #save(): Promise<void> {
    if (this.#isSaved) return
    this.#isSaved = true
    try {
      await this.#options.store.saveExporterNotices(this.list())
    } catch (error) {
      this.#isSaved = false
      throw error
    }
  }
}

function keyOf(kind: NoticeKind, address: string): string {
  return `${kind} ${address}`
}
