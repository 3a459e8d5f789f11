// What the addresses of a network get together: of each /24 with traffic, and of each longer network that is watched. An attack spread over a part of a
// busy /24 hides in what is normal for the rest, and not in what is normal for that part.
import type { CounterColumns } from '../aggregate/sealed-slot.ts'
import { contains, networkOf, type Prefix } from '../net/prefix.ts'
import { total } from '../vectors/compile.ts'
import { ClassSums } from './difference-sums.ts'
import type { PriorOf } from './prior.ts'
import type { RowRange } from './series.ts'
import type { Target, TargetOrigin } from './target.ts'

/** Of the networks that every address is in one of. */
export const wholeLength = 24
/** Networks in one of these may be attacked together. */
export const blockLength = 16
/** Eight addresses: an attack on fewer is none on a network. */
export const longestLength = 29

/** The first address of the /24. */
export function networkAt(address: number): number {
  return networkOf(address, wholeLength)
}

/** Whether a target is an address or a network within the network. */
export function isWithin({ address, length }: PlaceOfTarget, network: PlaceOfTarget): boolean {
  return length >= network.length && networkOf(address, network.length) === network.address
}

type PlaceOfTarget = Pick<Target, 'address' | 'length'>

interface NetworksOptions {
  /** What is normal for other /24s. */
  priorOfWhole: PriorOf
  /** A network had no place for all of its classes. */
  onClassRefused: () => void
  /** Null: there is no room beside the `known`. */
  create: (place: Omit<TargetOrigin, 'memory'>, known: number, nowMs: number) => Target | null
}

export class Networks {
  /** Those with traffic that was not judged yet; one that holds others comes before them. */
  readonly changed: Target[] = []
  readonly #options: NetworksOptions
  /** By the first address of their /24, the shortest first. */
  readonly #known = new Map<number, Target[]>()
  /** The longer ones that are watched, likewise. */
  #watched = new Map<number, Prefix[]>()
  /** The /24s, by their /16. */
  readonly #blocks = new Map<number, Target[]>()
  readonly #sums = new ClassSums()
  #size = 0

  constructor(options: NetworksOptions) {
    this.#options = options
  }

  /** Replaces the longer ones that are watched; those that are too short or too long are left out. */
  watch(prefixes: Iterable<Prefix>): void {
    this.#watched = new Map()
    for (const prefix of prefixes) this.#watch(prefix)
  }

  isWatched({ address, length }: Target): boolean {
    if (length === wholeLength) return true
    return this.#watchedAt(address).some((prefix) => prefix.network === address && prefix.length === length)
  }

  /** All of them, /24 by /24. */
  get wholes(): Target[] {
    return Array.from(this.#known.values(), ([first]) => first).filter(({ length }) => length === wholeLength)
  }

  /** The /24s of a /16 that had traffic, by address. */
  inBlock(address: number): readonly Target[] {
    return this.#blocks.get(networkOf(address, blockLength)) ?? none
  }

  /** Those that hold an address, or a network that is longer, the shortest first; areas come before all. */
  holding(target: PlaceOfTarget): Target[] {
    if (target.length < wholeLength) return []
    const known = this.#knownAt(target.address)
    const networks = known.filter((each) => each.length < target.length && isWithin(target, each))
    const [whole] = known
    return whole === undefined || whole.areas.length === 0 ? networks : [...whole.areas, ...networks]
  }

  /** The longer ones in a network, the /24s of an area among them. */
  within(network: Target): Target[] {
    if (network.wholes.length > 0) return network.wholes.flatMap((whole) => [whole, ...this.within(whole)])
    return this.#knownAt(network.address).filter((each) => each.length > network.length && isWithin(each, network))
  }

  /** The other networks that have addresses in common with it. */
  relatedTo(network: Target): Target[] {
    return [...this.holding(network), ...this.within(network)]
  }

  /** From before the start: a longer one is watched until others are said to be. */
  resume(network: Prefix, nowMs: number): Target | null {
    this.#watch(network)
    return this.#targetOf(network, nowMs)
  }

  /** Applies what addresses of one /24 got: `parts` are the rows of each, in their order. */
  raise(counters: CounterColumns, parts: readonly RowRange[], nowMs: number): void {
    if (parts.length === 0) return
    const network = networkAt(counters.address[parts[0].from])
    this.#raise(this.#targetOf({ network, length: wholeLength }, nowMs), counters, parts)
    for (const prefix of this.#watchedAt(network)) {
      const own = parts.filter(({ from }) => contains(prefix, counters.address[from]))
      if (own.length > 0) this.#raise(this.#targetOf(prefix, nowMs), counters, own)
    }
  }

  forget(network: Target): void {
    const page = networkAt(network.address)
    const others = this.#knownAt(page).filter((each) => each !== network)
    if (others.length === 0) this.#known.delete(page)
    else this.#known.set(page, others)
    this.#size--
    if (network.length > wholeLength) return
    const block = networkOf(network.address, blockLength)
    const left = this.inBlock(block).filter((each) => each !== network)
    if (left.length === 0) this.#blocks.delete(block)
    else this.#blocks.set(block, left)
  }

  #raise(network: Target | null, counters: CounterColumns, parts: readonly RowRange[]): void {
    if (network === null) return
    for (const rows of parts) this.#sums.add(counters, rows)
    if (!network.isChanged) this.changed.push(network)
    this.#sums.take((trafficClass, sums, rows) => {
      for (const target of [network, ...network.areas]) {
        if (trafficClass === total) target.raiseTotal(sums, rows)
        else if (!target.raise(trafficClass, sums, rows)) this.#options.onClassRefused()
      }
    })
  }

  #watch(prefix: Prefix): void {
    const { network, length } = prefix
    if (length <= wholeLength || length > longestLength) return
    const others = this.#watchedAt(network)
    if (others.some((other) => other.network === network && other.length === length)) return
    this.#watched.set(networkAt(network), [...others, prefix].sort(shortestFirst))
  }

  #targetOf({ network, length }: Prefix, nowMs: number): Target | null {
    const others = this.#knownAt(network)
    const found = others.find((each) => each.address === network && each.length === length)
    if (found !== undefined) return found
    // A new one has no more than what is normal for its /24.
    const priorOf = length === wholeLength ? this.#options.priorOfWhole : this.#levelOfWhole(network)
    const made = this.#options.create({ address: network, length, priorOf }, this.#size, nowMs)
    if (made === null) return null
    this.#known.set(networkAt(network), [...others, made].sort(shortestFirst))
    this.#size++
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

  #watchedAt(address: number): readonly Prefix[] {
    return this.#watched.get(networkAt(address)) ?? none
  }
}

const none: readonly never[] = []

function shortestFirst(a: { length: number }, b: { length: number }): number {
  return a.length - b.length
}
