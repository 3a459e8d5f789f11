// Traffic through the folder and the detector, second by second, without exporters and sockets.
import { Value } from 'typebox/value'
import { Folder } from '../../src/aggregate/folder.ts'
import { ManualClock } from '../../src/clock.ts'
import { Detector } from '../../src/detect/detector.ts'
import type { IncidentDetails, IncidentReport } from '../../src/detect/incident-report.ts'
import { type DetectSettings, detectSettings } from '../../src/detect/settings.ts'
import { SettingsTable } from '../../src/detect/target-settings.ts'
import { createBatch } from '../../src/flow/batch.ts'
import { type MinutePoint, MinuteSeries, pointsOf } from '../../src/history/minute-series.ts'
import { compileWatchList } from '../../src/targets/watch-list.ts'
import { address, batchOf, type FlowRow } from './flow-rows.ts'

export const victim = address('192.0.2.10')
export const startMs = 1_800_000_000_000

export function defaultSettings(): DetectSettings {
  return Value.Parse(detectSettings, Value.Default(detectSettings, {}))
}

/** So many records a second, each of one packet and from another source unless `row` says otherwise. */
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
  readonly folder: Folder
  readonly detector: Detector
  readonly #history = new MinuteSeries()
  readonly reports: IncidentReport[] = []
  /** The reports, with when they came. */
  readonly seen: { report: IncidentReport; atMs: number }[] = []
  #batch = createBatch(1)
  #sent = 0

  constructor(given: Partial<DetectSettings> = {}) {
    const settings = { ...defaultSettings(), ...given }
    this.folder = new Folder({ clock: this.clock, exporterAt: (stream) => `198.51.100.${stream}` })
    this.folder.setExclusions(new SettingsTable(settings).exclusions())
    this.folder.setWatchList(compileWatchList(new Uint32Array([address('192.0.0.0'), address('192.0.255.255')])))
    this.detector = new Detector({ settings, history: this.#history })
  }

  get nowMs(): number {
    return this.clock.now()
  }

  /** `count` seconds with the same traffic. */
  run(count: number, ...traffic: Traffic[]): this {
    for (let i = 0; i < count; i++) {
      for (const each of traffic) this.fold(each)
      this.clock.advance(1_000)
      this.detector.accept(this.folder.seal(this.nowMs))
      for (const report of this.detector.pass(this.nowMs)) {
        this.reports.push(report)
        this.seen.push({ report, atMs: this.nowMs })
      }
    }
    return this
  }

  fold({ recordsPerSecond, sources = Number.POSITIVE_INFINITY, ports, sourcePorts, row }: Traffic): void {
    // A row for all of them: only sources and ports differ.
    const same = { dstAddr: victim, startMs: this.nowMs, endMs: this.nowMs, ...row }
    if (this.#batch.capacity < recordsPerSecond) this.#batch = createBatch(recordsPerSecond)
    const batch = batchOf(new Array<typeof same>(recordsPerSecond).fill(same), this.#batch)
    const { srcAddr, srcPort, dstPort } = batch.columns
    for (let i = 0; i < recordsPerSecond; i++) {
      const number = this.#sent + i
      if (row.srcAddr === undefined) srcAddr[i] = 0x0b00_0000 + (Math.imul(number % sources, 2_654_435) % 0x0100_0000)
      if (sourcePorts !== undefined) srcPort[i] = ((number % sourcePorts) * 40_503) % 65_536
      if (ports !== undefined) dstPort[i] = 1_024 + (number % ports)
    }
    this.#sent += recordsPerSecond
    this.folder.fold(batch)
  }

  /** Traffic by the minute since this was last asked. */
  minutes(): MinutePoint[] {
    const columns = this.#history.take()
    return columns === null ? [] : pointsOf(columns)
  }

  /** What was told beside how things go on. */
  life(): IncidentReport['phase'][] {
    return this.reports.flatMap(({ phase }) => (phase === 'updated' ? [] : phase))
  }

  phases(phase: IncidentReport['phase']): IncidentReport[] {
    return this.reports.filter((report) => report.phase === phase)
  }

  /** Of the first report of this phase. */
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
