// The ingest pipeline over captured exports, in the time of the capture: the same parts as the service, driven by a clock that the
// datagrams set, so that two runs give the same.
import { Folder } from '../aggregate/folder.ts'
import { askEveryMs, isSealDue } from '../aggregate/seal-rhythm.ts'
import { ManualClock } from '../clock.ts'
import { readCapture } from '../collect/capture-reader.ts'
import type { IngestSettings } from '../collect/settings.ts'
import { Decoder } from '../decode/decoder.ts'
import { Detector } from '../detect/detector.ts'
import type { IncidentReport } from '../detect/incident-report.ts'
import type { DetectSettings } from '../detect/settings.ts'
import { SettingsTable } from '../detect/target-settings.ts'
import type { Prefix } from '../net/prefix.ts'
import { compileWatchList } from '../targets/watch-list.ts'

export interface BacktestOptions {
  files: string[]
  /** Sorted, disjoint pairs of first and last address. */
  watched: Uint32Array
  /** See `Detector.setNetworks`. */
  networks: Prefix[]
  settings: DetectSettings
  tunnels: IngestSettings['tunnels']
  /** In place of the sampling rate of every exporter. */
  sampling: number | undefined
  onReports: (reports: IncidentReport[], atMs: number) => Promise<void>
  onSecond: (progress: BacktestProgress) => void
}

export interface BacktestProgress {
  /** In the capture. */
  nowMs: number
  datagrams: number
  /** Octets of the files, as they lie on disk. */
  bytesRead: number
}

interface Pipeline {
  decoder: Decoder
  detector: Detector
  /** What the service does whenever a slot comes, here once a second. */
  judge(): Promise<void>
}

/** Of a longer gap in the capture only so much is run through, second by second: after it nothing is left to happen. */
const gapMsMax = 3_600_000

export async function backtest(options: BacktestOptions): Promise<void> {
  const clock = new ManualClock()
  let pipeline: Pipeline | null = null
  let datagrams = 0
  let bytesBefore = 0
  let bytesRead = 0
  let nextMs = 0
  const runTo = async (nowMs: number) => {
    for (; nextMs <= nowMs; nextMs += askEveryMs) {
      clock.set(nextMs)
      await pipeline?.judge()
      if (nextMs % 1000 === 0) options.onSecond({ nowMs: nextMs, datagrams, bytesRead })
    }
  }
  for (const file of options.files) {
    const capture = readCapture(file)
    for await (const { timeMs, address, port, payload } of capture) {
      bytesRead = bytesBefore + capture.bytesRead
      // Datagrams may be out of order, and files may overlap: time never goes back.
      const nowMs = Math.max(timeMs, clock.now())
      if (pipeline === null) {
        clock.set(nowMs)
        pipeline = pipelineOf(options, clock)
        nextMs = wholeSecond(nowMs) + askEveryMs
      }
      if (nowMs > nextMs + gapMsMax) {
        await runTo(nextMs + gapMsMax)
        nextMs = wholeSecond(nowMs)
      }
      await runTo(nowMs)
      clock.set(nowMs)
      pipeline.decoder.decode(payload, { address, port, receivedMs: nowMs })
      datagrams++
    }
    bytesBefore += capture.bytesRead
  }
  if (pipeline === null) return
  do await runTo(nextMs)
  while (pipeline.detector.unclosedIncidents > 0)
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}

function pipelineOf(options: BacktestOptions, clock: ManualClock): Pipeline {
  const { watched, networks, settings, tunnels, sampling, onReports } = options
  const folder = new Folder({ clock, exporterAt: (stream) => decoder.streams.list[stream]?.address ?? '' })
  folder.setExclusions(new SettingsTable(settings).exclusions())
  folder.setWatchList(compileWatchList(watched))
  const decoder = new Decoder({
    sink: (batch) => folder.fold(batch),
    choose: (from, offset, starts, count) => folder.choose(from, offset, starts, count),
    tunnels,
    ...(sampling === undefined ? {} : { samplingOverrideOf: () => sampling }),
  })
  const detector = new Detector({ settings })
  detector.setNetworks(networks)
  const judge = async () => {
    decoder.flush()
    if (!isSealDue(clock.now() % 1000 === 0, folder.heldRecords)) return
    detector.accept(folder.seal(clock.now()))
    const reports = detector.pass(clock.now())
    if (reports.length > 0) await onReports(reports, clock.now())
  }
  return { decoder, detector, judge }
}
