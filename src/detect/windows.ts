// Which windows of a target's recent traffic are worth judging: of each length the busiest that has a second which changed.
import type { RateRing, Window } from './rates.ts'

/** A flood shows in the shortest, an attack little above normal or behind coarse sampling in the longest. Seconds. */
const windowSeconds = [1, 3, 10, 30, 60]
const longest = Math.max(...windowSeconds)

/** What windows are made of: one ring, or several read as one. */
export type Readable = Pick<RateRing, 'first' | 'last' | 'packetSums' | 'sum'> & {
  mostWithin(metric: 'packets', from: number, to: number): number
}

/** Seconds of a ring that changed; `to` is not among them. */
export interface Changed<Ring extends Readable = RateRing> {
  ring: Ring
  from: number
  to: number
  /** What lies before this second is not judged any more. */
  earliest: number
}

/** The seconds that windows with a changed one may have; `to` is not among them. */
export function secondsAround({ ring, from, to, earliest }: Changed<Readable>): { from: number; to: number } {
  return { from: Math.max(ring.first, earliest, from - longest), to: Math.min(ring.last + 1, to + longest) }
}

/** Those of more than `rateMin` packets a second. */
export function busiestWindows(changed: Changed<Readable>, rateMin: number): Window[] {
  const { ring } = changed
  const { from, to } = secondsAround(changed)
  const windows: Window[] = []
  // A window has no more a second than its best second: mostly nothing more is to be done.
  if (ring.mostWithin('packets', from, to) <= rateMin) return windows
  const sums = ring.packetSums(from, to)
  for (const seconds of windowSeconds) {
    let most = rateMin * seconds
    let mostAt = -1
    const lastStart = Math.min(changed.to, to - seconds) - from
    for (let at = Math.max(0, changed.from - from - seconds + 1); at <= lastStart; at++) {
      const packets = sums[at + seconds] - sums[at]
      if (packets <= most) continue
      most = packets
      mostAt = at
    }
    if (mostAt >= 0) windows.push(ring.sum(from + mostAt, from + mostAt + seconds))
  }
  return windows
}
