// Connections that clients hold open by the dozen and hardly use (slow HTTP), found without their beginning: exporters with a flow cache report each again and
// again while it lasts, with a few small packets. Only records of several packets show that there is such a cache: where each packet is a record (sFlow, coarse
// sampling, very short timeouts) one lively connection looks like many.
import { distinctPorts, distinctSources, sourcePortSpread } from '../../aggregate/marks.ts'
import { connectionLabels, connectionVector } from '../../vectors/vectors.ts'
import { connections as lines } from '../lines/connections.ts'
import { bandOf, deviationOf } from '../normal/baseline.ts'
import { mostFlows } from '../rates/most-flows.ts'
import type { RateBounds, Window } from '../rates/rates.ts'
import type { Series } from '../rates/series.ts'
import type { Target } from '../targets/target.ts'
import type { Candidate, JudgedBy, Lines } from './candidates.ts'
import { isMoreOfTheSame, samplingError } from './judge.ts'

const { heldSeconds: seconds, heldRecordsPerSecond: recordsPerSecond } = lines

/** How far before the last changed second the marks of such connections may be. */
export const heldConnectionSeconds = 2 * seconds

/** Whether a target whose seconds have these bounds, of all its traffic, has too few records. */
export function areFewHeld(bounds: RateBounds, { limits: { sensitivity } }: Lines): boolean {
  return mostFlows(bounds, seconds) <= (recordsPerSecond / sensitivity) * seconds
}

export function heldConnectionsCandidate(target: Target, by: JudgedBy): Candidate | null {
  if (!by.learnt) return null
  const series = carrying(target, by)
  if (series?.ring == null || series.changedFrom >= series.changedTo) return null
  const to = Math.min(series.changedTo, series.ring.last + 1)
  const from = Math.max(to - seconds, target.overThrough + 1, series.ring.first)
  if (to - from < seconds || series.ring.mostWithin('flows', from, to) <= recordsPerSecond / by.limits.sensitivity)
    return null
  const window = series.ring.sum(from, to)
  // The marks of a record are in its first second, which may be a timeout earlier.
  const { sources, ports } = series.ring.sum(Math.max(from - seconds, series.ring.first), to)
  return isHeld({ ...window, sources, ports }) ? judge(target, series, window, by) : null
}

function carrying({ series }: Target, { classes }: JudgedBy): Series | null {
  for (const each of series.values()) if (classes.vectors[each.trafficClass]?.connection === 'carries') return each
  return null
}

function isHeld({ packets, bytes, flows, observed, sources, ports }: Window): boolean {
  // Sampling shows hardly any connection twice.
  if (observed < lines.unsampledPart * packets) return false
  if (packets < lines.heldPacketsMin * flows || packets > lines.heldPacketsMax * flows) return false
  if (bytes > lines.heldBytesMax * packets) return false
  const clients = distinctSources(sources)
  return (
    (clients < lines.heldSourcesMax || flows >= lines.heldRecordsPerSource * clients) &&
    distinctPorts(ports) <= lines.heldPortsMax &&
    sourcePortSpread(ports) >= lines.heldSpreadMin
  )
}

function judge(
  { address }: Target,
  { trafficClass, baseline }: Series,
  window: Window,
  { limits }: JudgedBy,
): Candidate | null {
  const floor = recordsPerSecond / limits.sensitivity
  const value = window.flows / seconds
  const rate = window.packets / seconds
  const least = 1 / seconds
  const usual = baseline.level * (value / rate)
  const threshold = Math.max(floor, lines.heldNormalRatio * usual)
  if (value <= threshold || isMoreOfTheSame(window, rate, baseline, connectionVector)) return null
  return {
    address,
    trafficClass,
    label: connectionLabels.slow,
    besides: [],
    alarm: {
      window,
      rate,
      line: rate * (threshold / value),
      normal: baseline.level,
      deviation: deviationOf(rate, baseline.level, least),
      whole: true,
      moreOfTheSame: false,
      why: {
        metric: 'connections',
        value,
        threshold,
        normal: usual,
        band: bandOf(baseline, value / rate),
        error: samplingError(window),
        source: threshold > floor ? 'baseline' : 'absolute',
        unlearnt: { threshold: floor, deviation: deviationOf(rate, 0, least), measurable: least },
      },
    },
    isNewVector: true,
  }
}
