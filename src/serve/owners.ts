// Whose events a report is, and which of their sites it touches: all victims of an attack on a network count together.
import type { IncidentReport } from '../detect/incident-report.ts'
import type { Match } from '../names/attribution.ts'
import { orderedSites, touchedMax } from '../names/touched-sites.ts'
import { victimsOf } from './attacked-addresses.ts'

/** A match of the hardest hit of the victims that are the owner's; its sites are those of all these victims. */
export type Owner = Match & { address: number }

/** Who is hit, once each. */
export function ownersOf(report: IncidentReport, match: (address: number) => Match[]): Owner[] {
  const owners = new Map<string, Owner & { touched: Set<string> }>()
  for (const address of victimsOf(report)) {
    for (const each of match(address)) {
      const owner = owners.get(each.userId) ?? { ...each, address, touched: new Set<string>() }
      owners.set(each.userId, owner)
      for (const site of each.sites) owner.touched.add(site)
    }
  }
  return Array.from(owners.values(), ({ touched, ...owner }) => ({
    ...owner,
    sites: orderedSites(owner.site, touched),
  }))
}

/** The owner's sites that the event has not touched before, as many as there is room for. */
export function newlyTouched({ sites }: Owner, known: ReadonlySet<string>): string[] {
  return sites.filter((site) => !known.has(site)).slice(0, Math.max(0, touchedMax - known.size))
}
