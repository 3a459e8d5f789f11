// Who may send flows: addresses and prefixes, IPv4 and IPv6. An empty list lets everybody. Refused senders are counted, and the busiest are known
// by address.
import { BlockList } from 'node:net'
import { parseAddressRange } from '../net/address-range.ts'
import type { RefusedSender } from './health/reception.ts'
import { TopSenders } from './top-senders.ts'

/** Addresses whose verdict is remembered: looking one up in the list takes longer. */
const verdictsMax = 4_096

export class AllowList {
  readonly #list = new BlockList()
  readonly #verdicts = new Map<string, boolean>()
  readonly #refused = new TopSenders()
  /** Everybody may send. */
  readonly isOpen: boolean
  /** Datagrams refused. */
  refused = 0

  /** The entries have been checked: see `parseAddressRange`. */
  constructor(entries: readonly string[]) {
    this.isOpen = entries.length === 0
    for (const text of entries) {
      const entry = parseAddressRange(text)
      if (entry === null) throw new TypeError(`neither an address nor a prefix: ${text}`)
      if (entry.length === null) this.#list.addAddress(entry.address, entry.family)
      else this.#list.addSubnet(entry.address, entry.length, entry.family)
    }
  }

  /** Whether a datagram of this sender is let in; counts it when it is not. */
  admits(address: string, nowMs: number): boolean {
    if (this.isOpen || this.#isAllowed(address)) return true
    this.refused++
    this.#refused.note(address, nowMs)
    return false
  }

  /** Those who were refused most, the most first. */
  refusedSenders(): RefusedSender[] {
    return this.#refused.list()
  }

  #isAllowed(address: string): boolean {
    const known = this.#verdicts.get(address)
    if (known !== undefined) return known
    if (this.#verdicts.size >= verdictsMax) this.#verdicts.clear()
    // Link-local addresses come with their interface.
    const bare = address.replace(/%.*$/, '')
    const isAllowed = this.#list.check(bare, bare.includes(':') ? 'ipv6' : 'ipv4')
    this.#verdicts.set(address, isAllowed)
    return isAllowed
  }
}
