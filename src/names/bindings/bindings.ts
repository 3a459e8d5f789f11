// Which name led to which address, through which aliases, over which time. A binding is live, that is, its address is watched, until
// its TTL and the grace period after its last confirmation have passed; past that it is kept a while for the events that it explains. When there are too
// many in all, those of the user with most give way.
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'
import { CrowdedOut } from './crowded-out.ts'

export type NameOrAddress = { name: string } | { address: number }

/** A binding in the form of the store. Times are Unix milliseconds. */
export interface SavedBinding {
  name: string
  address: number
  /** Alias targets on the way from the name to the address, in order. */
  chain: string[]
  fromMs: number
  confirmedMs: number
  ttlSeconds: number
}

/**
 * The kind of sender that an observation came from: the resolvers that are asked, for a name that was looked for; a zone transfer; dnstap; an
 * import. `told`: dnstap or an import, by a version that did not keep which.
 */
export const observationSources = ['found', 'zone', 'dnstap', 'import', 'told'] as const
export type ObservationSource = (typeof observationSources)[number]

/** A binding in passive-DNS form, as the store has it. */
export interface SavedObservation extends SavedBinding {
  /** The time of the first observation; `fromMs` is the time when it last became live. */
  firstMs: number
  /** Number of observations. */
  count: number
  source: ObservationSource
  /** The name of the last sender; empty: the resolvers that are asked. */
  sensor: string
}

export interface Binding extends SavedObservation {
  /** The time until which it is live. */
  validToMs: number
}

export interface BindingsOptions {
  graceMs: number
  /** How long after its last confirmation a binding may be held by failures. */
  staleMs: number
  /** The users for whom a name is known; left out: nobody holds more than another. */
  holdersOf?: (name: string) => Iterable<string>
  /** Most bindings in all. */
  bindingsMax?: number
}

export interface Resolution {
  addresses: readonly number[]
  chain: string[]
  ttlSeconds: number
  /** Left out: the resolvers that are asked. */
  source?: ObservationSource
  sensor?: string
}

/** How long a binding is kept after it ended. */
const keepMs = 24 * 3_600_000
const addressesPerNameMax = 256
const bindingsMaxDefault = 500_000

export class Bindings {
  /** Bindings dropped early, since their name had too many addresses. */
  evicted = 0
  /** Names without some of their addresses, since there are too many bindings in all. */
  readonly crowdedOut = new CrowdedOut()
  readonly #options: BindingsOptions
  readonly #table: FairTable<Binding>
  readonly #places = new Map<Binding, Place<Binding>>()
  readonly #byName = new Map<string, Map<number, Binding>>()
  readonly #byAddress = new Map<number, Set<Binding>>()

  constructor(options: BindingsOptions) {
    this.#options = options
    this.#table = new FairTable({
      max: options.bindingsMax ?? bindingsMaxDefault,
      onGiveWay: (binding, { holder }) => {
        this.#delete(binding)
        this.crowdedOut.add(binding.name, holder)
      },
    })
  }

  get size(): number {
    return this.#table.size
  }

  crowding(): Crowding {
    return this.#table.crowding()
  }

  /** Whether a name is known that led to the address. */
  has(address: number): boolean {
    return this.#byAddress.has(address)
  }

  /** Every binding of an address, live or not. */
  at(address: number): Iterable<Binding> {
    return this.#byAddress.get(address) ?? []
  }

  of(name: string): Iterable<Binding> {
    return this.#byName.get(name)?.values() ?? []
  }

  /** How many addresses the name has. */
  sizeOf(name: string): number {
    return this.#byName.get(name)?.size ?? 0
  }

  isLive({ name, address }: { name: string; address: number }, nowMs: number): boolean {
    const binding = this.#byName.get(name)?.get(address)
    return binding !== undefined && binding.validToMs > nowMs
  }

  byAddress(): Iterable<[address: number, bindings: Iterable<Binding>]> {
    return this.#byAddress
  }

  *all(): Generator<Binding> {
    for (const bindings of this.#byName.values()) yield* bindings.values()
  }

  /** The name led there now. True when an address of the name has become live. */
  confirm(name: string, resolved: Resolution, nowMs: number): boolean {
    let changed = false
    const { chain, ttlSeconds, source = 'found', sensor = '' } = resolved
    for (const address of resolved.addresses) {
      const known = this.#byName.get(name)?.get(address)
      const live = known !== undefined && known.validToMs > nowMs
      const fromMs = live ? known.fromMs : nowMs
      const validToMs = this.#endOf(nowMs, ttlSeconds)
      const { firstMs, count } = known ?? { firstMs: nowMs, count: 0 }
      const times = { fromMs, confirmedMs: nowMs, validToMs, firstMs }
      const confirmed = { chain, ttlSeconds, ...times, count: count + 1, source, sensor }
      if (known !== undefined) {
        Object.assign(known, confirmed)
        this.#touch(known, nowMs)
      } else this.#add({ name, address, ...confirmed })
      changed ||= !live
    }
    if (this.crowdedOut.has(name)) this.#settle(name, resolved.addresses)
    return changed
  }

  /** The name led there at the times given, perhaps long ago. True when the address has become live. */
  include(given: SavedObservation, nowMs: number): boolean {
    const validToMs = this.#endOf(given.confirmedMs, given.ttlSeconds)
    const known = this.#byName.get(given.name)?.get(given.address)
    if (known === undefined)
      return validToMs + keepMs > nowMs && this.#add({ ...given, validToMs }) && validToMs > nowMs
    const wasLive = known.validToMs > nowMs
    const fromMs = Math.min(known.fromMs, given.fromMs)
    const isUnbroken = given.fromMs <= known.validToMs && known.fromMs <= validToMs
    const isLater = given.confirmedMs >= known.confirmedMs
    const firstMs = Math.min(known.firstMs, given.firstMs)
    const count = Math.max(known.count, given.count)
    if (isLater) Object.assign(known, given, { validToMs: Math.max(known.validToMs, validToMs) })
    Object.assign(known, { firstMs, count, ...(isUnbroken && { fromMs }) })
    return !wasLive && known.validToMs > nowMs
  }

  /** Nobody could say where the name leads: what is live stays so, up to a bound (serve-stale, RFC 8767). */
  hold(name: string, nowMs: number): void {
    const { graceMs, staleMs } = this.#options
    for (const binding of this.of(name)) {
      if (binding.validToMs <= nowMs || nowMs - binding.confirmedMs >= staleMs) continue
      binding.validToMs = Math.max(binding.validToMs, nowMs + graceMs)
    }
  }

  forget(name: string): void {
    for (const binding of [...this.of(name)]) this.#delete(binding)
    this.crowdedOut.delete(name)
  }

  /** Forgets what ended long ago. */
  prune(nowMs: number): void {
    for (const binding of this.all()) if (binding.validToMs + keepMs <= nowMs) this.#delete(binding)
  }

  /**
   * Takes what an earlier process saved. What was live when its name was last confirmed is live again for the grace period, however
   * long the service was down, up to the bound of stale answers.
   */
  load(saved: readonly (SavedBinding | SavedObservation)[], nowMs: number): void {
    const lastMs = new Map<string, number>()
    for (const { name, confirmedMs } of saved) lastMs.set(name, Math.max(lastMs.get(name) ?? 0, confirmedMs))
    for (const given of saved) {
      const confirmedMs = Math.min(given.confirmedMs, nowMs)
      const validToMs = this.#endOf(confirmedMs, given.ttlSeconds)
      const asked = { firstMs: given.fromMs, count: 1, source: 'found' as const, sensor: '' }
      const binding: Binding = { ...asked, ...given, confirmedMs, validToMs }
      if (binding.validToMs > (lastMs.get(given.name) ?? 0) && nowMs - confirmedMs < this.#options.staleMs) {
        binding.validToMs = Math.max(binding.validToMs, nowMs + this.#options.graceMs)
      }
      const known = this.#byName.get(given.name)?.has(given.address) === true
      if (!known && binding.validToMs + keepMs > nowMs) this.#add(binding)
    }
  }

  #endOf(confirmedMs: number, ttlSeconds: number): number {
    // A TTL of days does not keep an address watched for days: the name is asked again long before.
    return confirmedMs + Math.max(Math.min(ttlSeconds * 1_000, keepMs), this.#options.graceMs)
  }

  /** False: there is no room. */
  #add(binding: Binding): boolean {
    const ofName = this.#byName.get(binding.name) ?? new Map<number, Binding>()
    if (ofName.size >= addressesPerNameMax) {
      const oldest = [...ofName.values()].reduce((a, b) => (b.confirmedMs < a.confirmedMs ? b : a))
      this.#delete(oldest)
      this.evicted++
    }
    const holder = this.#holderOf(binding.name)
    const place = this.#table.take(binding, { holder, nowMs: binding.confirmedMs })
    if (place === null) {
      this.crowdedOut.add(binding.name, holder)
      return false
    }
    this.#places.set(binding, place)
    const atAddress = this.#byAddress.get(binding.address) ?? new Set<Binding>()
    this.#byName.set(binding.name, ofName.set(binding.address, binding))
    this.#byAddress.set(binding.address, atAddress.add(binding))
    return true
  }

  /** The name is whole again when all that it leads to has a place; as many addresses as one name may have are enough. */
  #settle(name: string, addresses: readonly number[]): void {
    const known = this.#byName.get(name)
    const places = addresses.filter((address) => known?.has(address) === true).length
    if (places >= Math.min(addresses.length, addressesPerNameMax)) this.crowdedOut.delete(name)
  }

  /** All users of the name together: what they share is nobody's alone, so that none of them loses it for what another holds. */
  #holderOf(name: string): string {
    const { holdersOf = () => [] } = this.#options
    return [...holdersOf(name)].sort().join(' ')
  }

  #touch(binding: Binding, nowMs: number): void {
    const place = this.#places.get(binding)
    if (place === undefined) return
    const holder = this.#holderOf(binding.name)
    if (holder === place.holder) {
      this.#table.touch(place, nowMs)
      return
    }
    // Its users are others now; after a start they are known later than what was saved.
    this.#table.leave(place)
    const taken = this.#table.take(binding, { holder, nowMs })
    if (taken === null) {
      this.#delete(binding)
      this.crowdedOut.add(binding.name, holder)
    } else this.#places.set(binding, taken)
  }

  #delete(binding: Binding): void {
    const ofName = this.#byName.get(binding.name)
    const atAddress = this.#byAddress.get(binding.address)
    ofName?.delete(binding.address)
    const place = this.#places.get(binding)
    if (place !== undefined) this.#table.leave(place)
    this.#places.delete(binding)
    atAddress?.delete(binding)
    if (ofName?.size === 0) this.#byName.delete(binding.name)
    if (atAddress?.size === 0) this.#byAddress.delete(binding.address)
  }
}
