// Who sends now, and who would be left out by a list of those who may: so that nobody locks a working exporter out unawares.
import { hasWorked, type StreamReport } from './health/report.ts'
import { AllowList, bareAddress } from './sockets/allow-list.ts'

/** Who has sent within this time sends now: exporters of quiet networks have nothing to say for hours. Milliseconds. */
export const currentMs = 86_400_000

/** The addresses that have brought flows for minutes, and have sent since. Link-local ones are without their interface, as lists have them. */
export function workingSenders(reports: Iterable<StreamReport>, sinceMs: number): string[] {
  const addresses = new Set<string>()
  for (const report of reports) {
    if (hasWorked(report) && report.lastMs >= sinceMs) addresses.add(bareAddress(report.address))
  }
  return [...addresses].sort()
}

/** Those of the addresses that a list leaves out. */
export function leftOutBy(entries: readonly string[], addresses: readonly string[]): string[] {
  const list = new AllowList({ entries, leftOut: [] })
  return list.isOpen ? [] : addresses.filter((address) => !list.isAllowed(address))
}
