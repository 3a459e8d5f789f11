// Data sets that came before their template and wait for it, as copies with the times of their datagram. They are bounded by octets for each stream, by
// octets for all, where the address with most of them gives way, and by age.
import { type Crowding, FairTable, type Place } from '../fair-table.ts'
import type { StreamCounters } from './counters.ts'

export interface WaitingLimits {
  /** Octets that wait in all. */
  waitingBytesMax: number
  /** Octets that wait for the templates of one stream. */
  waitingBytesPerStreamMax: number
  /** How long a set waits, milliseconds. */
  waitingMs: number
}

/** A set, with the times of its datagram's header. */
export interface WaitingSet {
  readonly template: number
  readonly octets: Uint8Array
  readonly receivedMs: number
  readonly exportMs: number
  readonly uptimeMs: number
}

/** What came of a set that is not decoded: a counter of its stream. */
type GivenUp = 'setsExpired' | 'setsCrowdedOut' | 'setsOverflowed' | 'setsOutdated'

/** What a set takes beside its octets, about. */
const overheadBytes = 256

interface Entry {
  readonly room: WaitingRoom
  set: WaitingSet
  bytes: number
  place: Place<Entry> | null
  isGone: boolean
}

/** Entries in order that may be removed anywhere: removed ones are passed over, and swept away when they are more than the others. */
class Line {
  #entries: Entry[] = []
  #head = 0
  #gone = 0

  push(entry: Entry): void {
    this.#entries.push(entry)
  }

  first(): Entry | undefined {
    while (this.#entries[this.#head]?.isGone) this.#head++
    return this.#entries[this.#head]
  }

  filter(keep: (entry: Entry) => boolean): Entry[] {
    return this.#entries.filter((entry) => !entry.isGone && keep(entry))
  }

  /** Notes that an entry was removed. */
  noteGone(): void {
    this.#gone++
    if (this.#gone * 2 <= this.#entries.length) return
    this.#entries = this.#entries.filter(({ isGone }) => !isGone)
    this.#head = this.#gone = 0
  }
}

/** The sets that wait in one stream. */
export class WaitingRoom {
  readonly line = new Line()
  /** The exporter's. */
  readonly address: string
  readonly counters: StreamCounters
  bytes = 0
  /** How many sets wait for each template. */
  readonly sets = new Map<number, number>()

  constructor(address: string, counters: StreamCounters) {
    this.address = address
    this.counters = counters
  }
}

/** The sets that wait in all streams. */
export class WaitingSets {
  /** How many sets wait. */
  size = 0
  readonly #limits: WaitingLimits
  readonly #line = new Line()
  readonly #places: FairTable<Entry>

  constructor(limits: WaitingLimits) {
    this.#limits = limits
    this.#places = new FairTable({
      max: limits.waitingBytesMax,
      onGiveWay: (entry) => this.#giveUp(entry, 'setsOverflowed'),
    })
  }

  /** Octets that wait, with what it takes to keep them. */
  get bytes(): number {
    return this.#places.size
  }

  crowding(): Crowding {
    return this.#places.crowding()
  }

  add(room: WaitingRoom, set: WaitingSet): void {
    const { waitingBytesPerStreamMax } = this.#limits
    const bytes = set.octets.length + overheadBytes
    if (bytes > Math.min(waitingBytesPerStreamMax, this.#limits.waitingBytesMax)) {
      room.counters.setsCrowdedOut++
      return
    }
    while (room.bytes + bytes > waitingBytesPerStreamMax) this.#giveUp(room.line.first(), 'setsCrowdedOut')
    const entry: Entry = { room, set, bytes, place: null, isGone: false }
    entry.place = this.#places.take(entry, { holder: room.address, weight: bytes, nowMs: set.receivedMs })
    room.line.push(entry)
    this.#line.push(entry)
    room.sets.set(set.template, (room.sets.get(set.template) ?? 0) + 1)
    room.bytes += bytes
    this.size++
  }

  /** Takes the sets that wait for a template, in order. */
  take(room: WaitingRoom, template: number): WaitingSet[] {
    if (!room.sets.has(template)) return []
    const entries = room.line.filter(({ set }) => set.template === template)
    const sets = entries.map(({ set }) => set)
    for (const entry of entries) this.#remove(entry)
    return sets
  }

  /** Gives up the sets of a template that will not come. */
  giveUp(room: WaitingRoom, template: number): void {
    room.counters.setsOutdated += this.take(room, template).length
  }

  /** Gives up the sets of a stream that is forgotten. */
  forget(room: WaitingRoom): void {
    for (const entry of room.line.filter(() => true)) this.#giveUp(entry, 'setsOverflowed')
  }

  /** Gives up sets that have waited too long. */
  expire(nowMs: number): void {
    const beforeMs = nowMs - this.#limits.waitingMs
    for (let entry = this.#line.first(); entry && entry.set.receivedMs < beforeMs; entry = this.#line.first()) {
      this.#giveUp(entry, 'setsExpired')
    }
  }

  #giveUp(entry: Entry | undefined, reason: GivenUp): void {
    if (entry === undefined) return
    entry.room.counters[reason]++
    this.#remove(entry)
  }

  #remove(entry: Entry): void {
    const { room, set, bytes } = entry
    entry.isGone = true
    entry.set = nothing
    const left = (room.sets.get(set.template) ?? 0) - 1
    if (left > 0) room.sets.set(set.template, left)
    else room.sets.delete(set.template)
    room.bytes -= bytes
    if (entry.place !== null) this.#places.leave(entry.place)
    this.size--
    room.line.noteGone()
    this.#line.noteGone()
  }
}

/** Stands for a removed set, so that its octets are free. */
const nothing: WaitingSet = { template: 0, octets: new Uint8Array(0), receivedMs: 0, exportMs: 0, uptimeMs: 0 }
