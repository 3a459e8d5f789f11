// Durations as people type them.
import { UsageError } from '../usage.ts'

const unitsMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `10s`, `5m`, `1h`, `30d`; a bare number is seconds. At most 366 days. */
export function parseDuration(text: string): number {
  const parts = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(text)
  const ms = parts === null ? Number.NaN : Number(parts[1]) * unitsMs[parts[2] ?? 's']
  if (!(ms > 0 && ms <= 366 * unitsMs.d)) throw new UsageError(`not a duration (10s, 5m, 1h, 30d): ${text}`)
  return ms
}
