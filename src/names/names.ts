// The names of all sites, kept resolved: asks the resolvers on schedule, remembers what led where, says which addresses are to be
// watched, and to whom an attack on one belongs.

import { isDeepStrictEqual } from 'node:util'
import type { Claim, SiteLike, UserLike } from '../access/authority.ts'
import type { TextResolution } from '../access/challenge.ts'
import type { HostRecord } from '../access/host-record.ts'
import type { AccessSettings } from '../access/settings.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { addressFrom } from '../net/address.ts'
import type { HeldRanges } from '../net/held-ranges.ts'
import { addressLength, type NetworkKey } from '../net/network.ts'
import { areEqual, isInRanges } from '../net/ranges.ts'
import { isUsable } from '../net/special.ts'
import { Throttle } from '../throttle.ts'
import { Ticker } from '../ticker.ts'
import { type Attack, attribute, type Leading, type Match, type Way, waysTo } from './bindings/attribution.ts'
import { Bindings, type SavedBinding, type SavedObservation } from './bindings/bindings.ts'
import { type ConfiguredAddresses, configuredAddresses } from './bindings/configured.ts'
import { Newcomers } from './bindings/newcomers.ts'
import { type SiteAddresses, type SiteTimes, siteAddresses } from './bindings/site-addresses.ts'
import { compileSites, createHolderAbove, nameSite, type SiteIndex, usersAbove } from './bindings/site-index.ts'
import { type KnownBindings, nothingWatched, ownAddressesBelow, watchedAddresses } from './bindings/watched.ts'
import type { Suggestion } from './discover/suggestions.ts'
import { type ObservedAnswer, ObservedNames } from './observe/observed-names.ts'
import { groupOf, type Scope, scopeOf, scopeOfRecords } from './observe/scope.ts'
import { Questions } from './resolve/questions.ts'
import type { Resolution, Resolver } from './resolve/resolver.ts'
import type { Outcome, Schedule } from './resolve/schedule.ts'
import type { NamesSettings } from './settings.ts'

export interface NamesOptions {
  settings: NamesSettings
  /** Left out: nothing is checked. */
  access?: AccessSettings
  clock: Clock
  log: Logger
  /** Host records that have settings of their own: their names are resolved whether or not they are anybody's sites. */
  configured?: readonly HostRecord[]
  /** Told how long each answer of a resolver took. */
  onQueryDuration?: (seconds: number) => void
  /** In [0, 1); for the jitter of the schedule. */
  random?: () => number
}

type ShownBinding = Pick<SavedBinding, 'name' | 'address' | 'confirmedMs'>

/** Milliseconds between two looks for work, and where no name is to be resolved. */
const tickMs = 100
const idleMs = 1_000
/** The least number of ticks between two compilations of what is watched and what is asked closely. */
const settleTicks = 10
export class Names {
  /** Addresses in answers that may not be watched (see `allowPrivate`). */
  discarded = 0
  /** Answers that sensors told after questions of our own: they are no observations. */
  echoes = 0
  readonly bindings: Bindings
  readonly observed: ObservedNames
  readonly #questions: Questions
  readonly #options: NamesOptions
  readonly #configured: readonly HostRecord[]
  readonly #configuredScope: Scope
  readonly #listeners = new Set<() => void>()
  readonly #configuredListeners = new Set<() => void>()
  readonly #ticker = new Ticker(() => this.#tick())
  readonly #pruning = new Throttle(600_000)
  readonly #newcomers = new Newcomers()
  #hasSites = false
  #index: SiteIndex = compileSites([])
  #watched = nothingWatched
  #ofConfigured: ConfiguredAddresses
  #outdated = false
  #ticksToSettle = 0
  #attacked: ReadonlySet<number> = new Set()
  #attackedAnew = false

  constructor(options: NamesOptions) {
    const { settings, clock, log, configured = [], onQueryDuration = () => {}, random = Math.random } = options
    this.#options = options
    this.#configured = configured
    this.#configuredScope = scopeOfRecords(configured)
    const times = { graceMs: settings.graceSeconds * 1_000, staleMs: settings.staleSeconds * 1_000 }
    this.bindings = new Bindings({ ...times, holdersOf: (name) => this.#index.roots.get(name)?.keys() ?? [] })
    this.observed = new ObservedNames(times)
    this.#questions = new Questions({
      ...{ settings, clock, log, random, onQueryDuration },
      onAnswer: (name, resolution) => this.#take(name, resolution),
      onFailure: (name, all) => {
        this.#newcomers.answered(name, false, clock.now())
        for (const each of all) this.bindings.hold(each, clock.now())
      },
    })
    this.#ofConfigured = configuredAddresses(configured, this.#known, 0)
  }

  get resolvers(): readonly Resolver[] {
    return this.#questions.resolvers
  }

  /** See `Questions.open`. */
  get openQuestions(): number {
    return this.#questions.open
  }

  get schedule(): Schedule {
    return this.#questions.schedule
  }

  start(): void {
    if (!this.#ticker.isRunning) this.#ticker.start(tickMs)
    this.#tick()
  }

  stop(): void {
    this.#ticker.stop()
    this.#questions.stop()
  }

  /** Replaces the sites that are watched, and what their users are allowed and have proved. Names that are new are asked for at once. */
  setSites(sites: readonly SiteLike[], users: Iterable<UserLike> = [], claims: Iterable<Claim> = []): void {
    const { access } = this.#options
    const before = this.#index
    this.#index = compileSites(sites, users, { claims, ...(access !== undefined && { access }) })
    // What an earlier process knew is known at the start.
    if (this.#hasSites) this.schedule.renew(this.#newcomers.take(before, this.#index, (name) => this.#isAsked(name)))
    this.#hasSites = true
    this.schedule.setNames(new Set([...this.#configuredScope.names, ...this.#index.roots.keys()]))
    this.observed.setScope(scopeOf(this.#index, this.#configuredScope), createHolderAbove(this.#index))
    const { skipped } = this.#index
    const text = 'sites that cannot be read, or are not their users\u2019 to watch, are not watched'
    if (skipped > 0) this.#options.log.warn({ skipped }, text)
    this.#outdated = true
    this.#settle()
    if (this.#ticker.isRunning) this.#tick()
  }

  /** Replaces the addresses under attack: names that lead there are asked every few seconds, since either side may move. */
  setAttacked(addresses: ReadonlySet<number>): void {
    this.#attacked = addresses
    this.#attackedAnew = true
  }

  /** The listener is called when the set of watched addresses has changed, or for whom they are watched. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Sorted, disjoint pairs of first and last address, for `compileWatchList`. */
  watchedAddresses(): Uint32Array {
    return this.#watched.ranges
  }

  /** The users of each watched address. */
  watchedBy(): HeldRanges {
    return this.#watched.held
  }

  /** The networks among the sites, each once. */
  watchedNetworks(): NetworkKey[] {
    return Array.from(this.#index.networks, ([length, networks]) =>
      Array.from(networks.keys(), (network) => ({ network, length })),
    )
      .flat()
      .filter(({ length }) => length < addressLength)
  }

  /** The zones of the wildcards among the sites. */
  wildcardZones(): Iterable<string> {
    return this.#index.wildcards.keys()
  }

  /** See watched.ts. */
  ownAddressesBelow(zone: string): number[] {
    return ownAddressesBelow(zone, this.#index, this.#known, this.#options.clock.now())
  }

  /** See `Questions.spare`. */
  get spareQuestions(): number {
    return this.#questions.spare
  }

  /** The listener is called when the addresses that the configured host records stand for have changed. */
  onConfiguredChange(listener: () => void): void {
    this.#configuredListeners.add(listener)
  }

  /** The addresses of each configured host record that is a name, in the order of the records. */
  configuredAddresses(): number[][] {
    return this.#ofConfigured.addresses
  }

  /** For each user who has a site that the address belongs to, the best one. */
  attribute(attack: Attack): Match[] {
    const knowing = { newcomers: this.#newcomers, nowMs: this.#options.clock.now() }
    return attribute(attack, this.#index, this.#leading(attack.address), knowing)
  }

  /** How long the name that is most overdue has waited to be asked. */
  get lateMs(): number {
    return this.schedule.lateMs(this.#options.clock.now())
  }

  /** See `Questions.textsOf`. */
  textsOf(name: string): Promise<TextResolution[]> {
    return this.#questions.textsOf(name)
  }

  /** See `Authority.mayWatch`. */
  mayWatch(userId: string, record: HostRecord, addedMs: number): boolean {
    return this.#index.authority.mayWatch(userId, record, addedMs)
  }

  /** See `Authority.mayKnowSources`. */
  mayKnowSources(userId: string, addresses: readonly number[]): boolean {
    return this.#index.authority.mayKnowSources(userId, addresses)
  }

  /** See `Authority.isColleague`. */
  isColleague(userId: string): boolean {
    return this.#index.authority.isColleague(userId)
  }

  /** The sites of the user that the address belongs to now, if it is the user's by more than a name. */
  waysTo(userId: string, address: number): Way[] {
    const nowMs = this.#options.clock.now()
    const knowing = { newcomers: this.#newcomers, nowMs }
    return waysTo({ userId, address, atMs: nowMs }, this.#index, this.#leading(address), knowing)
  }

  /** Whether an answer to a question for this name, asked by others, says something that matters. */
  wants(name: string): boolean {
    return this.observed.wants(name)
  }

  /** What a resolver elsewhere was told. Gives how many addresses were taken. */
  observe(told: ObservedAnswer): number {
    const { name, source, sensor } = told
    if (source === 'dnstap' && this.#questions.takeEcho(name, sensor, this.#options.clock.now())) {
      this.echoes++
      return 0
    }
    const addresses = this.#allowed(told.addresses)
    if (addresses.length === 0 && told.addresses.length > 0) return 0
    for (const each of this.observed.take({ ...told, addresses }, this.#options.clock.now()))
      this.#outdated ||= addresses.some((address) => this.#isNews(each, address))
    return addresses.length
  }

  /** Where names led at times of which others know. Gives those of them that are of sites, with addresses that may be watched. */
  include(observations: readonly SavedObservation[]): SavedObservation[] {
    const nowMs = this.#options.clock.now()
    const kept = observations.filter(
      ({ name, address }) => this.observed.isOfSite(name) && this.#allowed([address]).length > 0,
    )
    for (const each of kept)
      if (this.observed.include(each, nowMs)) this.#outdated ||= this.#isNews(each.name, each.address)
    return kept
  }

  /** What became of the name when it was last asked for, as the user knows it; null: it is not asked for. */
  outcomeOf(userId: string, name: string): Outcome | null {
    return this.#newcomers.isWaiting(userId, name) ? 'waiting' : this.schedule.outcomeOf(name)
  }

  /** Whether the user may see that the name leads to the address. `asked`: our resolvers said so, not others. */
  mayShow(userId: string, binding: ShownBinding, asked: boolean): boolean {
    const { name, address } = binding
    const isOfUser = asked
      ? this.#index.roots.get(name)?.has(userId) === true && this.#newcomers.knows(userId, binding)
      : nameSite(this.#index, userId, name) !== null
    return isOfUser && this.#index.authority.mayBeListed(userId, address)
  }

  /** Those whose names are at or below no site of the user. */
  withoutSite(userId: string, suggestions: readonly Suggestion[]): Suggestion[] {
    return suggestions.filter(({ name }) => nameSite(this.#index, userId, name) === null)
  }

  /** What a site of the user, as it was added and enabled, stands for now. */
  addressesOf(userId: string, record: HostRecord, site: SiteTimes): SiteAddresses {
    const nowMs = this.#options.clock.now()
    return siteAddresses({ userId, record, site, nowMs }, this.#index, this.#known, this.#newcomers)
  }

  /** Whether the name is without some of its addresses, since there are too many of all names. */
  isCrowdedOut(name: string): boolean {
    return this.bindings.crowdedOut.has(name)
  }

  /** What an earlier process saved. */
  load(saved: readonly SavedBinding[]): void {
    this.bindings.load(saved, this.#options.clock.now())
    this.#outdated = true
    this.#settle()
  }

  /** What has been confirmed since then. */
  save(sinceMs: number): SavedBinding[] {
    const confirmed = this.bindings.all().filter((binding) => binding.confirmedMs >= sinceMs)
    return Array.from(confirmed, ({ name, address, chain, fromMs, confirmedMs, ttlSeconds }) => {
      return { name, address, chain, fromMs, confirmedMs, ttlSeconds }
    })
  }

  /** What an earlier process saved, the least recently confirmed first; the sites are known already. */
  loadObserved(saved: readonly SavedObservation[]): void {
    this.observed.load(saved, this.#options.clock.now())
    this.#outdated = true
    this.#settle()
  }

  /** The observations of lasting names that were confirmed since that time. */
  saveObserved(sinceMs: number): SavedObservation[] {
    return this.observed.save(sinceMs)
  }

  get #known(): KnownBindings {
    return { asked: this.bindings, observed: this.observed.bindings }
  }

  #leading(address: number): Leading {
    return { asked: this.bindings.at(address), observed: this.observed.bindings.at(address) }
  }

  /** Whether the name was asked for before. */
  #isAsked(name: string): boolean {
    const outcome = this.schedule.outcomeOf(name)
    return (outcome !== null && outcome !== 'waiting') || this.bindings.sizeOf(name) > 0
  }

  /** Whether what is watched, or what the configured records stand for, may change by an observed binding that has become live. */
  #isNews(name: string, address: number): boolean {
    if (groupOf(this.#configuredScope, name) !== null) return true
    return !isInRanges(this.#watched.ranges, address) && usersAbove(this.#index, name, address).size > 0
  }

  #tick(): void {
    this.#ticker.keep(this.schedule.size > 0 || this.#index.wildcards.size > 0 ? tickMs : idleMs)
    const nowMs = this.#options.clock.now()
    this.#questions.ask(nowMs)
    if (this.#pruning.pass(nowMs)) {
      this.bindings.prune(nowMs)
      this.observed.prune(nowMs)
      this.#newcomers.prune(nowMs)
    }
    this.#ticksToSettle--
    if (this.#ticksToSettle > 0) return
    const hasSettled = this.#settle()
    if (!hasSettled && !this.#attackedAnew) return
    this.#ticksToSettle = settleTicks
    this.#attackedAnew = false
    this.schedule.setClose(this.#namesAttacked(nowMs), nowMs)
  }

  *#namesAttacked(nowMs: number): Generator<string> {
    for (const address of this.#attacked) {
      for (const { name, validToMs } of this.bindings.at(address)) if (validToMs > nowMs) yield name
    }
  }

  #take(name: string, resolution: Resolution): void {
    const nowMs = this.#options.clock.now()
    if (resolution.kind !== 'failed') this.#newcomers.answered(name, resolution.kind === 'addresses', nowMs)
    if (resolution.kind !== 'addresses') return
    if (!this.#index.roots.has(name) && !this.#configuredScope.names.has(name)) return
    const addresses = this.#allowed(resolution.addresses)
    const changed = this.bindings.confirm(name, { ...resolution, addresses }, nowMs)
    this.#outdated ||= changed
  }

  #allowed(addresses: readonly number[]): number[] {
    const allowed = addresses.filter((address) => this.#mayWatch(address))
    this.discarded += addresses.length - allowed.length
    return allowed
  }

  #mayWatch(address: number): boolean {
    return isUsable(addressFrom(address), this.#options.settings.allowPrivate)
  }

  /** Brings the addresses up to date, and tells the listeners when they have changed. False: there was nothing to do. */
  #settle(): boolean {
    const nowMs = this.#options.clock.now()
    if (!this.#outdated && nowMs < Math.min(this.#watched.validToMs, this.#ofConfigured.validToMs)) return false
    this.#outdated = false
    // What holds for an address is told before it is watched.
    const known = this.#ofConfigured.addresses
    this.#ofConfigured = configuredAddresses(this.#configured, this.#known, nowMs)
    if (!isDeepStrictEqual(known, this.#ofConfigured.addresses))
      for (const listener of this.#configuredListeners) listener()
    const { ranges, held } = this.#watched
    this.#watched = watchedAddresses(this.#index, this.#known, nowMs)
    if (!areEqual(ranges, this.#watched.ranges) || !isDeepStrictEqual(held, this.#watched.held))
      for (const listener of this.#listeners) listener()
    return true
  }
}
