// Traffic through the folder and the detector, second by second, without exporters and sockets.
import { Value } from 'typebox/value'
import { ManualClock } from '../../src/clock.ts'
import type { Detector } from '../../src/detect/detector.ts'
import type { IncidentDetails, IncidentReport } from '../../src/detect/incidents/incident-report.ts'
import { type DetectSettings, detectSettings } from '../../src/detect/settings.ts'
import { clearBatch, createBatch } from '../../src/flow/batch.ts'
import { type MinutePoint, MinuteSeries, pointsOf } from '../../src/history/minute-series.ts'
import type { Ingest } from '../../src/pipeline/ingest.ts'
import { SingleThreadPipeline } from '../../src/pipeline/single-thread.ts'
import { address, appendRows, type FlowRow } from './flow-rows.ts'

export const victim = address('192.0.2.10')
export const startMs = 1_800_000_000_000

export function defaultSettings(): DetectSettings {
  return Value.Parse(detectSettings, Value.Default(detectSettings, {}))
}

/** Records of every second, each of one packet and from another source unless `row` says otherwise. */
export interface Traffic {
  recordsPerSecond: number
  sources?: number
  /** Destination ports that it goes through; without: that of the row. */
  ports?: number
  /** Source ports, all over the range, that it comes from; without: that of the row. */
  sourcePorts?: number
  row: Partial<FlowRow>
}

export class DetectionLab {
  readonly clock = new ManualClock(startMs)
  readonly #pipeline: SingleThreadPipeline
  readonly reports: IncidentReport[] = []
  /** The reports, with when they came. */
  readonly seen: { report: IncidentReport; atMs: number }[] = []
  #batch = createBatch(1)
  #sent = 0

  /** `watched`: first and last address. */
  constructor(given: Partial<DetectSettings> = {}, watched = [address('192.0.0.0'), address('192.0.255.255')]) {
    const settings = { ...defaultSettings(), ...given }
    this.#pipeline = new SingleThreadPipeline({
      clock: this.clock,
      settings,
      watched: Uint32Array.from(watched),
      folder: { exporterAt: (stream) => `198.51.100.${stream}` },
      series: new MinuteSeries(),
    })
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

  /** `count` seconds with the same traffic. */
  run(count: number, ...traffic: Traffic[]): this {
    for (let i = 0; i < count; i++) {
      this.fold(...traffic)
      this.clock.advance(1_000)
      for (const report of this.#pipeline.step()) {
        this.reports.push(report)
        this.seen.push({ report, atMs: this.nowMs })
      }
    }
    return this
  }

  /** The traffic of this second, in one batch. */
  fold(...traffic: Traffic[]): void {
    if (traffic.length === 0) return
    const records = traffic.reduce((sum, { recordsPerSecond }) => sum + recordsPerSecond, 0)
    if (this.#batch.capacity < records) this.#batch = createBatch(records)
    clearBatch(this.#batch)
    for (const each of traffic) this.#append(each)
    this.ingest.fold(this.#batch)
  }

  #append({ recordsPerSecond, sources = Number.POSITIVE_INFINITY, ports, sourcePorts, row }: Traffic): void {
    const from = this.#batch.rows
    // A row for all of them: only sources and ports differ.
    appendRows(this.#batch, { dstAddr: victim, startMs: this.nowMs, endMs: this.nowMs, ...row }, recordsPerSecond)
    const { srcAddr, srcPort, dstPort } = this.#batch.columns
    for (let i = 0; i < recordsPerSecond; i++) {
      const at = from + i
      const number = this.#sent + i
      if (row.srcAddr === undefined) srcAddr[at] = 0x0b00_0000 + (Math.imul(number % sources, 2_654_435) % 0x0100_0000)
      if (sourcePorts !== undefined) srcPort[at] = ((number % sourcePorts) * 40_503) % 65_536
      if (ports !== undefined) dstPort[at] = 1_024 + (number % ports)
    }
    this.#sent += recordsPerSecond
  }

  /** Traffic by the minute since this was last asked. */
  minutes(): MinutePoint[] {
    const columns = this.#pipeline.detection.takeSeries()
    return columns === null ? [] : pointsOf(columns)
  }

  /** What was told beside how things go on. */
  life(): IncidentReport['phase'][] {
    return this.reports.flatMap(({ phase }) => (phase === 'updated' ? [] : phase))
  }

  phases(phase: IncidentReport['phase']): IncidentReport[] {
    return this.reports.filter((report) => report.phase === phase)
  }

  /** The details of the first report of this phase. */
  details(phase: IncidentReport['phase']): IncidentDetails {
    const details = this.phases(phase)[0]?.details ?? null
    if (details === null) throw new Error(`nothing was ${phase} with details`)
    return details
  }
}

export const tcp = (tcpFlags: number, bytes = 60): Partial<FlowRow> => ({ ipProto: 6, tcpFlags, bytes })
export const udpFrom = (srcPort: number, bytes = 500): Partial<FlowRow> => ({
  ipProto: 17,
  tcpFlags: 0,
  srcPort,
  dstPort: 33_000,
  bytes,
})
