// Whose events a report is, and which of their sites it touches: all victims of an attack on a network count together.
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import type { Match } from '../names/bindings/attribution.ts'
import { orderedSites, touchedMax } from '../names/bindings/touched-sites.ts'
import { allHit } from './hit-network.ts'
import { isOver } from './phase.ts'

/** A match of the hardest hit of the victims that are the owner's; its sites are those of all these victims, and it is since the first of them is. */
export type Owner = Match & { address: number }

/** Most unlisted victims whose owners are looked up for one report; the next report goes on after them. All of a /16 at once would hold up the thread. */
const othersMax = 4_096

/** Finds the owners of attacks; of an attack on very many addresses, some in each report, and all at its end. */
export class Owners {
  /** Where the next report of an incident goes on among the victims that are not listed. */
  readonly #next = new Map<string, number>()

  /** Who is hit, once each. */
  of(report: IncidentReport, match: (address: number) => Match[]): Owner[] {
    const owners = new Map<string, Owner & { touched: Map<string, number> }>()
    for (const address of this.#lookedAt(report)) {
      for (const each of match(address)) {
        const owner = owners.get(each.userId) ?? { ...each, address, touched: new Map<string, number>() }
        owner.sinceMs = Math.min(owner.sinceMs, each.sinceMs)
        owners.set(each.userId, owner)
        for (const site of each.sites) owner.touched.set(site, (owner.touched.get(site) ?? 0) + 1)
      }
    }
    return Array.from(owners.values(), ({ touched, ...owner }) => {
      const site = siteOf(owner.site, touched)
      return { ...owner, site, sites: orderedSites(site, touched.keys()) }
    })
  }

  /** Nothing more is reported of it. */
  forget(incident: string): void {
    this.#next.delete(incident)
  }

  /** The listed ones, the hardest hit first, then others. */
  #lookedAt(report: IncidentReport): number[] {
    const { incident, address, victims } = report
    if (victims.length === 0) return [address]
    const listed = victims.map((victim) => victim.address)
    const known = new Set(listed)
    const others = allHit(report).filter((each) => !known.has(each))
    if (others.length <= othersMax || isOver(report)) return [...listed, ...others]
    const from = (this.#next.get(incident) ?? 0) % others.length
    this.#next.set(incident, from + othersMax)
    return [...listed, ...[...others.slice(from), ...others.slice(0, from)].slice(0, othersMax)]
  }
}

/**
 * The site that the event is named after: of an attack on several addresses of a network that is a site, that network rather than the hardest hit address
 * or a name of it. `touched`: the owner's victims in each site.
 */
function siteOf(best: string, touched: ReadonlyMap<string, number>): string {
  if (best.includes('/')) return best
  const networks = [...touched].filter(([site, victims]) => site.includes('/') && victims > 1)
  networks.sort(([a, inA], [b, inB]) => inB - inA || lengthOf(b) - lengthOf(a))
  return networks[0]?.[0] ?? best
}

function lengthOf(network: string): number {
  return Number(network.slice(network.indexOf('/') + 1))
}

/** Every address that an attack hits. */
export function hitBy(report: IncidentReport): number[] {
  return report.victims.length > 0 ? allHit(report) : [report.address]
}

/** The owner's sites that the event has not touched before, as many as there is room for. */
export function newlyTouched({ sites }: Owner, known: ReadonlySet<string>): string[] {
  return sites.filter((site) => !known.has(site)).slice(0, Math.max(0, touchedMax - known.size))
}
