// What has changed, told to whoever listens. Each user has a channel of their own, with its own numbers, while somebody listens, and for a while
// after: who comes back is told what was missed. Nothing waits for a listener: who does not keep up is dropped.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** What a message is about; what there is to know of it is asked for. */
export type LiveMessage =
  | { type: 'event'; id: string; change: EventChange['change'] }
  /** So many events that they are not named. */
  | { type: 'events' }
  | { type: 'sites' }
  | { type: 'exporters'; ids: string[] }
  | { type: 'status' }

export interface EventChange {
  userId: string
  id: string
  /** `returned`: the attack came back after its end was recorded; `closed`: nothing of the event changes any more. */
  change: 'made' | 'updated' | 'ended' | 'returned' | 'closed'
}

/** A message with its place in the channel; null: what was missed is not known any more. */
interface Placed {
  id: string
  message: LiveMessage | null
}

/** Messages kept of a channel, and waiting for a listener. */
const keptMax = 200
const waitingMax = 500
const channelsMax = 1_000
/** How long a channel without listeners is kept. */
const keptMs = 600_000
/** Updates of events are gathered for so long, and of so many at a time. */
const gatherMs = 1_000
const gatheredMax = 50

export const listenersMax = { ofUser: 20, ofAll: 500 } as const

class Channel {
  readonly userId: string
  readonly isAdmin: boolean
  /** Numbers of another time mean nothing. */
  readonly epoch = randomBytes(6).toString('hex')
  readonly listeners = new Set<Listener>()
  readonly updated = new Set<string>()
  quietSinceMs = 0
  #last = 0
  #kept: Placed[] = []

  constructor(userId: string, isAdmin: boolean) {
    this.userId = userId
    this.isAdmin = isAdmin
  }

  get place(): string {
    return `${this.epoch}-${this.#last}`
  }

  put(message: LiveMessage): void {
    this.#last++
    const placed = { id: this.place, message }
    this.#kept.push(placed)
    if (this.#kept.length > keptMax) this.#kept.shift()
    for (const listener of this.listeners) listener.put(placed)
  }

  /** What came after that place; null: that is not known any more. */
  after(place: string): Placed[] | null {
    const [epoch, number] = place.split('-')
    if (epoch !== this.epoch || !/^\d{1,15}$/.test(number ?? '')) return null
    const missed = this.#last - Number(number)
    if (missed < 0 || missed > this.#kept.length) return null
    return missed === 0 ? [] : this.#kept.slice(-missed)
  }
}

/** Messages for one connection: taken in turn, and waited for. */
export class Listener {
  readonly #waiting: Placed[] = []
  readonly #onDropped: () => void
  #wake: (() => void) | null = null
  /** It has not kept up, or the service ends. */
  isOver = false

  constructor(onDropped: () => void) {
    this.#onDropped = onDropped
  }

  put(placed: Placed): void {
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

  /** All that waits; empty: nothing came within that time, or the listener is over. */
  async take(withinMs: number): Promise<Placed[]> {
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
  missed: readonly Placed[]
  stop: () => void
}

export class LiveFeed {
  readonly #clock: Clock
  readonly #channels = new Map<string, Channel>()
  #gathering: NodeJS.Timeout | null = null
  #count = 0
  readonly counters = { dropped: 0, refused: 0 }

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  get listeners(): number {
    return this.#count
  }

  get hasAdmins(): boolean {
    return this.#channels.values().some(({ isAdmin, listeners }) => isAdmin && listeners.size > 0)
  }

  tellEvents(changes: readonly EventChange[]): void {
    for (const { userId, id, change } of changes) {
      for (const channel of this.#of(userId)) {
        if (change !== 'updated') channel.put({ type: 'event', id, change })
        else if (channel.updated.size <= gatheredMax) channel.updated.add(id)
      }
    }
    this.#gathering ??= setTimeout(() => this.#flush(), gatherMs).unref()
  }

  tellSites(userId: string): void {
    for (const channel of this.#of(userId)) channel.put({ type: 'sites' })
  }

  tellStatus(): void {
    for (const channel of this.#channels.values()) channel.put({ type: 'status' })
  }

  tellExporters(ids: string[]): void {
    for (const channel of this.#channels.values()) if (channel.isAdmin) channel.put({ type: 'exporters', ids })
  }

  /** `lastPlace`: of the last message that the listener had; null: it is new. Null: there are too many. */
  listen(who: { userId: string; isAdmin: boolean }, lastPlace: string | null): Listening | null {
    const channel = this.#channelOf(who)
    const ofUser = this.#of(who.userId).reduce((sum, { listeners }) => sum + listeners.size, 0)
    if (channel === null || ofUser >= listenersMax.ofUser || this.#count >= listenersMax.ofAll) {
      this.counters.refused++
      return null
    }
    const listener = new Listener(() => this.counters.dropped++)
    channel.listeners.add(listener)
    this.#count++
    const missed = lastPlace === null ? [] : (channel.after(lastPlace) ?? [{ id: channel.place, message: null }])
    const stop = () => {
      if (!channel.listeners.delete(listener)) return
      listener.end()
      this.#count--
      channel.quietSinceMs = this.#clock.now()
    }
    return { listener, missed, stop }
  }

  /** Ends every connection. */
  stop(): void {
    if (this.#gathering !== null) clearTimeout(this.#gathering)
    for (const { listeners } of this.#channels.values()) for (const listener of listeners) listener.end()
  }

  #flush(): void {
    this.#gathering = null
    for (const channel of this.#channels.values()) {
      if (channel.updated.size > gatheredMax) channel.put({ type: 'events' })
      else for (const id of channel.updated) channel.put({ type: 'event', id, change: 'updated' })
      channel.updated.clear()
    }
  }

  #of(userId: string): Channel[] {
    return [true, false].flatMap((isAdmin) => this.#channels.get(keyOf(userId, isAdmin)) ?? [])
  }

  /** Null: there are too many, all of which are listened to. */
  #channelOf({ userId, isAdmin }: { userId: string; isAdmin: boolean }): Channel | null {
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
