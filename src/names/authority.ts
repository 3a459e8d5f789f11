// Who has a say over what, by the operator's word or by a proof: which host records of a user are watched, and what the user is shown of an
// address that a name leads to. Who controls a name does not thereby control the address. Pure.
import { ancestors } from '../net/hostname.ts'
import { contains, lastAddress, mergeRanges, networkOf, type Prefix } from '../net/prefix.ts'
import { isInRanges } from '../net/sorted.ts'
import { type Allowance, hasToHaveSay } from '../targets/policy.ts'
import type { AccessSettings } from '../targets/settings.ts'
import {
  type Allowed,
  allowedBy,
  type HostRecord,
  parseAnyHostRecord,
  prefixOf,
  readDomains,
  readNetworks,
} from '../targets/site.ts'

/** A site that is to be watched. Structurally the store's. */
export interface SiteLike {
  userId: string
  /** Canonical. */
  host: string
  /** When it was added, Unix milliseconds. */
  createdMs: number
}

/** A user, as far as it matters here. Structurally the store's. */
export interface UserLike extends Partial<Allowance> {
  id: string
  allowed: Allowed
}

/** What a user is shown of an attack on an address: all, or the totals without who sends it. */
export type View = 'all' | 'totals'

/** What somebody has a say over: a network, a name, or a domain with all below it. */
export type Scope =
  | { kind: 'network'; prefix: Prefix }
  | { kind: 'host'; name: string }
  | { kind: 'domain'; name: string }

export interface Claim {
  userId: string
  scope: Scope
  /**
   * Null: it is in order. Else it is weak, since then (Unix milliseconds): it counts only as long as nobody else has one that is in order, and
   * not for what was added later.
   */
  missingSinceMs: number | null
}

type Holder = Omit<Claim, 'scope'>

/** How a user is judged: `any`, anything; `limited`, names count as far as they lead into the networks; `claims`, what others may not have. */
type Rule = { kind: 'any' } | { kind: 'limited'; networks: readonly Prefix[] } | { kind: 'claims' }

const anything: Rule = { kind: 'any' }
const byClaims: Rule = { kind: 'claims' }

export interface AuthorityInput {
  users: Iterable<UserLike>
  /** All of them: those of users who may watch anything are nobody else's. */
  sites: Iterable<SiteLike>
  /** By proof. */
  claims: Iterable<Claim>
  access: AccessSettings
}

export class Authority {
  readonly #allowed: ReadonlyMap<string, Allowed>
  readonly #rules = new Map<string, Rule>()
  /** For a user who is not known. */
  readonly #otherwise: Rule
  /** Sorted, disjoint pairs of first and last address. */
  readonly #shared: Uint32Array
  /** By prefix length and network. */
  readonly #networks = new Map<number, Map<number, Holder[]>>()
  readonly #hosts = new Map<string, Holder[]>()
  readonly #domains = new Map<string, Holder[]>()

  constructor({ users, sites, claims, access }: AuthorityInput) {
    const all = [...users]
    this.#allowed = new Map(all.map(({ id, allowed }) => [id, allowed]))
    const shared = readNetworks(access.sharedNetworks)
    this.#shared = mergeRanges(shared.map((prefix) => [prefix.network, lastAddress(prefix)]))
    this.#otherwise = hasToHaveSay(access.policy) ? byClaims : anything
    const trusted = new Set<string>()
    for (const { id, policy, allowed } of all) {
      const inForce = policy ?? access.policy
      this.#rules.set(id, ruleOf(hasToHaveSay(inForce), allowed))
      if (inForce === 'single') trusted.add(id)
      for (const prefix of readNetworks(allowed?.networks ?? []))
        this.#hold({ userId: id, scope: { kind: 'network', prefix }, missingSinceMs: null })
      for (const name of readDomains(allowed?.domains ?? []))
        this.#hold({ userId: id, scope: { kind: 'domain', name }, missingSinceMs: null })
    }
    if (trusted.size < all.length) this.#holdSites(sites, trusted)
    for (const claim of claims) this.#hold(claim)
  }

  /** Whether the host record is the user's to watch, as a site that was added then. */
  mayWatch(userId: string, record: HostRecord, addedMs: number): boolean {
    if (this.#ruleOf(userId).kind !== 'claims') return allowedBy(this.#allowed.get(userId) ?? null, record)
    if (record.kind === 'ipv4' || record.kind === 'cidr') return this.#hasNetwork(userId, prefixOf(record), addedMs)
    const name = record.kind === 'wildcard' ? record.zone : record.host
    const holders = [name, ...ancestors(name)].flatMap((zone) => this.#domains.get(zone) ?? [])
    const ofHost = this.#hosts.get(name) ?? []
    if (record.kind === 'wildcard') return isOf({ userId, addedMs }, holders, ofHost)
    return isOf({ userId, addedMs }, [...holders, ...ofHost])
  }

  /** What the user is shown of attacks on the address, when a name of theirs leads there; null: nothing. */
  viewOf(userId: string, address: number): View | null {
    const rule = this.#ruleOf(userId)
    if (rule.kind === 'any') return 'all'
    if (rule.kind === 'limited') return isWithinAny(rule.networks, address) ? 'all' : null
    if (this.#hasNetwork(userId, { network: address, length: 32 })) return 'all'
    if (isInRanges(this.#shared, address)) return 'totals'
    const isAnothers = this.#holders({ network: address, length: 32 }).some((holder) => holder.userId !== userId)
    return isAnothers ? null : 'totals'
  }

  /** Whether the user may be told that a name of theirs leads to the address: no more than the name itself says, nor whose the address is. */
  mayBeListed(userId: string, address: number): boolean {
    return this.#ruleOf(userId).kind === 'claims' || this.viewOf(userId, address) !== null
  }

  /** Whether the user may know who sends traffic to any of the addresses. */
  mayKnowSources(userId: string, addresses: readonly number[]): boolean {
    if (this.#ruleOf(userId).kind !== 'claims') return true
    return addresses.every((address) => this.#hasNetwork(userId, { network: address, length: 32 }))
  }

  /** Whether the address is the user's by more than a name that leads there. */
  hasAddress(userId: string, address: number): boolean {
    return this.viewOf(userId, address) === 'all'
  }

  #ruleOf(userId: string): Rule {
    return this.#rules.get(userId) ?? this.#otherwise
  }

  /** A claim that is weak does not hold against one of a part of the network either. */
  #hasNetwork(userId: string, prefix: Prefix, addedMs = Number.NEGATIVE_INFINITY): boolean {
    return isOf({ userId, addedMs }, this.#holders(prefix), this.#holdersWithin(prefix))
  }

  /** Of networks that hold all of it. */
  #holders({ network, length }: Prefix): Holder[] {
    const found: Holder[] = []
    for (const [ofLength, networks] of this.#networks)
      if (ofLength <= length) found.push(...(networks.get(networkOf(network, ofLength)) ?? []))
    return found
  }

  /** Of networks that are a part of it. */
  #holdersWithin(prefix: Prefix): Holder[] {
    if (prefix.length === 32) return []
    const found: Holder[] = []
    for (const [length, networks] of this.#networks) {
      if (length <= prefix.length) continue
      const last = lastAddress(prefix)
      for (let at = prefix.network; at <= last; at += 2 ** (32 - length)) found.push(...(networks.get(at) ?? []))
    }
    return found
  }

  #holdSites(sites: Iterable<SiteLike>, trusted: ReadonlySet<string>): void {
    for (const { userId, host, createdMs } of sites) {
      const record = trusted.has(userId) ? parseAnyHostRecord(host) : null
      if (record?.ok !== true || !('first' in record) || !this.mayWatch(userId, record, createdMs)) continue
      this.#hold({ userId, scope: { kind: 'network', prefix: prefixOf(record) }, missingSinceMs: null })
    }
  }

  #hold({ scope, ...holder }: Claim): void {
    if (scope.kind === 'network') {
      const { length, network } = scope.prefix
      const ofLength = this.#networks.get(length) ?? new Map<number, Holder[]>()
      this.#networks.set(length, ofLength)
      push(ofLength, network, holder)
    } else push(scope.kind === 'host' ? this.#hosts : this.#domains, scope.name, holder)
  }
}

function ruleOf(isByClaims: boolean, allowed: Allowed): Rule {
  if (isByClaims) return byClaims
  if (allowed === null || allowed.networks.length === 0) return anything
  return { kind: 'limited', networks: readNetworks(allowed.networks) }
}

/**
 * One of the holders is the user; by weak claims alone only of what was added before one of them was weak, and while none of the others,
 * `rivals` among them, has one that is in order.
 */
function isOf(
  { userId, addedMs }: { userId: string; addedMs: number },
  holders: readonly Holder[],
  rivals: readonly Holder[] = [],
): boolean {
  const own = holders.filter((holder) => holder.userId === userId)
  if (own.some(({ missingSinceMs }) => missingSinceMs === null)) return true
  if (!own.some(({ missingSinceMs }) => addedMs < (missingSinceMs ?? 0))) return false
  return ![...holders, ...rivals].some((holder) => holder.userId !== userId && holder.missingSinceMs === null)
}

function isWithinAny(networks: readonly Prefix[], address: number): boolean {
  return networks.some((prefix) => contains(prefix, address))
}

function push<Key>(lists: Map<Key, Holder[]>, key: Key, holder: Holder): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [holder])
  else list.push(holder)
}
