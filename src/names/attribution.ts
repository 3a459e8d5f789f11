// Whose event an attack on an address is: for each user the one best site, the name that led there, and the DNS evidence. Pure. A user
// is shown only what follows from sites of their own, as if nobody else had any.
import { formatIpv4 } from '../net/ipv4.ts'
import { formatPrefix, networkOf } from '../net/prefix.ts'
import type { Binding } from './bindings.ts'
import { addressLengths, addressSites, nameSite, type SiteIndex, usersLedTo } from './site-index.ts'

/** A name as it led to the address; times are Unix milliseconds of the last confirmation. */
export interface DnsSnapshot {
  domain: string
  a: Record<string, number>
  /** The alias target that the name has, empty when it has the address itself. */
  cname: Record<string, number>
}

export interface Match {
  userId: string
  site: string
  /** The name that led to the address; `""` when none of the user's did. */
  domain: string
  dns: DnsSnapshot[]
}

export interface Attack {
  address: number
  fromMs: number
  toMs: number
}

/** A name of a user that led to the address. */
interface Lead {
  name: string
  /** The user has it resolved; it is no mere alias target. */
  root: boolean
  fromMs: number
  confirmedMs: number
  /** Alias targets by time. */
  targets: Map<string, number>
  /** The user's best name site for it. */
  site: string | null
}

const snapshotsMax = 50

/** Two names confirmed within this of each other are equally recent: each is asked again only so often. */
const recheckMs = 600_000

/** One match a user, in order of user. `bindings`: those of the address. */
export function attribute(attack: Attack, index: SiteIndex, bindings: Iterable<Binding>): Match[] {
  const leads = leadsByUser(attack, index, bindings)
  const byAddress = addressSites(index, attack.address)
  const matches: Match[] = []
  for (const userId of [...new Set([...byAddress.keys(), ...leads.keys()])].toSorted()) {
    const own = [...(leads.get(userId)?.values() ?? [])].toSorted(compareLeads(attack))
    const length = byAddress.get(userId)
    const best = length === undefined ? bestByName(own) : own[0]
    const site = length === undefined ? best?.site : addressSite(attack.address, length)
    if (site === null || site === undefined) continue
    const dns = own.toSorted((a, b) => Number(b === best) - Number(a === best)).slice(0, snapshotsMax)
    matches.push({
      userId,
      site,
      domain: best?.name ?? '',
      dns: dns.map((lead) => snapshot(lead, attack.address)),
    })
  }
  return matches
}

/** A site that an address belongs to. */
export interface Way {
  site: string
  /** Since when it leads there, Unix milliseconds; 0: as long as it is a site. */
  sinceMs: number
}

/** Every site of the user that an address belongs to at a moment. `bindings`: those of the address. */
export function waysTo(
  { address, atMs, userId }: { address: number; atMs: number; userId: string },
  index: SiteIndex,
  bindings: Iterable<Binding>,
): Way[] {
  const lengths = addressLengths(index, address).filter(([, users]) => users.has(userId))
  const byAddress = lengths.map(([length]) => ({ site: addressSite(address, length), sinceMs: 0 }))
  const leads = leadsByUser({ address, fromMs: atMs, toMs: atMs }, index, bindings).get(userId)?.values() ?? []
  const byName = [...leads].flatMap(({ site, fromMs }) => (site === null ? [] : { site, sinceMs: fromMs }))
  return [...byAddress, ...byName]
}

/** The names that led to the address during the attack or not long before, for each user who may know of them. */
function leadsByUser(attack: Attack, index: SiteIndex, bindings: Iterable<Binding>): Map<string, Map<string, Lead>> {
  const users = new Map<string, Map<string, Lead>>()
  for (const binding of bindings) {
    if (binding.fromMs > attack.toMs || binding.validToMs < attack.fromMs) continue
    for (const userId of usersLedTo(index, binding.name, binding.address)) {
      const leads = users.get(userId) ?? new Map<string, Lead>()
      users.set(userId, leads)
      const path = [binding.name, ...binding.chain]
      path.forEach((name, i) => {
        const lead = leads.get(name) ?? newLead(name, nameSite(index, userId, name))
        leads.set(name, lead)
        lead.root ||= i === 0
        lead.fromMs = Math.min(lead.fromMs, binding.fromMs)
        lead.confirmedMs = Math.max(lead.confirmedMs, binding.confirmedMs)
        if (i + 1 < path.length) {
          lead.targets.set(path[i + 1], Math.max(lead.targets.get(path[i + 1]) ?? 0, binding.confirmedMs))
        }
      })
    }
  }
  return users
}

function newLead(name: string, site: string | null): Lead {
  return { name, root: false, fromMs: Number.POSITIVE_INFINITY, confirmedMs: 0, targets: new Map(), site }
}

/** The user's own names before alias targets, then the more recent, then the shorter; the alphabet decides at last. */
function compareLeads({ fromMs }: Attack): (a: Lead, b: Lead) => number {
  const recent = (lead: Lead) => Math.min(lead.confirmedMs, fromMs - recheckMs)
  return (a, b) =>
    Number(b.root) - Number(a.root) ||
    recent(b) - recent(a) ||
    a.name.length - b.name.length ||
    (a.name < b.name ? -1 : 1)
}

/** A registered name before a wildcard, a longer wildcard before a shorter one; among equals the first. */
function bestByName(leads: readonly Lead[]): Lead | undefined {
  const rank = ({ site }: Lead) => (site === null ? -1 : site.startsWith('*.') ? site.length : Number.POSITIVE_INFINITY)
  return leads.reduce<Lead | undefined>(
    (best, lead) => (best === undefined || rank(lead) > rank(best) ? lead : best),
    undefined,
  )
}

function addressSite(address: number, length: number): string {
  return length === 32 ? formatIpv4(address) : formatPrefix({ network: networkOf(address, length), length })
}

function snapshot(lead: Lead, address: number): DnsSnapshot {
  return { domain: lead.name, a: { [formatIpv4(address)]: lead.confirmedMs }, cname: Object.fromEntries(lead.targets) }
}
