// When the traffic of one class is an attack's: from which second on, and in which seconds.
import type { RateRing } from './rates.ts'

/** The span whose average counts as activity, and as a peak. Seconds. */
export const spanSeconds = 3

/** The first active second of the stretch that leads to a window, and is not before `earliest`. */
export function beginOf(ring: RateRing | null, windowFrom: number, earliest: number, quietBelow: number): number {
  if (ring === null) return windowFrom
  let second = windowFrom
  const first = Math.max(ring.first, earliest)
  while (second > first && ring.packetsIn(second - spanSeconds, second) >= quietBelow * spanSeconds) second--
  while (second < ring.last && ring.packetsAt(second) < quietBelow / 4) second++
  return second
}

/** The last active second after `since` and up to `nowSecond`; else `since`. */
export function lastActive(ring: RateRing | null, since: number, nowSecond: number, quietBelow: number): number {
  if (ring === null) return since
  for (let second = Math.min(nowSecond, ring.last); second > since; second--) {
    if (ring.packetsAt(second) < quietBelow / 4) continue
    if (ring.packetsIn(second - spanSeconds + 1, second + 1) >= quietBelow * spanSeconds) return second
  }
  return since
}
