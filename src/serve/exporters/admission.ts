// Who may send flows: the configuration's list, and where that is empty the one that people have set, in the store. The interface changes it at once; a
// change by another process (the command line) is seen within a second or two.
import type { AdmissionState } from '../../api/exporters/present.ts'
import type { Clock } from '../../clock.ts'
import { currentMs, leftOutBy, workingSenders } from '../../collect/admission.ts'
import type { StreamReport } from '../../collect/health/report.ts'
import type { Admission } from '../../collect/sockets/allow-list.ts'
import type { Logger } from '../../log.ts'
import type { Metric } from '../../metrics.ts'
import type { SavedAdmission, Store } from '../../store/store.ts'
import { PeriodicTask } from '../../task.ts'

const readEveryMs = 1_000
/** Exporters that have worked and are left out: what they go on sending is counted for each. */
const leftOutMax = 1_024

export const admissionMetrics: readonly Metric<ExporterAdmission>[] = [
  {
    name: 'floodgauge_ingest_allowed_entries',
    help: 'Addresses and prefixes in the list of who may send flows; 0: anybody may.',
    read: (admission) => admission.state().entries.length,
  },
]

interface ExporterAdmissionOptions {
  /** `ingest.exporters`. */
  configured: readonly string[]
  store: Pick<Store, 'exporterAdmission' | 'setExporterAdmission'>
  exporters: { reports(): Iterable<StreamReport> }
  clock: Clock
  log: Logger
}

export class ExporterAdmission {
  readonly tasks: readonly PeriodicTask[]
  readonly #options: ExporterAdmissionOptions
  readonly #task: PeriodicTask
  #saved: SavedAdmission | null = null
  #onChange: (admission: Admission) => void = () => {}

  constructor(options: ExporterAdmissionOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'exporter-admission',
      periodMs: readEveryMs,
      run: () => this.#read(),
      failure: 'who may send flows could not be read; the last known may',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** A list that can't be read is no reason to let anybody send: the service does not start. */
  async start(): Promise<void> {
    this.#saved = await this.#options.store.exporterAdmission()
    this.#task.start()
  }

  async stop(): Promise<void> {
    await this.#task.stop()
  }

  onChange(listener: (admission: Admission) => void): void {
    this.#onChange = listener
  }

  get admission(): Admission {
    const { exporters } = this.#options
    const entries = this.#entries
    return { entries, leftOut: leftOutBy(entries, workingSenders(exporters.reports(), 0)).slice(0, leftOutMax) }
  }

  state(): AdmissionState {
    const { configured, exporters, clock } = this.#options
    const senders = workingSenders(exporters.reports(), clock.now() - currentMs)
    const isConfigured = configured.length > 0
    const entries = this.#entries
    return {
      source: isConfigured ? 'configuration' : entries.length > 0 ? 'here' : 'anybody',
      entries,
      previous: isConfigured ? null : (this.#saved?.previous ?? null),
      changedMs: isConfigured ? null : (this.#saved?.changedMs ?? null),
      changedBy: isConfigured ? null : (this.#saved?.changedBy ?? null),
      senders,
    }
  }

  /** Sets the list for good; it counts at once where the configuration has none. */
  async set(entries: readonly string[], changedBy: string | null): Promise<void> {
    const { store, clock } = this.#options
    await store.setExporterAdmission({ entries: [...entries], changedMs: clock.now(), changedBy })
    await this.#read()
  }

  get #entries(): readonly string[] {
    const { configured } = this.#options
    return configured.length > 0 ? configured : (this.#saved?.entries ?? [])
  }

  async #read(): Promise<void> {
    const { store, log, configured } = this.#options
    const saved = await store.exporterAdmission()
    const isSame = JSON.stringify(saved?.entries ?? []) === JSON.stringify(this.#saved?.entries ?? [])
    this.#saved = saved
    if (isSame || configured.length > 0) return
    const { admission } = this
    log.info(
      { entries: admission.entries.length, leftOut: admission.leftOut, changedBy: saved?.changedBy ?? null },
      admission.entries.length === 0 ? 'anybody may send flows' : 'who may send flows has changed',
    )
    this.#onChange(admission)
  }
}
