// Names that the reverse DNS has for watched addresses and that lead there: what the owner of an address may want as a site. They follow from the
// public DNS alone, whoever has which sites.
import { keyRange, type Network } from '../../net/network.ts'

export interface Suggestion {
  name: string
  address: number
  /** Unix milliseconds. */
  confirmedMs: number
}

/** Bounds in all, and for one address. */
const suggestionsMax = 200_000
const perAddressMax = 4

export class Suggestions {
  /** Number of suggestions that were refused because there were too many. */
  omitted = 0
  #size = 0
  readonly #byAddress = new Map<number, Suggestion[]>()

  get size(): number {
    return this.#size
  }

  add(address: number, name: string, confirmedMs: number): void {
    const known = this.#byAddress.get(address) ?? []
    const same = known.find((each) => each.name === name)
    if (same !== undefined) {
      same.confirmedMs = confirmedMs
      return
    }
    if (known.length >= perAddressMax || this.#size >= suggestionsMax) {
      this.omitted++
      return
    }
    known.push({ name, address, confirmedMs })
    this.#size++
    this.#byAddress.set(address, known)
  }

  /** Suggestions for the addresses of the network, in order of address. */
  of(network: Network): Suggestion[] {
    const { first, last } = keyRange(network)
    const found: Suggestion[] = []
    for (let address = first; address <= last; address++) found.push(...(this.#byAddress.get(address) ?? []))
    return found
  }

  /** The names of all addresses; a name may come more than once. */
  *names(): Generator<string> {
    for (const known of this.#byAddress.values()) for (const { name } of known) yield name
  }

  prune(confirmedBeforeMs: number): void {
    for (const [address, known] of this.#byAddress) {
      const kept = known.filter(({ confirmedMs }) => confirmedMs >= confirmedBeforeMs)
      this.#size -= known.length - kept.length
      if (kept.length === 0) this.#byAddress.delete(address)
      else this.#byAddress.set(address, kept)
    }
  }
}
