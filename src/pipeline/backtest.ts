// The pipeline over captured exports, in the time of the capture: datagrams set the clock, so two runs over the same files find the same.
import { sealEveryMs } from '../aggregate/seal-schedule.ts'
import { ManualClock } from '../clock.ts'
import { type CapturedDatagram, readCapture } from '../collect/capture/reader.ts'
import type { IngestSettings } from '../collect/settings.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import type { NetworkKey } from '../net/network.ts'
import { SingleThreadPipeline } from './single-thread.ts'

export interface BacktestOptions {
  files: string[]
  /** Sorted, disjoint pairs of first and last address. */
  watched: Uint32Array
  /** See `Detector.setNetworks`. */
  networks: NetworkKey[]
  settings: DetectSettings
  tunnels: IngestSettings['tunnels']
  /** In place of the sampling rate of every exporter. */
  sampling: number | undefined
  onReports: (reports: IncidentReport[], atMs: number) => Promise<void>
  onSecond: (progress: BacktestProgress) => void
}

export interface BacktestProgress {
  /** Time of the capture, Unix milliseconds. */
  nowMs: number
  datagrams: number
  /** Octets of the files, as they lie on disk. */
  bytesRead: number
}

/** Part of a gap in the capture that is run through second by second, milliseconds: after it no attack is left to end. */
const gapMsMax = 3_600_000

export async function backtest(options: BacktestOptions): Promise<void> {
  const run = new Backtest(options)
  let bytesBefore = 0
  for (const file of options.files) {
    const capture = readCapture(file)
    for await (const datagram of capture) await run.receive(datagram, bytesBefore + capture.bytesRead)
    bytesBefore += capture.bytesRead
  }
  await run.end()
}

class Backtest {
  readonly #options: BacktestOptions
  readonly #clock = new ManualClock()
  /** Null before the first datagram: it sets the clock that the pipeline begins at. */
  #pipeline: SingleThreadPipeline | null = null
  /** When the pipeline takes its next step, Unix milliseconds. */
  #nextMs = 0
  #datagrams = 0
  #bytesRead = 0

  constructor(options: BacktestOptions) {
    this.#options = options
  }

  async receive({ timeMs, address, port, payload }: CapturedDatagram, bytesRead: number): Promise<void> {
    this.#bytesRead = bytesRead
    // Datagrams may be out of order, and files may overlap: time never goes back.
    const nowMs = Math.max(timeMs, this.#clock.now())
    const pipeline = this.#pipeline ?? this.#begin(nowMs)
    if (nowMs > this.#nextMs + gapMsMax) {
      await this.#runTo(this.#nextMs + gapMsMax)
      this.#nextMs = wholeSecond(nowMs)
    }
    await this.#runTo(nowMs)
    this.#clock.set(nowMs)
    pipeline.receive(payload, { address, port })
    this.#datagrams++
  }

  /** Runs on until every incident is closed. */
  async end(): Promise<void> {
    if (this.#pipeline === null) return
    do await this.#runTo(this.#nextMs)
    while (this.#pipeline.detection.detector.unclosedIncidents > 0)
  }

  #begin(nowMs: number): SingleThreadPipeline {
    const { watched, networks, settings, tunnels, sampling } = this.#options
    this.#clock.set(nowMs)
    this.#nextMs = wholeSecond(nowMs) + sealEveryMs
    const decoder = { tunnels, ...(sampling === undefined ? {} : { samplingOverrideOf: () => sampling }) }
    this.#pipeline = new SingleThreadPipeline({ clock: this.#clock, settings, watched, networks, decoder })
    return this.#pipeline
  }

  async #runTo(nowMs: number): Promise<void> {
    const { onReports, onSecond } = this.#options
    for (; this.#nextMs <= nowMs; this.#nextMs += sealEveryMs) {
      const atMs = this.#nextMs
      this.#clock.set(atMs)
      const reports = this.#pipeline?.step() ?? []
      if (reports.length > 0) await onReports(reports, atMs)
      if (atMs % 1000 === 0) onSecond({ nowMs: atMs, datagrams: this.#datagrams, bytesRead: this.#bytesRead })
    }
  }
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
