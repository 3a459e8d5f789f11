// Names at or below sites that other resolvers were asked for, with the addresses in their answers: how names become known that nobody
// registered. Answers about one name in several messages, alias by alias, are joined. Bounded by name, by zone and in all.
import type { Crowding } from '../../fair-table.ts'
import { AliasTarget } from '../bindings/alias-target.ts'
import { Bindings, type BindingsOptions, type ObservationSource, type SavedObservation } from '../bindings/bindings.ts'
import { BusyAddresses } from '../bindings/busy-addresses.ts'
import { chainMax } from '../resolve/answer.ts'
import { lastingAfterMs, type NameEntry, NameGroup, newEntry, worthOnce } from './name-group.ts'
import { Room } from './room.ts'
import { groupOf, type Scope } from './scope.ts'

/** An answer that was seen: the name leads along the chain to the addresses. Without addresses the chain's last name is still unresolved. */
export interface ObservedAnswer {
  /** Canonical, as are those of the chain. */
  name: string
  chain: string[]
  addresses: readonly number[]
  ttlSeconds: number
  source: ObservationSource
  /** The name of the sender. */
  sensor: string
}

/** The users of the names of a group (see `groupOf`), as one. */
type HolderOf = (group: string) => string

/** The room that a name with one address takes. */
const sizeOfOne = 2

type Confirm = (entry: NameEntry, told: ObservedAnswer) => void

export interface ObservedNamesOptions extends BindingsOptions {
  /** The bound for the names of one zone. */
  namesPerGroupMax?: number
  /** The bound for all names and their addresses together. */
  sizeMax?: number
}

export class ObservedNames {
  readonly bindings: Bindings
  /** Names given up for others, since their zone has too many, or there are too many in all. */
  readonly evicted = { zone: 0, full: 0 }
  /** Names that last and were not taken, since those that are known are worth as much. */
  outweighed = 0
  /** Chains across several messages that are loops or too long. */
  broken = 0
  readonly #graceMs: number
  readonly #namesPerGroupMax: number
  readonly #groups = new Map<string, NameGroup>()
  readonly #entries = new Map<string, NameEntry>()
  /** Alias targets of which another answer is to tell where they lead. */
  readonly #targets = new Map<string, AliasTarget>()
  readonly #room: Room
  readonly #busy = new BusyAddresses()
  #scope: Scope = { names: new Set(), zones: new Set() }
  #holderOf: HolderOf = () => ''

  constructor({ namesPerGroupMax = 5_000, sizeMax = 200_000, ...options }: ObservedNamesOptions) {
    this.bindings = new Bindings(options)
    this.#graceMs = options.graceMs
    this.#namesPerGroupMax = namesPerGroupMax
    this.#room = new Room(sizeMax)
  }

  /** Number of known names. */
  get size(): number {
    return this.#entries.size
  }

  get scope(): Scope {
    return this.#scope
  }

  /** Who has most of the room that all names share. */
  crowding(): Crowding {
    return this.#room.crowding(this.evicted.full)
  }

  /** Names that matter no more are forgotten; the others share their room with those of the zones, and of the users, that there are now. */
  setScope(scope: Scope, holderOf: HolderOf = () => ''): void {
    this.#scope = scope
    this.#holderOf = holderOf
    for (const entry of [...this.#entries.values()]) {
      // One that moved before may have taken its room.
      if (!this.#entries.has(entry.name)) continue
      const key = groupOf(scope, entry.name)
      if (key === null) this.#drop(entry)
      else if (key !== entry.group.key) this.#move(entry, key)
    }
    for (const group of this.#groups.values()) {
      if (group.count === 0) this.#groups.delete(group.key)
      else this.#room.hold(group, holderOf(group.key))
    }
  }

  /** Whether an answer to a question for this name says something that matters. */
  wants(name: string): boolean {
    return this.#targets.has(name) || groupOf(this.#scope, name) !== null
  }

  /** Whether the name is at or below a site. */
  isOfSite(name: string): boolean {
    return groupOf(this.#scope, name) !== null
  }

  /** There is traffic to these addresses now: names that lead to them are kept rather than others. */
  noteTraffic(addresses: Iterable<number>, nowMs: number): void {
    for (const address of addresses) if (this.bindings.has(address)) this.#busy.add(address, nowMs)
  }

  /** The name led there at the times given. True when the address has become live. */
  include(observation: SavedObservation, nowMs: number): boolean {
    const { firstMs, confirmedMs } = observation
    const entry = this.#known(observation.name) ?? this.#admit(observation)
    if (entry === null) return false
    entry.firstMs = Math.min(entry.firstMs, firstMs)
    entry.isBusy = this.#busy.has(observation.address)
    entry.group.touch(entry, confirmedMs, nowMs)
    const hasBegun = this.bindings.include(observation, nowMs)
    this.#measure(entry)
    if (this.bindings.sizeOf(entry.name) === 0 && entry.via.length === 0) this.#drop(entry)
    this.#makeRoom()
    return hasBegun
  }

  /** Gives the names for which an address has become live. */
  take(told: ObservedAnswer, nowMs: number): string[] {
    const changed = new Set<string>()
    const confirm: Confirm = (entry, given) => {
      if (this.#confirm(entry, given, nowMs)) changed.add(entry.name)
    }
    const path = [told.name, ...told.chain]
    // The last of an alias without address was not asked for, and nothing is known of it.
    for (let i = 0; i < path.length - Number(told.addresses.length === 0); i++) {
      const entry = this.#enter(path[i], nowMs)
      if (entry === null) continue
      const chain = path.slice(i + 1)
      if (told.addresses.length > 0) {
        if (!startsWith(chain, entry.via)) this.#follow(entry, [], 0)
        confirm(entry, { ...told, chain })
      } else {
        const viaToMs = this.#endOf(told, nowMs)
        if (startsWith(entry.via, chain)) entry.viaToMs = viaToMs
        else this.#follow(entry, chain, viaToMs)
        this.#catchUp(entry, nowMs, confirm)
      }
    }
    const target = this.#targets.get(told.name)
    if (target?.isNews(told, nowMs) === true)
      for (const entry of [...target.names]) this.#goOn(entry, told, nowMs, confirm)
    this.#makeRoom()
    return [...changed]
  }

  /** The observations of lasting names that were confirmed since that time. */
  save(sinceMs: number): SavedObservation[] {
    const saved: SavedObservation[] = []
    for (const { validToMs: _, ...binding } of this.bindings.all())
      if (binding.confirmedMs >= sinceMs && binding.confirmedMs - binding.firstMs >= lastingAfterMs) saved.push(binding)
    return saved
  }

  /** What an earlier process saved, the least recently confirmed first. */
  load(saved: readonly SavedObservation[], nowMs: number): void {
    for (const observation of saved.toReversed()) {
      const entry = this.#known(observation.name) ?? this.#admit(observation)
      if (entry === null) continue
      entry.firstMs = Math.min(entry.firstMs, observation.firstMs)
      entry.group.touch(entry, observation.confirmedMs, nowMs)
    }
    this.bindings.load(
      saved.filter(({ name }) => this.#entries.has(name)),
      nowMs,
    )
    for (const entry of this.#entries.values()) this.#measure(entry)
    this.#makeRoom()
  }

  prune(nowMs: number): void {
    this.bindings.prune(nowMs)
    for (const entry of [...this.#entries.values()]) {
      if (entry.viaToMs <= nowMs) this.#follow(entry, [], 0)
      this.#measure(entry)
      if (this.bindings.sizeOf(entry.name) === 0 && entry.via.length === 0) this.#drop(entry)
    }
  }

  /** Follows the name's aliases through answers that came before. */
  #catchUp(entry: NameEntry, nowMs: number, confirm: Confirm): void {
    for (let via: readonly string[] = []; via !== entry.via; ) {
      via = entry.via
      const told = this.#targets.get(via[via.length - 1])?.toldBefore(nowMs)
      if (told !== undefined) this.#goOn(entry, told, nowMs, confirm)
    }
  }

  /** An answer tells how an alias of the name goes on. */
  #goOn(entry: NameEntry, told: ObservedAnswer, nowMs: number, confirm: Confirm): void {
    const place = entry.via.indexOf(told.name)
    // It came to lead elsewhere by this very answer.
    if (place === -1) return
    if (entry.viaToMs <= nowMs) {
      this.#follow(entry, [], 0)
      return
    }
    const chain = [...entry.via.slice(0, place + 1), ...told.chain]
    if (chain.length > chainMax || new Set([entry.name, ...chain]).size <= chain.length) this.broken++
    else if (told.addresses.length > 0) confirm(entry, { ...told, chain })
    else if (!startsWith(entry.via, chain)) this.#follow(entry, chain, entry.viaToMs)
  }

  #confirm(entry: NameEntry, told: ObservedAnswer, nowMs: number): boolean {
    entry.isBusy = told.addresses.some((address) => this.#busy.has(address))
    entry.group.touch(entry, nowMs, nowMs)
    const changed = this.bindings.confirm(entry.name, told, nowMs)
    this.#measure(entry)
    return changed
  }

  #known(name: string): NameEntry | null {
    return this.#entries.get(name) ?? null
  }

  /** The entry of a name that was observed now, created when it is new; null: the name belongs to no site. */
  #enter(name: string, nowMs: number): NameEntry | null {
    const key = groupOf(this.#scope, name)
    const entry = this.#known(name) ?? (key === null ? null : this.#newEntry(name, this.#groupAt(key), nowMs))
    entry?.group.touch(entry, nowMs, nowMs)
    return entry
  }

  /** The entry of a name that is not known, made where it matters and is worth it: one that lasts must not come and go. */
  #admit({ name, address, firstMs, confirmedMs }: SavedObservation): NameEntry | null {
    const key = groupOf(this.#scope, name)
    if (key === null) return null
    const group = this.#groupAt(key)
    if (confirmedMs - firstMs >= lastingAfterMs) {
      const isFull = this.#room.isToPay(group, sizeOfOne)
      if (!group.hasRoomFor(worthOnce(confirmedMs, this.#busy.has(address)), isFull)) {
        this.outweighed++
        return null
      }
    }
    return this.#newEntry(name, group, firstMs)
  }

  #newEntry(name: string, group: NameGroup, firstMs: number): NameEntry {
    this.#makeRoomIn(group)
    const entry = newEntry(name, group, firstMs)
    this.#entries.set(name, entry)
    this.#measure(entry)
    return entry
  }

  #move(entry: NameEntry, key: string): void {
    entry.group.remove(entry)
    this.#room.resize(entry.group, -entry.size)
    entry.group = this.#groupAt(key)
    this.#makeRoomIn(entry.group)
    this.#room.resize(entry.group, entry.size)
    entry.group.touch(entry, entry.heardMs, entry.heardMs)
  }

  #groupAt(key: string): NameGroup {
    const known = this.#groups.get(key)
    if (known !== undefined) return known
    const group = new NameGroup(key, this.#namesPerGroupMax)
    this.#groups.set(key, group)
    this.#room.hold(group, this.#holderOf(key))
    return group
  }

  /** For one name more. */
  #makeRoomIn(group: NameGroup): void {
    if (group.count < group.namesMax) return
    this.evicted.zone++
    this.#drop(group.takeFirst())
  }

  /** Gives up names of one of the largest zones of who has most, until there is room. */
  #makeRoom(): void {
    for (let group = this.#room.crowded(); group !== null; group = this.#room.crowded()) {
      this.evicted.full++
      this.#drop(group.takeFirst())
    }
  }

  #drop(entry: NameEntry | undefined): void {
    if (entry === undefined) return
    this.#follow(entry, [], 0)
    this.#entries.delete(entry.name)
    entry.group.remove(entry)
    this.#room.resize(entry.group, -entry.size)
    this.bindings.forget(entry.name)
  }

  /** Takes notice of how many addresses the name has now. */
  #measure(entry: NameEntry): void {
    const size = 1 + this.bindings.sizeOf(entry.name)
    this.#room.resize(entry.group, size - entry.size)
    entry.size = size
  }

  #follow(entry: NameEntry, via: readonly string[], untilMs: number): void {
    for (const name of entry.via) {
      const target = this.#targets.get(name)
      target?.names.delete(entry)
      if (target?.names.size === 0) this.#targets.delete(name)
    }
    entry.via = via
    entry.viaToMs = untilMs
    for (const name of via) {
      const target = this.#targets.get(name) ?? new AliasTarget()
      target.names.add(entry)
      this.#targets.set(name, target)
    }
  }

  #endOf({ ttlSeconds }: ObservedAnswer, nowMs: number): number {
    return nowMs + Math.max(ttlSeconds * 1_000, this.#graceMs)
  }
}

function startsWith(list: readonly string[], start: readonly string[]): boolean {
  return start.every((each, i) => list[i] === each)
}
