// The windows of a target's recent traffic that are judged: of each length the busiest with a second that changed.
import { withHashed } from '../../aggregate/marks.ts'
import { judgement } from '../lines/judgement.ts'
import { type RateRing, ringSeconds, type Window } from '../rates/rates.ts'

const { windowSeconds, sourcesRecords } = judgement
/** Length of the longest window. */
export const longestSeconds = Math.max(...windowSeconds)

/** The source of windows: one ring, or several read as one. */
export type Readable = Pick<RateRing, 'first' | 'last' | 'packetSums' | 'sum'> & {
  mostWithin(metric: 'packets', from: number, to: number): number
}

/** Seconds of a ring that changed; `to` is not among them. */
export interface ChangedSeconds<Ring extends Readable = RateRing> {
  ring: Ring
  from: number
  to: number
  /** Earlier seconds are not judged any more. */
  earliest: number
}

/** The seconds of windows with a changed second; `to` is not among them. */
export function secondsAround({ ring, from, to, earliest }: ChangedSeconds<Readable>): { from: number; to: number } {
  return {
    from: Math.max(ring.first, earliest, from - longestSeconds),
    to: Math.min(ring.last + 1, to + longestSeconds),
  }
}

/** Memory for the sums of one call: most addresses with much traffic are asked for theirs in every second. */
const latestSums = new Float64Array(ringSeconds + 1)

/** The busiest window of each length with more than `rateMin` packets a second. */
export function busiestWindows(changed: ChangedSeconds<Readable>, rateMin: number): Window[] {
  const { ring } = changed
  const { from, to } = secondsAround(changed)
  const windows: Window[] = []
  // The average of a window is no more than its busiest second: this settles most calls.
  if (ring.mostWithin('packets', from, to) <= rateMin) return windows
  const sums = ring.packetSums(from, to, to - from < latestSums.length ? latestSums : undefined)
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
    if (mostAt < 0) continue
    const window = ring.sum(from + mostAt, from + mostAt + seconds)
    windows.push(withFewSources(window, ring, sums, mostAt))
  }
  return windows
}

/**
 * The window with the sources of its shortest part that has enough records: a minute of a scan has the sources of a minute of background noise beside its own.
 * `sums` are running sums of packets; the window begins at place `first`.
 */
function withFewSources(window: Window, ring: Readable, sums: Float64Array, first: number): Window {
  if (window.flows < sourcesRecords) return window
  for (const seconds of windowSeconds) {
    const lastStart = first + window.to - window.from - seconds
    if (lastStart <= first) break
    let busiest = first
    for (let at = first + 1; at <= lastStart; at++) {
      if (sums[at + seconds] - sums[at] > sums[busiest + seconds] - sums[busiest]) busiest = at
    }
    const from = window.from + busiest - first
    const part = ring.sum(from, from + seconds)
    if (part.flows >= sourcesRecords) return { ...window, sources: withHashed(window.sources, part.sources) }
  }
  return window
}
