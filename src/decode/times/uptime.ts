// Whether an exporter has restarted, by the uptime in the headers of NetFlow v9.

/** An exporter's own time, and how long it was up then: milliseconds. */
export interface Uptime {
  exportMs: number
  uptimeMs: number
}

/** Both are written down with some delay, and a clock may be set. */
const toleranceMs = 60_000
/** Uptimes have 32 bits: 49.7 days. */
const wrapMs = 2 ** 32

/** Uptimes that stand still show nothing: some exporters always send 0. */
export function hasRestarted(before: Uptime, now: Uptime): boolean {
  if (!(now.uptimeMs + toleranceMs < before.uptimeMs)) return false
  const expectedMs = before.uptimeMs + Math.max(0, now.exportMs - before.exportMs)
  const hasWrapped = expectedMs + toleranceMs >= wrapMs && Math.abs(expectedMs - wrapMs - now.uptimeMs) <= toleranceMs
  return !hasWrapped
}
