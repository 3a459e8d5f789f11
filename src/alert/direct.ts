// Sends messages that are no deliveries: about the installation itself, and reports. Whoever sends one keeps which channels lack it; a channel that did not take it
// is asked again a minute later.
import type { Channel } from './alert-store.ts'
import type { Message } from './channels/kind.ts'
import { type SendParts, sendOptionsOf } from './send-parts.ts'

const againMs = 60_000
const sendMs = 20_000

export class DirectSender {
  /** Messages to one channel each. */
  readonly counts = { told: 0, failed: 0 }
  readonly #parts: SendParts
  readonly #end = new AbortController()
  /** When a channel may be sent a message again, by both their ids. */
  readonly #again = new Map<string, number>()

  constructor(parts: SendParts) {
    this.#parts = parts
  }

  stop(): void {
    this.#end.abort()
  }

  /** Those that may be sent the message now: they were not within the last minute. */
  due(messageId: string, channels: readonly Channel[]): Channel[] {
    const { clock, delays } = this.#parts
    const nowMs = clock.now()
    for (const [key, atMs] of this.#again) if (delays.dueAt('again', atMs, nowMs) <= nowMs) this.#again.delete(key)
    return channels.filter(({ id }) => !this.#again.has(`${messageId} ${id}`))
  }

  /** Gives the channels that have taken it. */
  async send(message: Message, channels: readonly Channel[]): Promise<Set<string>> {
    const done = new Set<string>()
    await Promise.all(
      channels.map(async (channel) => {
        this.#again.set(`${message.id} ${channel.id}`, this.#parts.clock.now() + againMs)
        const isDone = await this.#sendTo(channel, message)
        this.counts[isDone ? 'told' : 'failed']++
        if (isDone) done.add(channel.id)
      }),
    )
    return done
  }

  async #sendTo(channel: Channel, message: Message): Promise<boolean> {
    const kind = this.#parts.kinds.get(channel.kind)
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(sendMs)])
    const options = await sendOptionsOf(this.#parts, channel, signal)
    if (kind === undefined || options === null) return false
    return (await kind.send(message, options)).outcome === 'done'
  }
}
