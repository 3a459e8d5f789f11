// How an attack compares with what is normal. There are two normals: that of all traffic of the victim, which is what "times normal" is of everywhere,
// and that of the kind of traffic that crossed its threshold, which is what the threshold is compared with.
import type { EventOverview, EventReport } from './queries.ts'

/** On average; null: what is normal was not learnt when it began. Who usually has nothing is taken to have a packet a second. */
export function timesNormal({ average, normalPacketsPerSecond }: EventOverview): number | null {
  return ratio(average.packetsPerSecond, normalPacketsPerSecond)
}

export function timesNormalAtPeak({ peak, normalPacketsPerSecond }: EventReport): number | null {
  return ratio(peak.packetsPerSecond, normalPacketsPerSecond)
}

function ratio(packetsPerSecond: number, normal: number | null): number | null {
  return normal === null ? null : packetsPerSecond / Math.max(normal, 1)
}
