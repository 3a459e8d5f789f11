// Sends messages that are no deliveries: about the installation itself, and reports. Whoever sends one keeps which channels lack it; a channel that did not take it
// is asked again a minute later.
import type { Channel } from './alert-store.ts'
import { attemptSignal, type Message } from './channels/kind.ts'
import { Room } from './outgoing/room.ts'
import { type SendParts, sendOptionsOf } from './send-parts.ts'

const againMs = 60_000
/** What has no place by then is sent at the next look: who hangs holds up no look for long. */
const placeMs = 10_000
/** Over it all are as good as those that work, until they fail again. */
const failingMax = 10_000

export class DirectSender {
  /** Messages to one channel each. */
  readonly counts = { told: 0, failed: 0 }
  readonly #parts: SendParts
  readonly #end = new AbortController()
  /** When a channel may be sent a message again, by both their ids; of the steady clock. */
  readonly #again = new Map<string, number>()
  readonly #room = new Room()
  /** Channels that did not take the last message, the one that was asked last at the end: each has its turn. */
  readonly #failing = new Set<string>()

  constructor(parts: SendParts) {
    this.#parts = parts
  }

  stop(): void {
    this.#end.abort()
  }

  /** Those that may be sent the message now: they were not within the last minute. */
  due(messageId: string, channels: readonly Channel[]): Channel[] {
    const nowMs = this.#parts.clock.steady()
    for (const [key, atMs] of this.#again) if (atMs <= nowMs) this.#again.delete(key)
    return channels.filter(({ id }) => !this.#again.has(`${messageId} ${id}`))
  }

  /** Gives the channels that have taken it. Never rejects. */
  async send(message: Message, channels: readonly Channel[]): Promise<Set<string>> {
    const done = new Set<string>()
    const places = new Map(Array.from(this.#failing, (id, place) => [id, place]))
    const jobs = channels
      .map((channel) => ({ channel, userId: channel.userId, isFailing: places.has(channel.id) }))
      .toSorted((a, b) => (places.get(a.channel.id) ?? 0) - (places.get(b.channel.id) ?? 0))
    const work = async ({ channel }: { channel: Channel }) => {
      this.#again.set(`${message.id} ${channel.id}`, this.#parts.clock.steady() + againMs)
      const isDone = await this.#sendTo(channel, message).catch((error) => {
        this.#parts.log.error({ err: error, channel: channel.id }, 'a message could not be sent; it is sent again')
        return false
      })
      this.counts[isDone ? 'told' : 'failed']++
      this.#failing.delete(channel.id)
      if (isDone) done.add(channel.id)
      else this.#note(channel.id)
    }
    await this.#room.each(jobs, work, placeMs)
    return done
  }

  #note(channelId: string): void {
    if (this.#failing.size >= failingMax) this.#failing.clear()
    this.#failing.add(channelId)
  }

  async #sendTo(channel: Channel, message: Message): Promise<boolean> {
    const kind = this.#parts.kinds.get(channel.kind)
    if (kind === undefined) return false
    const options = await sendOptionsOf(this.#parts, channel, attemptSignal(kind, this.#end.signal))
    if (options === null) return false
    return (await kind.send(message, options)).outcome === 'done'
  }
}
