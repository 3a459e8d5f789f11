// What exporters tell, through the decoder, the folder and the detector, second by second: as `floodgauge detect` does it, with the health of the
// exporters beside it.
import { Folder } from '../../src/aggregate/folder.ts'
import { ManualClock } from '../../src/clock.ts'
import { type ExporterHealth, exportersOf } from '../../src/collect/health/exporter.ts'
import { StreamWatches } from '../../src/collect/health/stream-watches.ts'
import { Decoder } from '../../src/decode/decoder.ts'
import { Detector } from '../../src/detect/detector.ts'
import type { IncidentReport } from '../../src/detect/incident-report.ts'
import type { SavedBaselines } from '../../src/detect/saved-baselines.ts'
import { compileWatchList } from '../../src/targets/watch-list.ts'
import { viewOf } from './decoded.ts'
import { defaultSettings } from './detection.ts'
import { Exporter, type ExporterOptions, type Flow } from './exporter.ts'
import { address } from './flow-rows.ts'

/** Watched, as all of its /24. */
export const victim = '192.0.2.10'

export class ExportLab {
  readonly clock = new ManualClock(1_800_000_000_000)
  readonly reports: IncidentReport[] = []
  /** When the first report came, Unix milliseconds; null: none did. */
  foundMs: number | null = null
  readonly detector = new Detector({ settings: defaultSettings() })
  readonly folder: Folder
  readonly #decoder: Decoder
  readonly #watches: StreamWatches

  /** `normal`: what another lab had learnt in the hour before. */
  constructor({ normal = [] }: { normal?: readonly SavedBaselines[] } = {}) {
    this.folder = new Folder({ clock: this.clock, exporterAt: (stream) => decoder.streams.list[stream]?.address ?? '' })
    this.folder.setWatchList(compileWatchList(new Uint32Array([address('192.0.2.0'), address('192.0.2.255')])))
    const decoder = new Decoder({
      sink: (batch) => {
        this.#watches.sample(batch)
        this.folder.fold(batch)
      },
    })
    this.#decoder = decoder
    const spans = { rateMs: 10_000, recentMs: 60_000, recordsMs: 60_000 }
    const { streams } = decoder
    this.#watches = new StreamWatches({ ...spans, streams, recordsPerBatch: 40, exportedTimes: false })
    this.detector.restore(
      normal.map((saved) => ({ ...saved, savedMs: this.nowMs, heardMs: this.nowMs })),
      this.nowMs,
    )
  }

  get nowMs(): number {
    return this.clock.now()
  }

  receive(payloads: readonly Uint8Array[], from: string): void {
    for (const payload of payloads) {
      this.#decoder.decode(viewOf(payload), { address: from, port: 40_000, receivedMs: this.nowMs })
    }
  }

  /** The second is over. */
  endSecond(): void {
    this.clock.advance(1_000)
    this.#decoder.flush()
    this.#watches.look(this.nowMs)
    this.detector.accept(this.folder.seal(this.nowMs))
    const reports = this.detector.pass(this.nowMs)
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

  /** Tells of flows whose times are ours, by its own clock. */
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
