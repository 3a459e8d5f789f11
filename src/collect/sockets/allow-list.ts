// Decides who may send flows, by addresses and prefixes, IPv4 and IPv6. An empty list admits everybody. Refused datagrams are counted, and the busiest
// senders are known by address.
import { BlockList } from 'node:net'
import { parseAddressRange } from '../../net/address-range.ts'
import type { RefusedSender } from '../health/reception.ts'
import { TopSenders } from './top-senders.ts'

/** Addresses whose verdict is remembered: a search of the list takes longer. */
const verdictsMax = 4_096

export class AllowList {
  readonly #list = new BlockList()
  readonly #verdicts = new Map<string, boolean>()
  readonly #refused = new TopSenders()
  /** True when everybody may send. */
  readonly isOpen: boolean
  /** Number of refused datagrams. */
  refused = 0

  /** `entries` have been checked: see `parseAddressRange`. */
  constructor(entries: readonly string[]) {
    this.isOpen = entries.length === 0
    for (const text of entries) {
      const entry = parseAddressRange(text)
      if (entry === null) throw new TypeError(`neither an address nor a prefix: ${text}`)
      if (entry.length === null) this.#list.addAddress(entry.address, entry.family)
      else this.#list.addSubnet(entry.address, entry.length, entry.family)
    }
  }

  /** Whether the sender's datagram is admitted; counts it when it is not. */
  admits(address: string, nowMs: number): boolean {
    if (this.isOpen || this.#isAllowed(address)) return true
    this.refused++
    this.#refused.note(address, nowMs)
    return false
  }

  /** The senders with most refused datagrams, the most first. */
  refusedSenders(): RefusedSender[] {
    return this.#refused.list()
  }

  #isAllowed(address: string): boolean {
    const known = this.#verdicts.get(address)
    if (known !== undefined) return known
    if (this.#verdicts.size >= verdictsMax) this.#verdicts.clear()
    // Link-local addresses carry their interface.
    const bare = address.replace(/%.*$/, '')
    const isAllowed = this.#list.check(bare, bare.includes(':') ? 'ipv6' : 'ipv4')
    this.#verdicts.set(address, isAllowed)
    return isAllowed
  }
}
