// Decides what a user may watch and see, by what the operator gave them and what they proved: which of their host records are watched, and how
// much of an attack on an address they are shown. Control of a name is not control of the address that it leads to. Pure.
import { type AddressKey, addressFrom } from '../net/address.ts'
import { ancestors } from '../net/hostname.ts'
import {
  addressLength,
  contains,
  lastKey,
  type Network,
  type NetworkKey,
  networkKey,
  networkOf,
  networkRanges,
} from '../net/network.ts'
import { isInRanges } from '../net/ranges.ts'
import { type Allowed, compileAllowed, type HostRecord, readDomains, readNetworks } from './host-record.ts'
import { type Allowance, hasToHaveSay } from './policy.ts'
import type { AccessSettings } from './settings.ts'

/** An enabled site. Structurally the store's. */
export interface SiteLike {
  userId: string
  /** Null: a host that is no longer accepted. */
  record: HostRecord | null
  /** When it was added, Unix milliseconds. */
  createdMs: number
  /** When it was added or enabled last, likewise. */
  watchedMs: number
}

/** The part of a user that counts here. Structurally the store's. */
export interface UserLike extends Partial<Allowance> {
  id: string
  allowed: Allowed
}

/** How much of an attack on an address a user is shown: all of it, or the totals without the senders. */
export type View = 'all' | 'totals'

/** The thing that a claim is about: a network, a name, or a domain with all names below it. */
export type Scope =
  | { kind: 'network'; network: Network }
  | { kind: 'host'; name: string }
  | { kind: 'domain'; name: string }

export interface Claim {
  userId: string
  scope: Scope
  /**
   * Null: the claim is in order. Else the time since when it is weak (Unix milliseconds): a weak claim counts only while nobody else has one
   * that is in order, and never for sites that were added later.
   */
  missingSinceMs: number | null
}

type Holder = Omit<Claim, 'scope'>

/** The rule for a user: `any`, anything; `limited`, names count where they lead into the networks; `claims`, only what the user may claim. */
type Rule = { kind: 'any' } | { kind: 'limited'; networks: readonly Network[] } | { kind: 'claims' }

const anything: Rule = { kind: 'any' }
const byClaims: Rule = { kind: 'claims' }

export interface AuthorityInput {
  users: Iterable<UserLike>
  /** All sites: address sites of trusted users are claims of theirs. */
  sites: Iterable<SiteLike>
  /** The claims by proof. */
  claims: Iterable<Claim>
  access: AccessSettings
}

export class Authority {
  /** Users under `single`. */
  readonly #colleagues: ReadonlySet<string>
  readonly #allowed: ReadonlyMap<string, (record: HostRecord) => boolean>
  readonly #rules = new Map<string, Rule>()
  /** The rule for an unknown user. */
  readonly #otherwise: Rule
  /** The shared networks, as `mergeRanges` makes them. */
  readonly #shared: Uint32Array
  /** The holders of networks, by prefix length and the key of the first address. */
  readonly #networks = new Map<number, Map<AddressKey, Holder[]>>()
  readonly #hosts = new Map<string, Holder[]>()
  readonly #domains = new Map<string, Holder[]>()

  constructor({ users, sites, claims, access }: AuthorityInput) {
    const all = [...users]
    this.#allowed = new Map(all.map(({ id, allowed }) => [id, compileAllowed(allowed)]))
    this.#shared = networkRanges(readNetworks(access.sharedNetworks))
    this.#otherwise = hasToHaveSay(access.policy) ? byClaims : anything
    const trusted = new Set<string>()
    for (const { id, policy, allowed } of all) {
      const inForce = policy ?? access.policy
      this.#rules.set(id, ruleOf(hasToHaveSay(inForce), allowed))
      if (inForce === 'single') trusted.add(id)
      for (const network of readNetworks(allowed?.networks ?? []))
        this.#hold({ userId: id, scope: { kind: 'network', network }, missingSinceMs: null })
      for (const name of readDomains(allowed?.domains ?? []))
        this.#hold({ userId: id, scope: { kind: 'domain', name }, missingSinceMs: null })
    }
    this.#colleagues = trusted
    if (trusted.size < all.length) this.#holdSites(sites, trusted)
    for (const claim of claims) this.#hold(claim)
  }

  /** Whether the user may watch the host record, as a site that was added at that time. */
  mayWatch(userId: string, record: HostRecord, addedMs: number): boolean {
    if (this.#ruleOf(userId).kind !== 'claims') return this.#allowed.get(userId)?.(record) ?? true
    if (record.kind === 'ipv4' || record.kind === 'cidr')
      return this.#hasNetwork(userId, networkKey(record.network), addedMs)
    const name = record.kind === 'wildcard' ? record.zone : record.host
    const holders = [name, ...ancestors(name)].flatMap((zone) => this.#domains.get(zone) ?? [])
    const ofHost = this.#hosts.get(name) ?? []
    if (record.kind === 'wildcard') return isHeldBy({ userId, addedMs }, holders, ofHost)
    return isHeldBy({ userId, addedMs }, [...holders, ...ofHost])
  }

  /** How much the user is shown of attacks on an address that a name of theirs leads to; null: nothing. */
  viewOf(userId: string, address: AddressKey): View | null {
    const rule = this.#ruleOf(userId)
    if (rule.kind === 'any') return 'all'
    if (rule.kind === 'limited') return isWithinAny(rule.networks, address) ? 'all' : null
    if (this.#hasNetwork(userId, single(address))) return 'all'
    if (isInRanges(this.#shared, address)) return 'totals'
    const isAnothers = this.#holders(single(address)).some((holder) => holder.userId !== userId)
    return isAnothers ? null : 'totals'
  }

  /** Whether the user may see that a name of theirs leads to the address: the DNS says so to anyone; whose address it is stays hidden. */
  mayBeListed(userId: string, address: AddressKey): boolean {
    return this.#ruleOf(userId).kind === 'claims' || this.viewOf(userId, address) !== null
  }

  /** Whether the user may know who sends traffic to any of the addresses. */
  mayKnowSources(userId: string, addresses: readonly AddressKey[]): boolean {
    if (this.#ruleOf(userId).kind !== 'claims') return true
    return addresses.every((address) => this.#hasNetwork(userId, single(address)))
  }

  /** Whether the user is of the one organisation whose members share what was learnt of an address. */
  isColleague(userId: string): boolean {
    return this.#colleagues.has(userId)
  }

  /** Whether the address is the user's by more than a name that leads there. */
  hasAddress(userId: string, address: AddressKey): boolean {
    return this.viewOf(userId, address) === 'all'
  }

  #ruleOf(userId: string): Rule {
    return this.#rules.get(userId) ?? this.#otherwise
  }

  /** Whether the network is the user's. A weak claim gives way to a claim to a part of the network too. */
  #hasNetwork(userId: string, network: NetworkKey, addedMs = Number.NEGATIVE_INFINITY): boolean {
    return isHeldBy({ userId, addedMs }, this.#holders(network), this.#holdersWithin(network))
  }

  /** The holders of networks that contain all of it. */
  #holders({ network, length }: NetworkKey): Holder[] {
    const found: Holder[] = []
    for (const [ofLength, networks] of this.#networks)
      if (ofLength <= length) found.push(...(networks.get(networkOf(network, ofLength)) ?? []))
    return found
  }

  /** The holders of networks that are a part of it. */
  #holdersWithin(outer: NetworkKey): Holder[] {
    if (outer.length === addressLength) return []
    const found: Holder[] = []
    for (const [length, networks] of this.#networks) {
      if (length <= outer.length) continue
      const last = lastKey(outer)
      for (let at = outer.network; at <= last; at += 2 ** (addressLength - length))
        found.push(...(networks.get(at) ?? []))
    }
    return found
  }

  #holdSites(sites: Iterable<SiteLike>, trusted: ReadonlySet<string>): void {
    for (const { userId, record, createdMs } of sites) {
      if (record === null || !('network' in record) || !trusted.has(userId)) continue
      if (!this.mayWatch(userId, record, createdMs)) continue
      this.#hold({ userId, scope: { kind: 'network', network: record.network }, missingSinceMs: null })
    }
  }

  #hold({ scope, ...holder }: Claim): void {
    if (scope.kind === 'network') {
      const { length, network } = networkKey(scope.network)
      const ofLength = this.#networks.get(length) ?? new Map<AddressKey, Holder[]>()
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
 * Whether the user is one of the holders. Weak claims alone count only for a site that was added before one of them was weak, and while no
 * other holder, nor any of the `rivals`, has a claim that is in order.
 */
function isHeldBy(
  { userId, addedMs }: { userId: string; addedMs: number },
  holders: readonly Holder[],
  rivals: readonly Holder[] = [],
): boolean {
  const own = holders.filter((holder) => holder.userId === userId)
  if (own.some(({ missingSinceMs }) => missingSinceMs === null)) return true
  if (!own.some(({ missingSinceMs }) => addedMs < (missingSinceMs ?? 0))) return false
  return ![...holders, ...rivals].some((holder) => holder.userId !== userId && holder.missingSinceMs === null)
}

function isWithinAny(networks: readonly Network[], address: AddressKey): boolean {
  return networks.some((network) => contains(network, addressFrom(address)))
}

function single(address: AddressKey): NetworkKey {
  return { network: address, length: addressLength }
}

function push<Key>(lists: Map<Key, Holder[]>, key: Key, holder: Holder): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [holder])
  else list.push(holder)
}
