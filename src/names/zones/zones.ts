// Keeps the names of zones known as their servers have them: asks each server in turn whether its zone has changed, has it transferred when it
// has, and tells where its names lead for as long as that holds.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { type Logger, LogThrottle } from '../../log.ts'
import { isWithin } from '../../net/hostname.ts'
import { PeriodicTask } from '../../task.ts'
import type { SavedObservation } from '../bindings/bindings.ts'
import { lastingAfterMs } from '../observe/name-group.ts'
import { groupOf, type Scope } from '../observe/scope.ts'
import { Flattening } from '../passive-dns/flatten.ts'
import type { ZoneSource } from './settings.ts'
import {
  type Leading,
  type TransferFailure,
  type TransferOptions,
  type TransferOutcome,
  transferFailures,
  transferZone,
} from './transfer.ts'

/** See `Names`. */
interface Taking {
  /** Which names are wanted: another object when it may have changed. */
  scope(): Scope
  include(observations: readonly SavedObservation[]): unknown
  hold(name: string): void
}

export interface ZonesOptions {
  sources: readonly ZoneSource[]
  names: Taking
  clock: Clock
  log: Logger
  /** While a server does not answer, what it said last holds for so long. */
  staleSeconds: number
  transfer?: (options: TransferOptions) => Promise<TransferOutcome>
}

interface Zone extends ZoneSource {
  serial: number | null
  /** When its server was last heard to have it like this; Unix milliseconds. */
  checkedMs: number
  dueMs: number
  refreshMs: number
  /** Why the last question to its server failed; null: it did not. */
  failure: TransferFailure | null
  /** The addresses of its names; the times are set whenever they are reported. */
  observations: SavedObservation[]
  /** Records that there was no room for. */
  omitted: number
  results: Record<'unchanged' | 'transferred' | TransferFailure, number>
}

const tickMs = 1_000
/** The time after which a zone's names are reported again, for names that were dropped; for new sites that is at once. */
const tellEveryMs = 60_000
/** However seldom the zone's SOA record wants to be looked at, and after a failure. */
const refreshMinMs = 60_000
const refreshMaxMs = 900_000
/** Bound for the observations of all zones. */
const observationsMax = 200_000
const atOnce = 1_000

export class Zones {
  readonly zones: readonly Zone[]
  readonly #options: ZonesOptions
  readonly #throttle = new LogThrottle()
  readonly #stopped = new AbortController()
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  #toldMs = Number.NEGATIVE_INFINITY
  #toldScope: Scope = { names: new Set(), zones: new Set() }

  constructor(options: ZonesOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'zones',
      periodMs: tickMs,
      run: () => this.#run(),
      failure: 'zones could not be asked for',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
    this.zones = options.sources.map((source) => ({
      ...source,
      ...{ serial: null, checkedMs: 0, dueMs: 0, refreshMs: refreshMinMs, failure: null, observations: [], omitted: 0 },
      results: countsOf(['unchanged', 'transferred', ...transferFailures]),
    }))
  }

  start(): void {
    if (this.zones.length === 0) return
    this.#task.start()
    void this.#task.run()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#task.stop()
  }

  /** One zone at a time. */
  async #run(): Promise<void> {
    const { clock } = this.#options
    for (const zone of this.zones) {
      if (this.#stopped.signal.aborted) return
      // A clock that was set back would leave it for later.
      if (zone.dueMs > clock.now() && zone.dueMs - clock.now() <= refreshMaxMs) continue
      await this.#check(zone)
    }
    const nowMs = clock.now()
    const scope = this.#options.names.scope()
    const added = addedTo(this.#toldScope, scope)
    this.#toldScope = scope
    if (Math.abs(nowMs - this.#toldMs) >= tellEveryMs) {
      this.#toldMs = nowMs
      for (const zone of this.zones) await this.#tell(zone)
    } else if (added !== null) {
      for (const zone of this.zones) if (touches(added, zone.zone)) await this.#tell(zone, added)
    }
  }

  async #check(zone: Zone): Promise<void> {
    const { clock, transfer = transferZone } = this.#options
    const outcome = await transfer({
      ...{ server: zone.server, zone: zone.zone, key: zone.key, knownSerial: zone.serial },
      now: () => Math.floor(clock.now() / 1_000),
      signal: this.#stopped.signal,
    })
    if (this.#stopped.signal.aborted) return
    const nowMs = clock.now()
    zone.results[outcome.kind === 'failed' ? outcome.reason : outcome.kind === 'zone' ? 'transferred' : 'unchanged']++
    zone.failure = outcome.kind === 'failed' ? outcome.reason : null
    if (outcome.kind === 'failed') {
      zone.dueMs = nowMs + refreshMinMs
      this.#warn(zone, outcome)
      return
    }
    zone.refreshMs = Math.min(Math.max(outcome.refreshSeconds * 1_000, refreshMinMs), refreshMaxMs)
    zone.dueMs = nowMs + zone.refreshMs
    zone.checkedMs = nowMs
    if (outcome.kind === 'zone') this.#replace(zone, outcome)
    await this.#tell(zone)
  }

  #replace(zone: Zone, { serial, leading }: { serial: number; leading: readonly Leading[] }): void {
    const known = new Map(zone.observations.map((each) => [keyOf(each), each.fromMs]))
    zone.observations = []
    const room = observationsMax - this.zones.reduce((sum, each) => sum + each.observations.length, 0)
    const flattening = new Flattening({ source: 'zone', wants: () => true, graceMs: 0 })
    const times = { firstMs: zone.checkedMs, lastMs: zone.checkedMs, count: 1, sensor: `zone ${zone.zone}` }
    for (const { name, value } of leading) {
      const values =
        typeof value === 'number' ? { addresses: [value], targets: [] } : { addresses: [], targets: [value] }
      flattening.add({ name, ...values, ...times })
    }
    let omitted = 0
    for (const each of flattening.observations()) {
      if (zone.observations.length >= room) omitted++
      else zone.observations.push({ ...each, fromMs: known.get(keyOf(each)) ?? zone.checkedMs })
    }
    zone.serial = serial
    zone.omitted = omitted + flattening.omitted
  }

  /** What the server said when it was last asked; while it does not answer, that is held. */
  async #tell({ observations, checkedMs, dueMs, refreshMs }: Zone, scope: Scope | null = null): Promise<void> {
    const { names, clock, staleSeconds } = this.#options
    const nowMs = clock.now()
    if (nowMs - checkedMs >= staleSeconds * 1_000) return
    // A name of a zone lasts, however lately it was first told.
    const times = { confirmedMs: checkedMs, ttlSeconds: Math.ceil((2 * refreshMs) / 1_000) }
    const isLate = dueMs - checkedMs > refreshMs
    for (let at = 0; at < observations.length; at += atOnce) {
      if (at > 0) await nextTurn()
      const told = observations.slice(at, at + atOnce)
      const chunk = scope === null ? told : told.filter(({ name }) => groupOf(scope, name) !== null)
      if (chunk.length === 0) continue
      names.include(
        chunk.map((each) => ({ ...each, ...times, firstMs: Math.min(each.fromMs, checkedMs - lastingAfterMs) })),
      )
      if (isLate) for (const { name } of chunk) names.hold(name)
    }
  }

  #warn({ zone, server }: Zone, { reason, detail }: Extract<TransferOutcome, { kind: 'failed' }>): void {
    const heldBack = this.#throttle.pass(`${zone} ${reason}`, this.#options.clock.now())
    if (heldBack === null) return
    this.#options.log.warn(
      { zone, server: server.address, reason, detail, heldBack },
      'a zone could not be had from its server',
    )
  }
}

/** What sites were added; null: none. Others change their sites often, and the zones have nothing new to say then. */
function addedTo(before: Scope, scope: Scope): Scope | null {
  if (before === scope) return null
  const names = new Set([...scope.names].filter((name) => !before.names.has(name)))
  const zones = new Set([...scope.zones].filter((zone) => !before.zones.has(zone)))
  return names.size + zones.size === 0 ? null : { names, zones }
}

/** Whether the scope may have names of the zone. */
function touches({ names, zones }: Scope, zone: string): boolean {
  const isBelow = (name: string) => isWithin(name, zone)
  return [...names].some(isBelow) || [...zones].some((each) => isBelow(each) || isWithin(zone, each))
}

function keyOf({ name, chain, address }: SavedObservation): string {
  return [name, ...chain, address].join(' ')
}

/** An object made of entries has their keys. */
function countsOf<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>
}
