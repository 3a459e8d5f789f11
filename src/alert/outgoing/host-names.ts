// Where the hosts are that messages go to. The system's own look-ups (getaddrinfo) hold a thread for as long as a name server says nothing, and the process has
// two for them: two names would hold up all others. Here a name means what /etc/hosts says, and else what the name servers say of that very name, asked without
// a thread: see address-query.ts. No search domain is put behind it.
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { NoAddress, queryAddresses } from './address-query.ts'
import { HostsFile } from './hosts-file.ts'

/** A look-up as a whole, with its wait for others of the same party. */
const limitMs = 5_000
/** Look-ups of one party at a time. */
export const lookUpsAtOnce = 8
/** Those of one party that wait. */
const waitingMax = 64
/** RFC 6761 section 6.3: no name server is asked for `localhost` and the names below it. */
const loopback = ['127.0.0.1', '::1']

/** The addresses of a name, the best first; rejects with `NoAddress` where there are none. */
export type Resolve = (name: string) => Promise<LookupAddress[]>

interface HostNamesOptions {
  /** `address:port` of each name server; empty: those of the system. */
  servers?: readonly string[]
  hostsFile?: string
  limitMs?: number
}

/** The look-ups of one party. */
interface Lane {
  running: number
  /** Those that wait, the first first: each is called when it may begin. */
  waiting: (() => void)[]
  /** All of them, by name. */
  underWay: Map<string, Promise<readonly string[]>>
}

export class HostNames {
  /** Look-ups by result: `missing`: there is no such address; `failed`: no name server could tell in time; `refused`: too many of the party wait. */
  readonly counts = { found: 0, missing: 0, failed: 0, refused: 0 }
  readonly #servers: readonly string[]
  readonly #hosts: HostsFile
  readonly #limitMs: number
  readonly #lanes = new Map<string, Lane>()
  readonly #end = new AbortController()

  constructor(options: HostNamesOptions = {}) {
    this.#servers = options.servers ?? []
    this.#hosts = new HostsFile(options.hostsFile ?? '/etc/hosts')
    this.#limitMs = options.limitMs ?? limitMs
  }

  /** Look-ups of a party, which delay those of no other: a user, or a part of the service. */
  of(party: string): Resolve {
    return async (given) => {
      const name = given.toLowerCase().replace(/\.$/, '')
      try {
        const addresses = this.#known(name) ?? (await this.#together(party, name))
        this.counts.found++
        return inOrder(addresses)
      } catch (error) {
        if (!(error instanceof NoAddress)) throw error
        if (error.code === 'ENOTFOUND') this.counts.missing++
        else this.counts.failed++
        throw error
      }
    }
  }

  /** Look-ups that go on or wait. */
  get underWay(): number {
    let count = 0
    for (const { underWay } of this.#lanes.values()) count += underWay.size
    return count
  }

  /** Breaks off what is under way, and begins nothing more. */
  stop(): void {
    this.#end.abort()
  }

  /** What no name server is asked for; null: it is. */
  #known(name: string): readonly string[] | null {
    const listed = this.#hosts.addressesOf(name)
    if (listed.length > 0) return listed
    return name === 'localhost' || name.endsWith('.localhost') ? loopback : null
  }

  /** Whoever asks for a name that is being looked up for the party gets the same answer. */
  #together(party: string, name: string): Promise<readonly string[]> {
    const lane = this.#lanes.get(party) ?? { running: 0, waiting: [], underWay: new Map() }
    const begun = lane.underWay.get(name)
    if (begun !== undefined) return begun
    this.#lanes.set(party, lane)
    const asking = this.#inTurn(lane, name).finally(() => {
      lane.underWay.delete(name)
      if (lane.underWay.size === 0) this.#lanes.delete(party)
    })
    lane.underWay.set(name, asking)
    return asking
  }

  async #inTurn(lane: Lane, name: string): Promise<readonly string[]> {
    const late = AbortSignal.timeout(this.#limitMs)
    const signal = AbortSignal.any([late, this.#end.signal])
    try {
      await this.#enter(lane, signal)
      try {
        return await queryAddresses(name, { servers: this.#servers, signal })
      } finally {
        leave(lane)
      }
    } catch (error) {
      if (!late.aborted) throw error
      throw new NoAddress('EAI_AGAIN', `no address of ${name} within ${this.#limitMs / 1_000} seconds`)
    }
  }

  /** Waits for a place; whoever leaves hands it on. */
  async #enter(lane: Lane, signal: AbortSignal): Promise<void> {
    if (lane.running < lookUpsAtOnce) {
      lane.running++
      return
    }
    if (lane.waiting.length >= waitingMax) {
      this.counts.refused++
      throw new NoAddress('EAI_AGAIN', 'too many names are looked up at a time')
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    lane.waiting.push(resolve)
    const giveUp = () => {
      const at = lane.waiting.indexOf(resolve)
      if (at >= 0) lane.waiting.splice(at, 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}

function leave(lane: Lane): void {
  const next = lane.waiting.shift()
  if (next === undefined) lane.running--
  else next()
}

/** IPv4 first, but on a machine that has IPv6 alone. */
function inOrder(addresses: readonly string[]): LookupAddress[] {
  const first = hasIpv6Alone() ? 6 : 4
  return addresses
    .map((address) => ({ address, family: isIP(address) }))
    .toSorted((a, b) => Number(b.family === first) - Number(a.family === first))
}

function hasIpv6Alone(): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each.filter(({ internal }) => !internal))
  return own.some(({ family }) => family === 'IPv6') && !own.some(({ family }) => family === 'IPv4')
}
