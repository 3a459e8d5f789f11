// The pipeline over the exports of made-up devices, second by second, as `floodgauge detect` runs it, with the health of the exporters beside it.
import { ManualClock } from '../../../src/clock.ts'
import { type ExporterHealth, exportersOf } from '../../../src/collect/health/exporter.ts'
import { StreamWatches } from '../../../src/collect/health/stream-watches.ts'
import type { Detector } from '../../../src/detect/detector.ts'
import type { IncidentReport } from '../../../src/detect/incidents/incident-report.ts'
import type { SavedBaselines } from '../../../src/detect/normal/saved-baselines.ts'
import type { Ingest } from '../../../src/pipeline/ingest.ts'
import { SingleThreadPipeline } from '../../../src/pipeline/single-thread.ts'
import { viewOf } from '../decoded.ts'
import { defaultSettings } from '../detection.ts'
import { Exporter, type ExporterOptions, type Flow } from '../exporter.ts'
import { address } from '../flow-rows.ts'

/** Watched, as all of its /24. */
export const victim = '192.0.2.10'

export class ExportLab {
  readonly clock = new ManualClock(1_800_000_000_000)
  readonly reports: IncidentReport[] = []
  /** When the first report came, Unix milliseconds; null: none did. */
  foundMs: number | null = null
  readonly #pipeline: SingleThreadPipeline
  readonly #watches: StreamWatches
  /** What the kernel holds while the service stands still; null: it runs. */
  #held: { payload: Uint8Array; from: string }[] | null = null

  /** `normal`: what another lab had learnt in the hour before. */
  constructor({ normal = [] }: { normal?: readonly SavedBaselines[] } = {}) {
    this.#pipeline = new SingleThreadPipeline({
      clock: this.clock,
      settings: defaultSettings(),
      watched: new Uint32Array([address('192.0.2.0'), address('192.0.2.255')]),
      onBatch: (batch) => this.#watches.sample(batch),
    })
    const spans = { rateMs: 10_000, recentMs: 60_000, recordsMs: 60_000 }
    const { streams } = this.ingest
    this.#watches = new StreamWatches({ ...spans, streams, recordsPerBatch: 40, exportedTimes: false })
    this.detector.restore(
      normal.map((saved) => ({ ...saved, savedMs: this.nowMs, heardMs: this.nowMs })),
      this.nowMs,
    )
  }

  get ingest(): Ingest {
    return this.#pipeline.ingest
  }

  get detector(): Detector {
    return this.#pipeline.detection.detector
  }

  get nowMs(): number {
    return this.clock.now()
  }

  receive(payloads: readonly Uint8Array[], from: string): void {
    for (const payload of payloads) {
      if (this.#held !== null) this.#held.push({ payload, from })
      else this.#pipeline.receive(viewOf(payload), { address: from, port: 40_000 })
    }
  }

  /** The second is over. */
  endSecond(): void {
    this.clock.advance(1_000)
    this.ingest.flush()
    this.#watches.look(this.nowMs)
    const reports = this.#pipeline.step()
    if (reports.length > 0) this.foundMs ??= this.nowMs
    this.reports.push(...reports)
  }

  /** `count` seconds; `send` is called in each, with how many there were. */
  run(count: number, send: (second: number) => void = () => {}): this {
    for (let second = 0; second < count; second++) {
      send(second)
      this.endSecond()
    }
    return this
  }

  /** `seconds` in which the service stands still, and the kernel keeps up to `heldMax` of the first datagrams for it; it then reads them at once. */
  freeze(seconds: number, send: (second: number) => void, { heldMax = Number.POSITIVE_INFINITY } = {}): this {
    return this.#holdBack(seconds, send, { heldMax, isRunning: false })
  }

  /** `seconds` in which what relays datagrams to the service stands still, and sends them all afterwards. */
  stall(seconds: number, send: (second: number) => void): this {
    return this.#holdBack(seconds, send, { heldMax: Number.POSITIVE_INFINITY, isRunning: true })
  }

  #holdBack(seconds: number, send: (second: number) => void, how: { heldMax: number; isRunning: boolean }): this {
    const held: { payload: Uint8Array; from: string }[] = []
    this.#held = held
    for (let second = 0; second < seconds; second++) {
      send(second)
      if (how.isRunning) this.endSecond()
      else this.clock.advance(1_000)
      held.splice(how.heldMax)
    }
    this.#held = null
    for (const { payload, from } of held) this.receive([payload], from)
    return this
  }

  health(): ExporterHealth[] {
    return exportersOf(this.#watches.reports(this.nowMs), this.nowMs)
  }

  phases(phase: IncidentReport['phase']): IncidentReport[] {
    return this.reports.filter((report) => report.phase === phase)
  }

  /** What was told beside how things go on. */
  life(): IncidentReport['phase'][] {
    return this.reports.flatMap(({ phase }) => (phase === 'updated' ? [] : phase))
  }
}

export interface DeviceOptions extends ExporterOptions {
  address?: string
  /** Its clock less ours. */
  clockAheadMs?: number
}

/** An exporter of a lab, with a clock of its own. */
export class Device {
  readonly #lab: ExportLab
  readonly #exporter: Exporter
  readonly #address: string
  clockAheadMs: number

  constructor(lab: ExportLab, { address = '198.51.100.1', clockAheadMs = 0, ...options }: DeviceOptions) {
    this.#lab = lab
    this.#exporter = new Exporter(options)
    this.#address = address
    this.clockAheadMs = clockAheadMs
  }

  /** Reports flows whose times are ours, by its own clock. */
  export(flows: readonly Flow[]): void {
    const { nowMs } = this.#lab
    const byItsClock = flows.map(({ startMs = nowMs, endMs = nowMs, ...flow }) => ({
      ...flow,
      startMs: startMs + this.clockAheadMs,
      endMs: endMs + this.clockAheadMs,
    }))
    this.#lab.receive(this.#exporter.datagrams(byItsClock, nowMs + this.clockAheadMs), this.#address)
  }
}
