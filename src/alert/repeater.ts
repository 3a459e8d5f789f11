// Says again, once a minute, what goes on, to channels whose receivers forget it else (see `ChannelKind.repeat`). It keeps nothing: what one of them has missed
// it hears the next time, so no attempt is made again and none is recorded.
import { PeriodicTask } from '../task.ts'
import type { Channel, EventToTell } from './alert-store.ts'
import type { ChannelKind, Message } from './channels/kind.ts'
import type { Known } from './rules/course.ts'
import { type SendParts, sendOptionsOf } from './send-parts.ts'

const periodMs = 60_000
/** Messages of one request: 64 KiB hold them. */
const atOnce = 20

export class Repeater {
  readonly counts = { done: 0, failed: 0 }
  readonly task: PeriodicTask
  readonly #options: SendParts
  readonly #end = new AbortController()

  constructor(options: SendParts) {
    this.#options = options
    const { clock, log } = options
    const failure = 'what goes on could not be said again'
    this.task = new PeriodicTask({ name: 'alert-repeats', periodMs, run: () => this.#repeat(), failure, clock, log })
  }

  stop(): void {
    this.#end.abort()
  }

  /** To whoever was told that an attack goes on, and not that it is over: its owner, and admins by the rules of the installation. */
  async #repeat(): Promise<void> {
    const { store, kinds } = this.#options
    for (const [id, events] of byChannel(await store.eventsToTell(await store.toldOpen()))) {
      const channel = await store.channelById(id)
      const kind = channel === null ? undefined : kinds.get(channel.kind)
      if (channel === null || kind?.repeat === undefined || channel.fortune.isDisabled) continue
      const told = await this.#allowed(channel, events)
      for (let from = 0; from < told.length && !this.#end.signal.aborted; from += atOnce)
        await this.#say(kind.repeat, channel, told.slice(from, from + atOnce))
    }
  }

  /** Whoever is no admin any more hears nothing about others. */
  async #allowed({ userId }: Channel, events: readonly EventToTell[]): Promise<readonly EventToTell[]> {
    const isOfOthers = events.some(({ event }) => event.userId !== userId)
    if (!isOfOthers || (await this.#options.isAdmin(userId))) return events
    return events.filter(({ event }) => event.userId === userId)
  }

  async #say(
    repeat: NonNullable<ChannelKind['repeat']>,
    channel: Channel,
    events: readonly EventToTell[],
  ): Promise<void> {
    const options = await sendOptionsOf(this.#options, channel, this.#end.signal)
    const messages = (await Promise.all(events.map((each) => this.#messageOf(each)))).filter((each) => each !== null)
    if (options === null || messages.length === 0) return
    const { outcome } = await repeat(messages, options)
    this.counts[outcome === 'done' ? 'done' : 'failed']++
  }

  /** Null: it is deleted, or over. */
  async #messageOf({ event, told }: EventToTell): Promise<Message | null> {
    const { store, present, report, clock } = this.#options
    const detail = await store.eventById(event.userId, event.id)
    if (detail === null || detail.endMs !== null || told === null) return null
    const { severity, label, number } = told
    return {
      ...{ type: 'event.continues', id: `msg_${event.id}_${number}`, number, atMs: clock.now() },
      facts: { severity, label, before: null },
      event: present(detail),
      report: report(detail),
    }
  }
}

function byChannel(events: readonly EventToTell[]): Map<string, EventToTell[]> {
  const found = new Map<string, EventToTell[]>()
  for (const each of events)
    for (const [id, known] of each.known) if (isOpenOn(known)) found.set(id, [...(found.get(id) ?? []), each])
  return found
}

/** The latest that the channel was told is no end. */
function isOpenOn({ lastTold }: Known): boolean {
  return lastTold !== null && lastTold !== 'ended'
}
