// The sums of networks: of each /24 with traffic, and of each longer network that is watched. An attack on a part of a busy /24 hides in what is normal for the
// whole, and not in what is normal for that part.
import type { CounterColumns } from '../../aggregate/sealed-slot.ts'
import { containsKey, type NetworkKey, neighbourLength, networkOf } from '../../net/network.ts'
import { total } from '../../vectors/compile.ts'
import type { PriorOf } from '../normal/prior.ts'
import type { Target } from '../targets/target.ts'
import type { TargetOrigin } from '../targets/target-origin.ts'
import { ClassSums } from './difference-sums.ts'
import { mostPackets, type RowRange } from './series.ts'

/** Prefix length of the networks that carpet bombing is summed over: every address is in one of them. */
export const wholeLength = neighbourLength
/** Prefix length of the networks whose networks may be attacked together. */
export const blockLength = 16
/** Longest prefix of a network that is summed: eight addresses. An attack on fewer is an attack on each of them. */
export const longestLength = 29

/** First address of the /24 of an address. */
export function networkAt(address: number): number {
  return networkOf(address, wholeLength)
}

/** Whether a target is an address or a network within the network. */
export function isWithin({ address, length }: PlaceOfTarget, network: PlaceOfTarget): boolean {
  return length >= network.length && networkOf(address, network.length) === network.address
}

type PlaceOfTarget = Pick<Target, 'address' | 'length'>

interface NetworksOptions {
  /** Normal of other /24s. */
  priorOfWhole: PriorOf
  /** Called when a network has no place for all of its classes. */
  onClassRefused: () => void
  /** Makes a target; null when there is no room. `rate`: of what has come, packets a second. It may `forget` others. */
  create: (place: Omit<TargetOrigin, 'memory'>, rate: number, nowMs: number) => Target | null
}

export class Networks {
  /** Networks with traffic that was not judged yet; one that holds others comes before them. */
  readonly changed = new Set<Target>()
  readonly #options: NetworksOptions
  /** Networks by the first address of their /24, the shortest first. */
  readonly #known = new Map<number, Target[]>()
  /** Longer networks that are watched, likewise. */
  #watched = new Map<number, NetworkKey[]>()
  /** The /24s by their /16. */
  readonly #blocks = new Map<number, Target[]>()
  readonly #sums = new ClassSums()

  constructor(options: NetworksOptions) {
    this.#options = options
  }

  /** Replaces the longer networks that are watched; prefixes too short or too long are left out. */
  watch(prefixes: Iterable<NetworkKey>): void {
    this.#watched = new Map()
    for (const prefix of prefixes) this.#watch(prefix)
  }

  isWatched({ address, length }: Target): boolean {
    if (length === wholeLength) return true
    return this.#watchedAt(address).some((prefix) => prefix.network === address && prefix.length === length)
  }

  /** All /24s. */
  get wholes(): Target[] {
    return Array.from(this.#known.values(), ([first]) => first).filter(({ length }) => length === wholeLength)
  }

  /** The /24s of a /16 that had traffic, by address. */
  inBlock(address: number): readonly Target[] {
    return this.#blocks.get(networkOf(address, blockLength)) ?? none
  }

  /** Networks that hold a target, the shortest first; areas come before all. */
  holding(target: PlaceOfTarget): Target[] {
    if (target.length < wholeLength) return []
    const known = this.#knownAt(target.address)
    const networks = known.filter((each) => each.length < target.length && isWithin(target, each))
    const [whole] = known
    return whole === undefined || whole.areas.length === 0 ? networks : [...whole.areas, ...networks]
  }

  /** Longer networks within a network, and the /24s of an area. */
  within(network: Target): Target[] {
    if (network.wholes.length > 0) return network.wholes.flatMap((whole) => [whole, ...this.within(whole)])
    return this.#knownAt(network.address).filter((each) => each.length > network.length && isWithin(each, network))
  }

  /** The other networks that have addresses in common with it. */
  relatedTo(network: Target): Target[] {
    return [...this.holding(network), ...this.within(network)]
  }

  /** Continues a network from before a restart: a longer one is watched until `watch` is called. */
  resume(network: NetworkKey, nowMs: number): Target | null {
    this.#watch(network)
    return this.#targetOf(network, () => 0, nowMs)
  }

  /** Applies the rows of addresses of one /24: `parts` has those of each, in the order of addresses. */
  raise(counters: CounterColumns, parts: readonly RowRange[], nowMs: number): void {
    if (parts.length === 0) return
    const network = networkAt(counters.address[parts[0].from])
    const rateOf = (own: readonly RowRange[]) => () => own.reduce((sum, rows) => sum + mostPackets(counters, rows), 0)
    this.#raise(this.#targetOf({ network, length: wholeLength }, rateOf(parts), nowMs), counters, parts)
    for (const prefix of this.#watchedAt(network)) {
      const own = parts.filter(({ from }) => containsKey(prefix, counters.address[from]))
      if (own.length > 0) this.#raise(this.#targetOf(prefix, rateOf(own), nowMs), counters, own)
    }
  }

  forget(network: Target): void {
    const page = networkAt(network.address)
    const others = this.#knownAt(page).filter((each) => each !== network)
    if (others.length === 0) this.#known.delete(page)
    else this.#known.set(page, others)
    if (network.length > wholeLength) return
    const block = networkOf(network.address, blockLength)
    const left = this.inBlock(block).filter((each) => each !== network)
    if (left.length === 0) this.#blocks.delete(block)
    else this.#blocks.set(block, left)
  }

  #raise(network: Target | null, counters: CounterColumns, parts: readonly RowRange[]): void {
    if (network === null) return
    for (const rows of parts) this.#sums.add(counters, rows)
    this.changed.add(network)
    this.#sums.take((trafficClass, sums, rows) => {
      for (const target of [network, ...network.areas]) {
        if (trafficClass === total) target.raiseTotal(sums, rows)
        else if (!target.raise(trafficClass, sums, rows)) this.#options.onClassRefused()
      }
    })
  }

  #watch(prefix: NetworkKey): void {
    const { network, length } = prefix
    if (length <= wholeLength || length > longestLength) return
    const others = this.#watchedAt(network)
    if (others.some((other) => other.network === network && other.length === length)) return
    this.#watched.set(networkAt(network), [...others, prefix].sort(shortestFirst))
  }

  #targetOf({ network, length }: NetworkKey, rateOf: () => number, nowMs: number): Target | null {
    const found = this.#knownAt(network).find((each) => each.address === network && each.length === length)
    if (found !== undefined) return found
    // The normal of a new network is at most that of its /24.
    const priorOf = length === wholeLength ? this.#options.priorOfWhole : this.#levelOfWhole(network)
    const made = this.#options.create({ address: network, length, priorOf }, rateOf(), nowMs)
    if (made === null) return null
    this.#known.set(networkAt(network), [...this.#knownAt(network), made].sort(shortestFirst))
    if (length === wholeLength) {
      const block = networkOf(network, blockLength)
      this.#blocks.set(
        block,
        [...this.inBlock(block), made].sort((a, b) => a.address - b.address),
      )
    }
    return made
  }

  #levelOfWhole(address: number): PriorOf {
    return (trafficClass) => {
      const [whole] = this.#knownAt(address)
      return whole?.length === wholeLength ? (whole.series.get(trafficClass)?.baseline.level ?? 0) : 0
    }
  }

  #knownAt(address: number): readonly Target[] {
    return this.#known.get(networkAt(address)) ?? none
  }

  #watchedAt(address: number): readonly NetworkKey[] {
    return this.#watched.get(networkAt(address)) ?? none
  }
}

const none: readonly never[] = []

function shortestFirst(a: { length: number }, b: { length: number }): number {
  return a.length - b.length
}
