// Restarts of exporters: by an uptime that falls (NetFlow), or by sequence numbers that begin again (all protocols). Forgers can make both seem so: a
// restart is counted, and decides nothing.
import type { Stream } from './stream.ts'
import { hasRestarted, type Uptime } from './times/uptime.ts'

/** What both signs tell within this time is one restart, milliseconds. */
const apartMs = 60_000

export function noteRestart(stream: Stream): void {
  if (Math.abs(stream.lastMs - stream.restartedMs) < apartMs) return
  stream.restartedMs = stream.lastMs
  stream.counters.restarts++
}

/** The uptime of a header. */
export function noteUptime(stream: Stream, { exportMs, uptimeMs }: Uptime): void {
  if (hasRestarted(stream, { exportMs, uptimeMs })) noteRestart(stream)
  stream.exportMs = exportMs
  stream.uptimeMs = uptimeMs
}
