// One run of detection over captures: what it is about, in a form that can be sent to another thread, and what it tells.

import type { IngestSettings } from '../../collect/settings.ts'
import type { DetectSettings } from '../../detect/settings.ts'

import { networkKey, networkRanges } from '../../net/network.ts'
import { type BacktestProgress, backtest } from '../../pipeline/backtest.ts'

import { EventLines, type WatchedHost } from './event-lines.ts'

export interface DetectRun {
  /** One stream of datagrams, in this order. */
  files: string[]
  watched: WatchedHost[]
  settings: DetectSettings
  tunnels: IngestSettings['tunnels']
  /** In place of the sampling rate of every exporter. */
  sampling: number | undefined
  /** Whether each line names the file. */
  namesFile: boolean
}

export interface DetectTold {
  onLine: (line: string) => void | Promise<void>
  /** Called once in each second of the capture. */
  onProgress: (progress: BacktestProgress) => void
}

/** Fails with AppError BAD_CAPTURE when a file can't be read to its end; what it found until then has been told. */
export async function detect({ watched, namesFile, ...run }: DetectRun, told: DetectTold): Promise<void> {
  const lines = new EventLines(watched, namesFile ? run.files[0] : null)
  await backtest({
    ...run,
    watched: networkRanges(watched.map(({ network }) => network)),
    networks: watched.map(({ network }) => networkKey(network)),
    onReports: async (reports, atMs) => {
      for (const line of lines.take(reports, atMs)) await told.onLine(line)
    },
    onSecond: told.onProgress,
  })
}
