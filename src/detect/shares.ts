// What an attack consists of, by what the last minutes still hold: which vectors have which part of the traffic, and which addresses of a network are hit.
import type { Classes } from '../vectors/compile.ts'
import type { Incident } from './incident.ts'
import type { VectorShare, Victim } from './incident-report.ts'
import type { RateRing } from './rates.ts'
import type { Target } from './target.ts'

/** Smaller parts are not told of. */
const shareMin = 0.01
/** An address is hit that gets such a part of what the hardest hit one gets. */
const victimPart = 0.05

export function vectorsOf(incident: Incident, { series, total }: Target, classes: Classes): VectorShare[] {
  const all = lastMinutesOf(incident, total.ring)
  if (all.packets === 0) return []
  const packets = new Map<string, number>()
  for (const { trafficClass, ring } of series.values()) {
    const label = classes.vectors[trafficClass]?.label
    if (label === undefined) continue
    packets.set(label, (packets.get(label) ?? 0) + lastMinutesOf(incident, ring).packets)
  }
  return [...packets]
    .map(([label, sum]) => ({ label, share: sum / all.packets, packetsPerSecond: sum / all.seconds }))
    .filter(({ share }) => share >= shareMin)
    .sort((a, b) => b.share - a.share)
}

export function victimsOf(incident: Incident, hosts: Target[]): Victim[] {
  const hit = hosts.map(({ address, series }) => {
    const ofClass = series.get(incident.trafficClass)
    const { packets, bytes, seconds } = lastMinutesOf(incident, ofClass?.ring ?? null)
    // What it has anyway is no part of the attack.
    const more = packets === 0 ? 0 : Math.max(0, 1 - ((ofClass?.baseline.level ?? 0) * seconds) / packets)
    return { address, packetsPerSecond: (packets * more) / seconds, bytesPerSecond: (bytes * more) / seconds }
  })
  const most = Math.max(...hit.map(({ packetsPerSecond }) => packetsPerSecond))
  return hit
    .filter(({ packetsPerSecond }) => packetsPerSecond > 0 && packetsPerSecond >= victimPart * most)
    .sort((a, b) => b.packetsPerSecond - a.packetsPerSecond)
}

/** As far back as the ring reaches. */
function lastMinutesOf({ startSecond, lastSecond }: Incident, ring: RateRing | null) {
  const from = Math.max(startSecond, ring?.first ?? startSecond)
  const seconds = Math.max(1, lastSecond + 1 - from)
  const { packets, bytes } = ring?.sum(from, lastSecond + 1) ?? { packets: 0, bytes: 0 }
  return { packets, bytes, seconds }
}
