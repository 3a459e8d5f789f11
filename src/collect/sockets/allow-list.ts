// Decides who may send flows, by addresses and prefixes, IPv4 and IPv6. An empty list admits everybody. Refused datagrams are counted, and the busiest
// senders are known by address, as are those that worked before the list left them out, however little they send.
import { BlockList } from 'node:net'
import { parseAddressRange } from '../../net/address-range.ts'
import type { RefusedSender } from '../health/reception.ts'
import { TopSenders } from './top-senders.ts'

/** Addresses whose verdict is remembered: a search of the list takes longer. */
const verdictsMax = 4_096

/** Who may send, and exporters that have worked and may not. */
export interface Admission {
  /** Addresses and prefixes; empty: everybody. */
  entries: readonly string[]
  leftOut: readonly string[]
}

export class AllowList {
  #list = new BlockList()
  readonly #verdicts = new Map<string, boolean>()
  readonly #refused = new TopSenders()
  /** Those that are left out, with what they sent since. */
  #leftOut = new Map<string, RefusedSender>()
  #isOpen = true
  /** Number of refused datagrams. */
  refused = 0

  constructor(admission: Admission) {
    this.set(admission)
  }

  /** True when everybody may send. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** `entries` have been checked: see `parseAddressRange`. */
  set({ entries, leftOut }: Admission): void {
    const list = new BlockList()
    for (const text of entries) {
      const entry = parseAddressRange(text)
      if (entry === null) throw new TypeError(`neither an address nor a prefix: ${text}`)
      if (entry.length === null) list.addAddress(entry.address, entry.family)
      else list.addSubnet(entry.address, entry.length, entry.family)
    }
    this.#list = list
    this.#isOpen = entries.length === 0
    this.#verdicts.clear()
    const before = this.#leftOut
    this.#leftOut = new Map(
      leftOut.map((address) => [
        address,
        before.get(address) ?? { address, datagrams: 0, lastMs: 0, workedBefore: true },
      ]),
    )
  }

  /** Whether the sender's datagram is admitted; counts it when it is not. */
  admits(address: string, nowMs: number): boolean {
    if (this.#isOpen || this.isAllowed(address)) return true
    this.refused++
    const known = this.#leftOut.get(bareAddress(address))
    if (known === undefined) this.#refused.note(address, nowMs)
    else {
      known.datagrams++
      known.lastMs = nowMs
    }
    return false
  }

  /** The senders with most refused datagrams: those that worked before, and others; in each the most first. */
  refusedSenders(): RefusedSender[] {
    const known = [...this.#leftOut.values()].filter(({ datagrams }) => datagrams > 0)
    return [
      ...known.map((sender) => ({ ...sender })).sort((a, b) => b.datagrams - a.datagrams),
      ...this.#refused.list(),
    ]
  }

  /** Whether an address is on the list. */
  isAllowed(address: string): boolean {
    const known = this.#verdicts.get(address)
    if (known !== undefined) return known
    if (this.#verdicts.size >= verdictsMax) this.#verdicts.clear()
    const bare = bareAddress(address)
    const isAllowed = this.#list.check(bare, bare.includes(':') ? 'ipv6' : 'ipv4')
    this.#verdicts.set(address, isAllowed)
    return isAllowed
  }
}

/** Link-local addresses carry their interface. */
export function bareAddress(address: string): string {
  return address.replace(/%.*$/, '')
}
