// The seconds in which the traffic of one class is an attack's.
import { incidents } from '../lines/incidents.ts'
import { judgement } from '../lines/judgement.ts'
import type { RateRing } from '../rates/rates.ts'

const { spanSeconds, spanSecondsMax } = incidents

/**
 * Where the attack that a window shows began, not before `earliest`: averages that are not quiet lead to it, and its first second is not quiet itself. A long
 * window may begin in ordinary traffic; the averages of an attack hardly above its line begin later than it does.
 */
export function beginOf(ring: RateRing | null, windowFrom: number, earliest: number, quietBelow: number): number {
  if (ring === null) return windowFrom
  let second = windowFrom
  const first = Math.max(ring.first, earliest)
  while (second > first && ring.packetsIn(second - spanSeconds, second) >= quietBelow * spanSeconds) second--
  while (second < ring.last && ring.packetsAt(second) < quietBelow) second++
  while (second > first && ring.packetsAt(second - 1) >= quietBelow) second--
  return second
}

/** The first second from `from` on, and before `to`, with traffic of an attack; else `to`. */
export function firstActive(ring: RateRing | null, from: number, to: number, quietBelow: number): number {
  if (ring === null) return to
  for (let second = Math.max(from, ring.first); second < to; second++) {
    if (ring.packetsAt(second) >= quietBelow) return second
  }
  return to
}

/** The last active second after `since` and up to `nowSecond`; else `since`. */
export function lastActive(ring: RateRing | null, since: number, nowSecond: number, quietBelow: number): number {
  if (ring === null) return since
  for (let second = Math.min(nowSecond, ring.last); second > since; second--) {
    if (ring.packetsAt(second) < quietBelow) continue
    if (ring.packetsIn(second - spanSeconds + 1, second + 1) < quietBelow * spanSeconds) continue
    if (isProven(ring, second, quietBelow)) return second
  }
  return since
}

/** Whether the average that leads to a second is high enough over as many packets as prove it. */
function isProven(ring: RateRing, second: number, quietBelow: number): boolean {
  let seconds = spanSeconds
  let { observed, packets } = ring.sum(second - seconds + 1, second + 1)
  for (; observed < judgement.observedMin && seconds < spanSecondsMax; seconds++) {
    const earlier = ring.sum(second - seconds, second - seconds + 1)
    observed += earlier.observed
    packets += earlier.packets
  }
  return packets >= quietBelow * seconds
}
