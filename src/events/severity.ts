// How severe an attack is, so that people who have several know where to look first.
import type { EventSummary } from './records.ts'

export const severities = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

/** More is worse. */
export function severityRank(severity: Severity): number {
  return severities.indexOf(severity)
}

export function worseOf(one: Severity, other: Severity): Severity {
  return severityRank(one) >= severityRank(other) ? one : other
}

/** Somebody has to look at it soon. */
export function isSerious(severity: Severity): boolean {
  return severityRank(severity) >= severityRank('high')
}

/**
 * The first row that fits the averages of the attack's worst episode: at least `times` the usual packets of the victim (any, where that is not known), and
 * at least the packets or the octets a second, as little traffic harms few victims, however little there was before.
 */
const rows: readonly { severity: Severity; times: number; packetsPerSecond: number; bytesPerSecond: number }[] = [
  { severity: 'critical', times: 10, packetsPerSecond: 100_000, bytesPerSecond: 1e9 / 8 },
  { severity: 'high', times: 5, packetsPerSecond: 10_000, bytesPerSecond: 1e8 / 8 },
  { severity: 'medium', times: 2, packetsPerSecond: 1_000, bytesPerSecond: 1e7 / 8 },
]

/** How heavy traffic is, where either packets or octets may be what harms: 1 is what the least severe row asks for. */
export function weightOf({ packetsPerSecond, bytesPerSecond }: EventSummary['worst']): number {
  const least = rows[rows.length - 1]
  return Math.max(packetsPerSecond / least.packetsPerSecond, bytesPerSecond / least.bytesPerSecond)
}

type Rates = Pick<EventSummary, 'worst' | 'normalPacketsPerSecond'>

export function severityOf({ worst, normalPacketsPerSecond }: Rates): Severity {
  const { packetsPerSecond, bytesPerSecond } = worst
  const normal = normalPacketsPerSecond
  const times = normal === null ? Number.POSITIVE_INFINITY : packetsPerSecond / Math.max(normal, 1)
  const row = rows.find(
    (each) =>
      times >= each.times && (packetsPerSecond >= each.packetsPerSecond || bytesPerSecond >= each.bytesPerSecond),
  )
  return row?.severity ?? 'low'
}
