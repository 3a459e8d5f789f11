// Finds names that nobody registered and no sensor reported, by asking: names of a zone's mail, name and other servers, usual names, names that
// the reverse DNS has for watched addresses, names in certificates. It also checks whether names reported by others still exist. All of it uses
// questions that nothing else needs.

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { addressFrom } from '../../net/address.ts'
import { isWithin, nameMax } from '../../net/hostname.ts'
import { reverseName, singleNetwork } from '../../net/network.ts'
import { mergeRanges, subtractRanges } from '../../net/ranges.ts'
import { Ticker } from '../../ticker.ts'
import type { SavedObservation } from '../bindings/bindings.ts'
import type { Names } from '../names.ts'
import { lastingAfterMs } from '../observe/name-group.ts'
import type { Resolver } from '../resolve/resolver.ts'
import type { TargetType } from '../resolve/target-answer.ts'
import type { DiscoverySettings } from '../settings.ts'
import { CertificateSweep } from './certificate-sweep.ts'
import { DailyTurns } from './daily-turns.ts'
import { Suggestions } from './suggestions.ts'

export interface DiscoveryOptions {
  settings: DiscoverySettings
  graceSeconds: number
  allowPrivate: boolean
  names: Pick<
    Names,
    'include' | 'observed' | 'ownAddressesBelow' | 'spareQuestions' | 'watchedAddresses' | 'wildcardZones'
  > & {
    readonly resolvers: readonly Pick<Resolver, 'resolve' | 'targets'>[]
  }
  clock: Clock
  /** Where certificates are asked for. */
  certificatePort?: number
}

interface FoundAddresses {
  addresses: number[]
  chain: string[]
  ttlSeconds: number
}

type Step = () => Promise<void>

const tickMs = 100
/** While there is nothing to ask. */
const idleMs = 1_000
const dayMs = 86_400_000
const followEveryMs = 60_000
const followMax = 50_000
/** Steps at a time. */
const openMax = 16
/** Names that the reverse DNS of one address is believed to have. */
const pointersMax = 4
/** The sensor of names found so. */
const sensor = 'resolver'

const targetTypes: readonly TargetType[] = ['NS', 'MX', 'SOA']
const services = `
  _sip._tcp _sips._tcp _sip._udp _xmpp-server._tcp _xmpp-client._tcp _autodiscover._tcp _imaps._tcp _submission._tcp
  _caldavs._tcp _ldap._tcp _kerberos._udp _matrix._tcp _minecraft._tcp _stun._udp
`
  .trim()
  .split(/\s+/)
const usual = `
  mail smtp imap pop pop3 mx mx1 mx2 webmail autodiscover autoconfig exchange owa ns ns1 ns2 ns3 dns dns1 dns2 ftp vpn
  remote gw gateway proxy sip voip api app apps auth login sso admin portal my account intranet cloud files git shop
  store blog news forum wiki docs help support status m mobile web www1 www2 cdn static assets img images media video
  stream download dev test stage staging beta
`
  .trim()
  .split(/\s+/)

export class Discovery {
  readonly suggestions: Suggestions
  readonly certificates: CertificateSweep
  readonly counts = { zones: 0, addresses: 0, found: 0, followed: 0, lost: 0, omitted: 0, shown: 0, misled: 0 }
  readonly #options: DiscoveryOptions
  readonly #zoneTurns = new DailyTurns()
  readonly #following = new Set<string>()
  #zone: Iterator<Step> | null = null
  #isZoneOpen = false
  #sweep: Iterator<number> | null = null
  #sweptMs = Number.NEGATIVE_INFINITY
  /** Ranges that were gone through today, or are now. */
  #swept: Uint32Array = new Uint32Array()
  #seen: Uint32Array | null = null
  #followedMs = Number.NEGATIVE_INFINITY
  /** Names that certificates at the addresses show: of a few, since these are asked about before another is read. */
  readonly #shown: { name: string; address: number }[] = []
  #open = 0
  readonly #ticker = new Ticker(() => this.#tick())

  constructor(options: DiscoveryOptions) {
    this.#options = options
    this.suggestions = new Suggestions()
    const { names, allowPrivate, clock, certificatePort } = options
    this.certificates = new CertificateSweep({
      zones: () => names.wildcardZones(),
      addressesOf: (zone) => names.ownAddressesBelow(zone),
      ...{ allowPrivate, clock },
      ...(certificatePort !== undefined && { port: certificatePort }),
    })
  }

  start(): void {
    if (!this.#ticker.isRunning) this.#ticker.start(tickMs)
  }

  stop(): void {
    this.#ticker.stop()
    this.certificates.stop()
  }

  #tick(): void {
    const { names, clock } = this.#options
    this.#refill(clock.now())
    while (this.#open < openMax && names.spareQuestions > 0) {
      const step = this.#next(clock.now())
      if (step === null) {
        if (this.#open === 0) this.#ticker.keep(idleMs)
        return
      }
      this.#ticker.keep(tickMs)
      this.#open++
      void step().finally(() => this.#open--)
    }
  }

  #next(nowMs: number): Step | null {
    for (const name of this.#following) {
      this.#following.delete(name)
      return () => this.#follow(name)
    }
    const shown = this.#shown.pop()
    if (shown !== undefined) return () => this.#confirmShown(shown)
    return this.#zoneStep(nowMs) ?? this.#sweepStep(nowMs) ?? this.#certificateStep(nowMs)
  }

  /** Collects lasting names reported by others whose addresses are about to be dropped. */
  #refill(nowMs: number): void {
    if (Math.abs(nowMs - this.#followedMs) < followEveryMs) return
    this.#followedMs = nowMs
    const windowMs = Math.max(2 * followEveryMs, this.#options.graceSeconds * 250)
    for (const { name, firstMs, confirmedMs, validToMs } of this.#options.names.observed.bindings.all()) {
      if (validToMs <= nowMs || validToMs - nowMs > windowMs || confirmedMs - firstMs < lastingAfterMs) continue
      if (this.#following.size < followMax) this.#following.add(name)
      else this.counts.omitted++
    }
  }

  async #follow(name: string): Promise<void> {
    const { names, clock } = this.#options
    const found = await this.#resolve(name)
    this.counts.followed++
    if (found === 'failed') names.observed.bindings.hold(name, clock.now())
    else if (found === null) this.counts.lost++
    else this.#take(name, found)
  }

  /** Zones are gone through one after the other. */
  #zoneStep(nowMs: number): Step | null {
    if (this.#isZoneOpen || this.#options.settings.zones === 'off') return null
    this.#zone ??= this.#zoneDue(nowMs)
    const next = this.#zone?.next()
    if (next === undefined || next.done === true) {
      this.#zone = null
      return null
    }
    this.#isZoneOpen = true
    return () =>
      next.value().finally(() => {
        this.#isZoneOpen = false
      })
  }

  #zoneDue(nowMs: number): Iterator<Step> | null {
    const zone = this.#zoneTurns.take(this.#options.names.wildcardZones(), nowMs)
    if (zone === null) return null
    this.counts.zones++
    return this.#stepsOf(zone)
  }

  *#stepsOf(zone: string): Generator<Step> {
    let wildcard: FoundAddresses | null = null
    yield async () => {
      const found = await this.#resolve(`*.${zone}`)
      if (found === null || found === 'failed') return
      wildcard = found
      this.#take(`*.${zone}`, found)
    }
    // What the reverse DNS has may have been seen before the zone was anybody's site.
    const pointers = this.suggestions.names().filter((name) => isWithin(name, zone))
    const candidates = new Set([...usual.map((label) => `${label}.${zone}`), ...pointers])
    const questions = [
      ...targetTypes.map((type) => [zone, type] as const),
      ...services.map((service) => [`${service}.${zone}`, 'SRV'] as const),
    ]
    for (const [name, type] of questions) {
      yield async () => {
        for (const target of await this.#targets(name, type)) if (isWithin(target, zone)) candidates.add(target)
      }
    }
    for (const name of candidates) {
      yield async () => {
        const found = await this.#resolve(name)
        // What any name leads to is no sign of this one.
        if (found === null || found === 'failed' || isSame(found, wildcard)) return
        this.#take(name, found)
      }
    }
  }

  #sweepStep(nowMs: number): Step | null {
    if (this.#options.settings.reverse === 'off') return null
    if (Math.abs(nowMs - this.#sweptMs) >= dayMs) {
      this.#sweptMs = nowMs
      this.#swept = new Uint32Array()
      this.suggestions.prune(nowMs - 2 * dayMs)
    }
    this.#sweep ??= this.#addressesDue()
    const next = this.#sweep?.next()
    if (next === undefined || next.done === true) {
      this.#sweep = null
      return null
    }
    return () => this.#reverse(next.value)
  }

  /** Those that are watched and were not gone through today; null: the same are watched as when it was last looked. */
  #addressesDue(): Iterator<number> | null {
    const watched = this.#options.names.watchedAddresses()
    if (watched === this.#seen && this.#swept.length > 0) return null
    this.#seen = watched
    const due = subtractRanges(watched, this.#swept)
    this.#swept = mergeRanges([...pairsOf(this.#swept), ...pairsOf(due)])
    return addressesIn(due)
  }

  async #reverse(address: number): Promise<void> {
    this.counts.addresses++
    for (const name of (await this.#targets(reverseName(singleNetwork(addressFrom(address))), 'PTR')).slice(
      0,
      pointersMax,
    )) {
      const found = await this.#resolve(name)
      // Who has the address says what its name is; only the name itself says that it leads there.
      if (found === null || found === 'failed' || !found.addresses.includes(address)) continue
      this.suggestions.add(address, name, this.#options.clock.now())
      this.#take(name, found)
    }
  }

  #certificateStep(nowMs: number): Step | null {
    if (this.#options.settings.certificates === 'off') return null
    const turn = this.certificates.next(nowMs)
    if (turn === null) return null
    return async () => {
      const names = await turn.read()
      this.#shown.push(...names.map((name) => ({ name, address: turn.address })))
    }
  }

  async #confirmShown({ name, address }: { name: string; address: number }): Promise<void> {
    const { names, clock } = this.#options
    if (names.observed.bindings.isLive({ name, address }, clock.now())) {
      this.counts.shown++
      return
    }
    const found = await this.#resolve(name)
    if (found !== null && found !== 'failed' && found.addresses.includes(address)) {
      this.counts.shown++
      this.#take(name, found)
    } else this.counts.misled++
  }

  #take(name: string, { addresses, chain, ttlSeconds }: FoundAddresses): void {
    const { names, clock } = this.#options
    const nowMs = clock.now()
    const times = { firstMs: nowMs - lastingAfterMs, fromMs: nowMs, confirmedMs: nowMs }
    const observations: SavedObservation[] = addresses.map((address) => ({
      ...{ name, address, chain, ...times, ttlSeconds, count: 1, source: 'found', sensor },
    }))
    this.counts.found += names.include(observations).length
  }

  /** Null: the name leads nowhere. A wildcard record is asked for by a name that nobody has. */
  async #resolve(name: string): Promise<FoundAddresses | null | 'failed'> {
    const asked = name.startsWith('*.') ? `${randomBytes(8).toString('hex')}${name.slice(1)}` : name
    if (asked.length > nameMax) return null
    const resolutions = await Promise.all(this.#options.names.resolvers.map((resolver) => resolver.resolve(asked)))
    const found = resolutions.filter((each) => each.kind === 'addresses')
    if (found.length === 0) return resolutions.some(({ kind }) => kind === 'absent') ? null : 'failed'
    const addresses = [...new Set(found.flatMap((each) => each.addresses))]
    return { ...found[0], addresses }
  }

  /** The targets by the first resolver that answers. */
  async #targets(name: string, type: TargetType): Promise<string[]> {
    if (name.length > nameMax) return []
    for (const resolver of this.#options.names.resolvers) {
      const targets = await resolver.targets(name, type)
      if (targets !== null) return targets
    }
    return []
  }
}

function isSame(found: FoundAddresses, wildcard: FoundAddresses | null): boolean {
  if (wildcard === null) return false
  const isSameAlias = found.chain.length > 0 && found.chain[0] === wildcard.chain[0]
  return isSameAlias || found.addresses.every((address) => wildcard.addresses.includes(address))
}

function* pairsOf(ranges: Uint32Array): Generator<[first: number, last: number]> {
  for (let i = 0; i < ranges.length; i += 2) yield [ranges[i], ranges[i + 1]]
}

function* addressesIn(ranges: Uint32Array): Generator<number> {
  for (const [first, last] of pairsOf(ranges)) for (let at = first; at <= last; at++) yield at
}
