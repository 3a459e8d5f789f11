// Sends messages that are no deliveries: about the installation itself, and reports. Whoever sends one keeps which channels lack it; a channel that did not take it
// is asked again, and one that takes long is waited for by nobody: what came of it is said at the next look.
import type { Channel } from './alert-store.ts'
import type { Outcome } from './attempts.ts'
import { attemptSignal, type Message } from './channels/kind.ts'
import type { Room } from './outgoing/room.ts'
import { type SendParts, sendOptionsOf } from './send-parts.ts'

/** Over it all are as good as those that work, until they fail again. */
const failingMax = 10_000

interface Attempts {
  /** Those that failed, in a row. */
  failed: number
  /** When the next one may be made; of the steady clock. */
  againMs: number
  isUnderWay: boolean
  /** Its receiver may have opened an incident, though it did not say so: it was too slow, or the connection broke. */
  mayBeOpen: boolean
}

interface DirectOptions extends SendParts {
  room: Room
  /** Pauses after the first, second, … attempt that failed, milliseconds; the last one is repeated. A message that was taken is sent again, where that is asked, after the first. */
  pausesMs: readonly number[]
}

const isUnderWay = (attempts: Attempts) => attempts.isUnderWay
const isUnsettled = (attempts: Attempts) => attempts.isUnderWay || attempts.mayBeOpen

export class DirectSender {
  /** Messages to one channel each. */
  readonly counts = { told: 0, failed: 0 }
  readonly #options: DirectOptions
  readonly #end = new AbortController()
  /** By the ids of the message and of the channel. */
  readonly #attempts = new Map<string, Map<string, Attempts>>()
  /** Channels that have taken a message and were not collected yet, by the id of the message. */
  readonly #taken = new Map<string, Set<string>>()
  /** Channels that did not take the last message, the one that was asked last at the end: each has its turn. */
  readonly #failing = new Set<string>()
  readonly #working = new Set<Promise<void>>()

  constructor(options: DirectOptions) {
    this.#options = options
  }

  /** Breaks off what is under way; resolves when it is over. */
  async stop(): Promise<void> {
    this.#end.abort()
    await Promise.all(this.#working)
  }

  /** Those that may be sent the message now: they are not being sent it, and were not a short while ago. */
  due(messageId: string, channels: readonly Channel[]): Channel[] {
    const nowMs = this.#options.clock.steady()
    const attempts = this.#attempts.get(messageId)
    return channels.filter(({ id }) => {
      const of = attempts?.get(id)
      return of === undefined || (!of.isUnderWay && of.againMs <= nowMs)
    })
  }

  /** Somebody may have taken the message of whom nobody has heard yet. */
  isOpen(messageId: string): boolean {
    return this.#taken.has(messageId) || this.#attempts.get(messageId)?.values().some(isUnsettled) === true
  }

  /** Resolves when the channels have answered, or after a while. Never rejects. */
  async send(message: Message, channels: readonly Channel[]): Promise<void> {
    const places = new Map(Array.from(this.#failing, (id, place) => [id, place]))
    const jobs = channels
      .map((channel) => ({ channel, userId: channel.userId, channelId: channel.id, isFailing: places.has(channel.id) }))
      .toSorted((a, b) => (places.get(a.channelId) ?? 0) - (places.get(b.channelId) ?? 0))
    const work = ({ channel }: { channel: Channel }) => {
      const working = this.#attempt(message, channel).finally(() => this.#working.delete(working))
      this.#working.add(working)
      return working
    }
    await this.#options.room.each(jobs, work)
  }

  /** The channels whose receivers may have opened an incident by the message since this was asked before, though they did not say so. */
  maybeTaken(messageId: string): string[] {
    const attempts = this.#attempts.get(messageId) ?? new Map<string, Attempts>()
    const maybe = [...attempts].filter(([, { mayBeOpen }]) => mayBeOpen)
    for (const [, of] of maybe) of.mayBeOpen = false
    return maybe.map(([id]) => id)
  }

  /** The channels that have taken the message since this was asked before. */
  collect(messageId: string): ReadonlySet<string> {
    const taken = this.#taken.get(messageId) ?? new Set<string>()
    this.#taken.delete(messageId)
    return taken
  }

  /** Nobody asks for other messages any more. */
  keep(messageIds: ReadonlySet<string>): void {
    for (const id of this.#taken.keys()) if (!messageIds.has(id)) this.#taken.delete(id)
    for (const [id, ofMessage] of this.#attempts)
      if (!messageIds.has(id) && !ofMessage.values().some(isUnderWay)) this.#attempts.delete(id)
  }

  async #attempt(message: Message, channel: Channel): Promise<void> {
    const { clock, log, kinds, pausesMs } = this.#options
    const ofMessage = this.#attempts.get(message.id) ?? new Map<string, Attempts>()
    const { failed = 0, againMs = 0, mayBeOpen = false } = ofMessage.get(channel.id) ?? {}
    ofMessage.set(channel.id, { failed, againMs, isUnderWay: true, mayBeOpen })
    this.#attempts.set(message.id, ofMessage)
    const outcome = await this.#sendTo(channel, message).catch((error): Outcome => {
      log.error({ err: error, channel: channel.id }, 'a message could not be sent; it is sent again')
      return 'failed'
    })
    const isDone = outcome === 'done'
    const { incidentsOnly = false, close } = kinds.get(channel.kind) ?? {}
    const pauseMs = isDone ? pausesMs[0] : pausesMs[Math.min(failed, pausesMs.length - 1)]
    const wasMaybeOpen = ofMessage.get(channel.id)?.mayBeOpen === true
    ofMessage.set(channel.id, {
      ...{ failed: isDone ? 0 : failed + 1, isUnderWay: false },
      mayBeOpen: wasMaybeOpen || (outcome === 'failed' && incidentsOnly && close !== undefined),
      againMs: clock.steady() + pauseMs,
    })
    this.counts[isDone ? 'told' : 'failed']++
    this.#failing.delete(channel.id)
    if (isDone) this.#taken.set(message.id, (this.#taken.get(message.id) ?? new Set()).add(channel.id))
    else this.#note(channel.id)
  }

  #note(channelId: string): void {
    if (this.#failing.size >= failingMax) this.#failing.clear()
    this.#failing.add(channelId)
  }

  async #sendTo(channel: Channel, message: Message): Promise<Outcome> {
    const kind = this.#options.kinds.get(channel.kind)
    if (kind === undefined) return 'refused'
    const options = await sendOptionsOf(this.#options, channel, attemptSignal(kind, this.#end.signal))
    if (options === null) return 'refused'
    return (await kind.send(message, options)).outcome
  }
}
