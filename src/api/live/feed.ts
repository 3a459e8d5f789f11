// The feed tells whoever listens what has changed. What it says of events it reads from the store's log of changes, whichever process has written them.
// Each user has a channel, with numbers of its own, while somebody listens, and for a while after: a listener that comes back gets what it
// missed. Nothing waits for a listener: one that does not keep up is dropped.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { ChangeKind, LoggedChange } from '../../events/changes.ts'
import type { EventStore } from '../../events/event-store.ts'
import { type Crowding, FairTable, type Place } from '../../fair-table.ts'
import type { Logger } from '../../log.ts'
import { PeriodicTask } from '../../task.ts'

/** What a message is about; what there is to know of it is asked for. */
export type LiveMessage =
  | { type: 'event'; id: string; change: ChangeKind }
  /** Too many events to name each. */
  | { type: 'events' }
  | { type: 'sites' }
  | { type: 'alerts' }
  | { type: 'exporters'; ids: string[] }
  | { type: 'status' }

/** A message with its place in the channel; null: what was missed is not known any more. */
interface PlacedMessage {
  id: string
  message: LiveMessage | null
}

/** How often the log of changes is looked at when nobody in this process says that there is something new. */
const lookMs = 1_000
/** Changes read at once. */
const readMax = 1_000
/** Messages kept of a channel, and waiting for a listener. */
const keptMax = 200
const waitingMax = 500
const channelsMax = 1_000
/** How long a channel without listeners is kept. */
const keptMs = 600_000
/** Updates of events are gathered for this long, and this many are sent at a time. */
const gatherMs = 1_000
const gatheredMax = 50

/** From one address half of all may come: a proxy that is not known may be many users. */
export const listenersMax = { ofUser: 20, ofAddress: 250, ofAll: 500 } as const
/** Listeners that have worked for as long give way to no newcomer, and this part of all can be such. */
const provenMs = 60_000
const provenShare = 0.75

class Channel {
  readonly userId: string
  readonly isAdmin: boolean
  /** Numbers of another time mean nothing. */
  readonly epoch = randomBytes(6).toString('hex')
  readonly listeners = new Set<Listener>()
  readonly updated = new Set<string>()
  /** Messages to the channels of the user have changed since the last time that it was said. */
  hasAlerts = false
  quietSinceMs = 0
  #last = 0
  #kept: PlacedMessage[] = []

  constructor(userId: string, isAdmin: boolean) {
    this.userId = userId
    this.isAdmin = isAdmin
  }

  get place(): string {
    return `${this.epoch}-${this.#last}`
  }

  /** Null: listeners have missed something, and have to ask for everything. */
  put(message: LiveMessage | null): void {
    this.#last++
    const placed = { id: this.place, message }
    this.#kept.push(placed)
    if (this.#kept.length > keptMax) this.#kept.shift()
    for (const listener of this.listeners) listener.put(placed)
  }

  /** What came after that place; null: that is not known any more. */
  after(place: string): PlacedMessage[] | null {
    const [epoch, number] = place.split('-')
    if (epoch !== this.epoch || !/^\d{1,15}$/.test(number ?? '')) return null
    const missed = this.#last - Number(number)
    if (missed < 0 || missed > this.#kept.length) return null
    return missed === 0 ? [] : this.#kept.slice(-missed)
  }
}

/** Messages for one connection: taken in turn, and waited for. */
export class Listener {
  readonly #waiting: PlacedMessage[] = []
  readonly #onDropped: () => void
  #wake: (() => void) | null = null
  /** It has not kept up, has given way, or the service ends. */
  isOver = false
  /** There were too many, and most of them of the same user: it is to come back later. */
  hasGivenWay = false

  constructor(onDropped: () => void) {
    this.#onDropped = onDropped
  }

  put(placed: PlacedMessage): void {
    if (this.isOver) return
    if (this.#waiting.length >= waitingMax) {
      this.#onDropped()
      this.end()
      return
    }
    this.#waiting.push(placed)
    this.#wake?.()
  }

  end(): void {
    this.isOver = true
    this.#wake?.()
  }

  giveWay(): void {
    this.hasGivenWay = true
    this.end()
  }

  /** All that waits; empty: nothing came within that time, or the listener is over. */
  async take(withinMs: number): Promise<PlacedMessage[]> {
    if (this.#waiting.length === 0 && !this.isOver) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, withinMs)
        this.#wake = () => {
          clearTimeout(late)
          resolve()
        }
      })
      this.#wake = null
    }
    return this.#waiting.splice(0)
  }
}

export interface Listening {
  listener: Listener
  /** To be told first. */
  missed: readonly PlacedMessage[]
  stop: () => void
}

/** Who listens, and from where. */
export interface ListenerOf {
  userId: string
  isAdmin: boolean
  address: string
}

interface FeedOptions {
  store: Pick<EventStore, 'changesAfter' | 'lastChange'>
  clock: Clock
  log: Logger
}

export class LiveFeed {
  readonly task: PeriodicTask
  readonly #store: FeedOptions['store']
  readonly #clock: Clock
  readonly #channels = new Map<string, Channel>()
  #gathering: NodeJS.Timeout | null = null
  /** Who listens, by user. */
  readonly #places = new FairTable<Listener>({
    max: listenersMax.ofAll,
    provenMax: Math.floor(listenersMax.ofAll * provenShare),
    onGiveWay: (listener) => listener.giveWay(),
  })
  readonly #newcomers = new Map<Place<Listener>, number>()
  readonly #byAddress = new Map<string, number>()
  /** The place of the last change that was read. */
  #place = 0
  readonly counters = { dropped: 0, refused: 0 }

  constructor({ store, clock, log }: FeedOptions) {
    this.#store = store
    this.#clock = clock
    const failure = 'the changes of events could not be read'
    this.task = new PeriodicTask({ name: 'changes', periodMs: lookMs, run: () => this.#look(), failure, clock, log })
  }

  /** What has happened before is not told. */
  async start(): Promise<void> {
    this.#place = await this.#store.lastChange()
    this.task.start()
  }

  /** There is something new in the log of changes. */
  wake(): void {
    void this.task.runAgain()
  }

  get listeners(): number {
    return this.#places.size
  }

  get gaveWay(): number {
    return this.#places.crowding().gaveWay
  }

  /** What gave way here makes no attack go unseen. */
  crowding(): Crowding {
    return { ...this.#places.crowding(), provenGaveWay: 0 }
  }

  get hasAdmins(): boolean {
    return this.#channels.values().some(({ isAdmin, listeners }) => isAdmin && listeners.size > 0)
  }

  tellSites(userId: string): void {
    for (const channel of this.#of(userId)) channel.put({ type: 'sites' })
  }

  /** Said once a second at most: hundreds of messages may be sent in one. */
  tellAlerts(userId: string): void {
    const channels = this.#of(userId)
    for (const channel of channels) channel.hasAlerts = true
    if (channels.length > 0) this.#gather()
  }

  tellStatus(): void {
    for (const channel of this.#channels.values()) channel.put({ type: 'status' })
  }

  tellExporters(ids: string[]): void {
    for (const channel of this.#channels.values()) if (channel.isAdmin) channel.put({ type: 'exporters', ids })
  }

  /** `lastPlace`: of the last message that the listener had; null: it is new. Null: there are too many of the user, or of the address. */
  listen(who: ListenerOf, lastPlace: string | null): Listening | null {
    const { userId, address } = who
    const channel = this.#channelOf(who)
    const ofAddress = this.#byAddress.get(address) ?? 0
    const isMany = this.#places.holds(userId) >= listenersMax.ofUser || ofAddress >= listenersMax.ofAddress
    const listener = new Listener(() => this.counters.dropped++)
    const nowMs = this.#clock.now()
    const place = channel === null || isMany ? null : this.#places.take(listener, { holder: userId, nowMs })
    if (channel === null || place === null) {
      this.counters.refused++
      return null
    }
    channel.listeners.add(listener)
    this.#newcomers.set(place, nowMs)
    this.#byAddress.set(address, ofAddress + 1)
    const missed = lastPlace === null ? [] : (channel.after(lastPlace) ?? [{ id: channel.place, message: null }])
    const stop = () => {
      if (!channel.listeners.delete(listener)) return
      listener.end()
      this.#leave(place, address)
      channel.quietSinceMs = this.#clock.now()
    }
    return { listener, missed, stop }
  }

  #leave(place: Place<Listener>, address: string): void {
    this.#places.leave(place)
    this.#newcomers.delete(place)
    const left = (this.#byAddress.get(address) ?? 1) - 1
    if (left > 0) this.#byAddress.set(address, left)
    else this.#byAddress.delete(address)
  }

  /** Those that have worked for a while are no newcomers any more. */
  #proveListeners(): void {
    const nowMs = this.#clock.now()
    for (const [place, sinceMs] of this.#newcomers) {
      if (nowMs - sinceMs < provenMs && nowMs >= sinceMs) break
      if (this.#places.prove(place, nowMs)) this.#newcomers.delete(place)
    }
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    await this.task.stop()
    if (this.#gathering !== null) clearTimeout(this.#gathering)
    for (const { listeners } of this.#channels.values()) for (const listener of listeners) listener.end()
  }

  async #look(): Promise<void> {
    this.#proveListeners()
    for (let isMore = true; isMore; ) {
      const { changes, isIncomplete } = await this.#store.changesAfter(this.#place, readMax)
      if (isIncomplete) for (const channel of this.#channels.values()) channel.put(null)
      this.#tellEvents(changes)
      this.#place = changes.at(-1)?.sequence ?? (isIncomplete ? await this.#store.lastChange() : this.#place)
      isMore = changes.length === readMax
    }
  }

  #tellEvents(changes: readonly LoggedChange[]): void {
    for (const { userId, id, change } of changes) {
      for (const channel of this.#of(userId)) {
        if (change !== 'updated') channel.put({ type: 'event', id, change })
        else if (channel.updated.size <= gatheredMax) channel.updated.add(id)
      }
    }
    if (changes.length > 0) this.#gather()
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => this.#flush(), gatherMs).unref()
  }

  #flush(): void {
    this.#gathering = null
    for (const channel of this.#channels.values()) {
      if (channel.updated.size > gatheredMax) channel.put({ type: 'events' })
      else for (const id of channel.updated) channel.put({ type: 'event', id, change: 'updated' })
      channel.updated.clear()
      if (channel.hasAlerts) channel.put({ type: 'alerts' })
      channel.hasAlerts = false
    }
  }

  #of(userId: string): Channel[] {
    return [true, false].flatMap((isAdmin) => this.#channels.get(keyOf(userId, isAdmin)) ?? [])
  }

  /** Null: there are too many, all of which are listened to. */
  #channelOf({ userId, isAdmin }: Pick<ListenerOf, 'userId' | 'isAdmin'>): Channel | null {
    const known = this.#channels.get(keyOf(userId, isAdmin))
    if (known !== undefined) return known
    const nowMs = this.#clock.now()
    for (const [key, { listeners, quietSinceMs }] of this.#channels) {
      const isOld = nowMs - quietSinceMs > keptMs || this.#channels.size >= channelsMax
      if (listeners.size === 0 && isOld) this.#channels.delete(key)
    }
    if (this.#channels.size >= channelsMax) return null
    const channel = new Channel(userId, isAdmin)
    this.#channels.set(keyOf(userId, isAdmin), channel)
    return channel
  }
}

function keyOf(userId: string, isAdmin: boolean): string {
  return `${userId} ${isAdmin}`
}
