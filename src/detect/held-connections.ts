// Connections that few clients hold open and hardly use (slow HTTP), seen without their beginning: exporters with a flow cache tell of each again and
// again, as long as it lasts, with a few small packets. Only records of several packets say that there is such a cache: where each packet is a record of
// its own (sFlow, coarse sampling, very short timeouts) one lively connection looks like many.
import { distinctPorts, distinctSources, sourcePortSpread } from '../aggregate/marks.ts'
import { connectionLabels, connectionVector } from '../vectors/vectors.ts'
import { bandOf, deviationOf } from './baseline.ts'
import type { Candidate, JudgedBy } from './candidates.ts'
import { isMoreOfTheSame, samplingError } from './judge.ts'
import type { Window } from './rates.ts'
import type { Series } from './series.ts'
import type { Target } from './target.ts'

/** The usual active timeout: with it each connection is told of once in this time. */
const seconds = 60
const recordsPerSecond = 4
/** Times normal. */
const normalRatio = 4
const sourcesMax = 24
/** Clients of a service use few ports. */
const portsMax = 4
/** Many connections of a client have source ports all over its range: of a host with Linux's default in seven of the sixteen parts of all ports. */
const spreadMin = 5 / 16
/** Packets of a record: a line of a header or a keep-alive every few seconds. */
const packetsMin = 1.5
const packetsMax = 12
/** Mean length of a packet, octets: of 52 or so nothing is more than headers. */
const bytesMax = 110

export function heldConnectionsCandidate(target: Target, by: JudgedBy): Candidate | null {
  if (!by.learnt) return null
  const series = carrying(target, by)
  if (series?.ring == null || series.changedFrom >= series.changedTo) return null
  const to = Math.min(series.changedTo, series.ring.last + 1)
  const from = Math.max(to - seconds, target.overThrough + 1, series.ring.first)
  if (to - from < seconds || series.ring.mostWithin('flows', from, to) <= recordsPerSecond) return null
  const window = series.ring.sum(from, to)
  // A record has its marks in its first second, which may be a timeout before the rest.
  const { sources, ports } = series.ring.sum(Math.max(from - seconds, series.ring.first), to)
  return isHeld({ ...window, sources, ports }) ? judge(target, series, window, by) : null
}

function carrying({ series }: Target, { classes }: JudgedBy): Series | null {
  for (const each of series.values()) if (classes.vectors[each.trafficClass]?.connection === 'carries') return each
  return null
}

function isHeld({ packets, bytes, flows, observed, sources, ports }: Window): boolean {
  // What is sampled shows hardly any connection twice.
  if (observed < 0.99 * packets) return false
  if (packets < packetsMin * flows || packets > packetsMax * flows || bytes > bytesMax * packets) return false
  return (
    distinctSources(sources) < sourcesMax && distinctPorts(ports) <= portsMax && sourcePortSpread(ports) >= spreadMin
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
  const usual = baseline.level * (value / rate)
  const threshold = Math.max(floor, normalRatio * usual)
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
      deviation: deviationOf(rate, baseline.level, 1 / seconds),
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
      },
    },
    isNewVector: true,
  }
}
