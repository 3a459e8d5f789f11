// Which TLS servers are asked for the names that their certificates show, and when: once a day those at the addresses that the names of each
// wildcard lead to, a few at a time. Not at private addresses, unless names may lead there.
import type { Clock } from '../../clock.ts'
import { addressFrom } from '../../net/address.ts'
import { isUsable } from '../../net/special.ts'
import { readCertificate } from './certificate.ts'
import { DailyTurns } from './daily-turns.ts'

export interface CertificateSweepOptions {
  zones: () => Iterable<string>
  /** The addresses that names of the zone lead to and that belong to a user with the zone as a site. */
  addressesOf: (zone: string) => readonly number[]
  allowPrivate: boolean
  clock: Clock
  port?: number
}

/** One address, asked for one zone. */
export interface CertificateTurn {
  zone: string
  address: number
  /** The names of the zone that it shows. */
  read: () => Promise<string[]>
}

const httpsPort = 443
/** Delay for a new zone: its names are looked up in the DNS first. */
const firstAfterMs = 600_000
/** Bound for the addresses of a zone in a day. */
const addressesMax = 64
const timeoutMs = 5_000
const everyMs = 200
const openMax = 4

export class CertificateSweep {
  readonly counts = { read: 0, failed: 0, foreign: 0, broken: 0, omitted: 0, addressesOmitted: 0 }
  readonly #options: CertificateSweepOptions
  readonly #turns = new DailyTurns(firstAfterMs)
  readonly #stopped = new AbortController()
  #zone = ''
  #addresses: number[] = []
  #open = 0
  #startedMs = Number.NEGATIVE_INFINITY

  constructor(options: CertificateSweepOptions) {
    this.#options = options
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** Null: none is due, or others are being asked. */
  next(nowMs: number): CertificateTurn | null {
    if (this.#open >= openMax || Math.abs(nowMs - this.#startedMs) < everyMs) return null
    const address = this.#addresses.pop() ?? this.#nextZone(nowMs)
    if (address === undefined) return null
    this.#startedMs = nowMs
    const zone = this.#zone
    return { zone, address, read: () => this.#read(zone, address) }
  }

  #nextZone(nowMs: number): number | undefined {
    const { zones, addressesOf, allowPrivate } = this.#options
    const zone = this.#turns.take(zones(), nowMs)
    if (zone === null) return undefined
    const addresses = addressesOf(zone).filter((each) => isUsable(addressFrom(each), allowPrivate))
    this.#zone = zone
    this.#addresses = addresses.slice(0, addressesMax)
    this.counts.addressesOmitted += addresses.length - this.#addresses.length
    return this.#addresses.pop()
  }

  async #read(zone: string, address: number): Promise<string[]> {
    this.#open++
    const { port = httpsPort } = this.#options
    const shown = await readCertificate({ address, port, zone, timeoutMs, signal: this.#stopped.signal })
    this.#open--
    if (shown === null) {
      this.counts.failed++
      return []
    }
    this.counts.read++
    this.counts.foreign += shown.foreign
    this.counts.broken += shown.broken
    this.counts.omitted += shown.omitted
    return shown.names
  }
}
